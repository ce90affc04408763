import type pg from 'pg';

/** A job that a worker has locked; `claim` names it with the number of its attempt. */
interface Locked {
  id: string;
  claim: string;
}

/** The jobs that are locked by these workers. */
export async function findLocked(pool: pg.Pool, workers: readonly string[]): Promise<Locked[]> {
  const { rows } = await pool.query<Locked>(
    `select id::text, id || '/' || attempts as claim from graphile_worker._private_jobs where locked_by = any($1)`,
    [workers],
  );
  return rows;
}

/** Unlocks jobs of these workers, with their queues: a free worker takes them. */
export const freeJobs = (pool: pg.Pool, workers: readonly string[], ids: readonly string[]): Promise<unknown> =>
  pool.query(
    `with freed as (
       update graphile_worker._private_jobs set locked_at = null, locked_by = null
       where id = any($1::bigint[]) and locked_by = any($2) returning job_queue_id)
     update graphile_worker._private_job_queues q set locked_at = null, locked_by = null
     from freed where q.id = freed.job_queue_id and q.locked_by = any($2)`,
    [ids, workers],
  );

/**
 * Renews the locks of jobs that these workers work on. By itself the queue gives a job to another worker four hours after
 * it began, also while the first one still works on it; conversions may take longer, and clocks are set forward.
 */
export const keepJobs = (pool: pg.Pool, workers: readonly string[], ids: readonly string[]): Promise<unknown> =>
  pool.query(
    `with kept as (
       update graphile_worker._private_jobs set locked_at = now()
       where id = any($1::bigint[]) and locked_by = any($2) and locked_at < now() - interval '1 hour'
       returning job_queue_id)
     update graphile_worker._private_job_queues q set locked_at = now()
     from kept where q.id = kept.job_queue_id and q.locked_by = any($2)`,
    [ids, workers],
  );

/**
 * Unlocks the jobs of workers that nobody knows, with their queues: a process died between their start and their note. A
 * process that lives notes its workers every few seconds.
 */
export const freeOrphans = (pool: pg.Pool): Promise<unknown> =>
  pool.query(
    `select graphile_worker.force_unlock_workers(orphans.ids) from (
       select array_agg(distinct j.locked_by) as ids from graphile_worker._private_jobs j
       where j.locked_at < now() - interval '1 minute'
         and not exists (select from job_workers w where w.worker_id = j.locked_by)) orphans
     where orphans.ids is not null`,
  );
