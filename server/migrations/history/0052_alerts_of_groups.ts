import { type Kysely, sql } from 'kysely';

/** Alerts may be about the devices of a group only; null: about all in scope. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table alerts add column group_id uuid references groups on delete set null;
    create index alerts_group on alerts (group_id);
  `.execute(db);
}
