import { type Kysely, sql } from 'kysely';

/**
 * Which devices did not have a release when it was withdrawn. Of releases withdrawn before, nobody knows: they keep what they
 * counted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table release_devices add column missed boolean not null default false`.execute(db);
}
