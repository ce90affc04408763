import { type Kysely, sql } from 'kysely';

/** A command is deleted when its device has received it, unless it was given again meanwhile. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table device_commands add column id uuid not null unique default gen_random_uuid()`.execute(db);
}
