import { type Kysely, sql } from 'kysely';

/**
 * The id of a group outlasts the group: null means all devices in scope, so that alerts about a group that was deleted with
 * its owner were suddenly about all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table alerts drop constraint alerts_group_id_fkey`.execute(db);
}
