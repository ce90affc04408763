import { type Kysely, sql } from 'kysely';

/** What re-planning did for a campaign, and what will be missing at the end of its flight. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table campaigns
      add column make_goods bigint not null default 0,
      add column short bigint not null default 0,
      add column short_since timestamptz;
  `.execute(db);
}
