import { type Kysely, sql } from 'kysely';

/** Withdrawals on their way to many devices: the call took longer than the app waits for its answer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table release_withdrawals (
      id uuid primary key default gen_random_uuid(),
      release_ids uuid[] not null,
      -- Without a reference, as where it is copied to: whoever deletes a user holds its devices already.
      operator_id uuid,
      device_ids uuid[] not null,
      total int not null,
      reached int not null default 0
    )`.execute(db);
  // Read in parts, from the place that a step begins at.
  await sql`alter table release_withdrawals alter column device_ids set storage external`.execute(db);
}
