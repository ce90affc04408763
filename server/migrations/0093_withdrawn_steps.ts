import { type Kysely, sql } from 'kysely';

/** A rollout pauses when the release was withdrawn from all devices of the step under way, too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table releases drop constraint releases_pause_reason_check,
      add constraint releases_pause_reason_check check (
        pause_reason in ('operatorDisabled', 'operatorDemoted', 'operatorDeleted', 'stepWithdrawn'))`.execute(db);
}
