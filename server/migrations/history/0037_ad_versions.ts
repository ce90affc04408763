import { type Kysely, sql } from 'kysely';

/** Which version of its ad a release is of, and the place of a release that updates an earlier one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table releases
      -- updated_at of the ad, in milliseconds, when it was frozen.
      add column ad_version timestamptz,
      -- Newer releases come before older ones; one that updates another has the place of that one.
      add column rank_at timestamptz;
    update releases r set ad_version = least(r.released_at, date_trunc('milliseconds', a.updated_at))
    from ads a where a.id = r.ad_id and r.withdrawn_at is null`.execute(db);
}
