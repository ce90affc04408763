import { type Kysely, sql } from 'kysely';

/** Finds the live releases whose schedule is over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index releases_last_day on releases ((schedule ->> 'to'))
      where withdrawn_at is null and campaign_id is null and schedule ->> 'to' is not null`.execute(db);
}
