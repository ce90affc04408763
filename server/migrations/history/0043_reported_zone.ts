import { type Kysely, sql } from 'kysely';

/** The time zone that a player reports is kept while an operator's is in force, so that the device can return to it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table devices add column reported_zone text;
    update devices set reported_zone = time_zone where not time_zone_set and paired_at is not null;
  `.execute(db);
}
