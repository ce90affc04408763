import type { JobName } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../database/database.ts';

/**
 * Repeats the last try of those jobs `j` of a task whose process died during it: by itself the queue does not run them again.
 * `chosen` leaves out those that failed in it.
 */
export const repeatLastTries = (db: Db, task: JobName, chosen: RawBuilder<boolean>): Promise<unknown> =>
  sql`
    update graphile_worker._private_jobs j set attempts = j.max_attempts - 1
    from graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = ${task} and j.locked_at is null and j.attempts >= j.max_attempts
      and ${chosen}`.execute(db);
