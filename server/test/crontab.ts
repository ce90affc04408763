import { sql } from 'kysely';
import type { Db } from '../src/platform/database/database.ts';

/** From now on, no job of the crontab is added: tests that do its work themselves have the same result at every minute. */
export async function stopCrontab(db: Db): Promise<void> {
  await sql`create function skip_timed_job() returns trigger language plpgsql as 'begin return null; end'`.execute(db);
  await sql`
    create trigger skip_timed_job before insert on graphile_worker._private_jobs for each row
    when (new.payload::jsonb ? '_cron') execute function skip_timed_job()`.execute(db);
  await sql`delete from graphile_worker._private_jobs where payload::jsonb ? '_cron' and locked_at is null`.execute(db);
}
