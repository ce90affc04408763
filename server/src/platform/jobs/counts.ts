import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

export interface JobCounts {
  waiting: number;
  running: number;
  /** Tried too often; kept for a week, so that somebody can look. */
  failed: number;
}

export async function countJobs(db: Db): Promise<JobCounts> {
  const { rows } = await sql<JobCounts>`
    select count(*) filter (where locked_at is null and attempts < max_attempts) as waiting,
      count(*) filter (where locked_at is not null) as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts) as failed
    from graphile_worker.jobs`.execute(db);
  return rows[0] ?? { waiting: 0, running: 0, failed: 0 };
}

/**
 * Deletes jobs that failed for good a week ago: some tasks run each minute, and a receiver of alerts may be away for
 * months. Files and releases with work left are queued again each hour or minute.
 */
export async function cleanFailedJobs(db: Db): Promise<void> {
  await sql`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where locked_at is null and attempts >= max_attempts and updated_at < now() - interval '7 days'))
  `.execute(db);
}
