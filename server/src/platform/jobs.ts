import { EventEmitter } from 'node:events';
import { run, type Runner, type TaskList, type WorkerEvents, makeWorkerUtils, Logger } from 'graphile-worker';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from './database.ts';

const CONCURRENT_JOBS = 2;
const MAX_ATTEMPTS = 5;

/**
 * A named piece of work that survives restarts; `payload` is what `addJob` was given.
 * `stopping` aborts when the server shuts down: a task that then throws is tried again later.
 */
export type Task = (payload: unknown, stopping: AbortSignal) => Promise<void>;

/** Work that may take minutes: it has a place of its own beside the other jobs, which then never wait for it. */
export interface SlowTask {
  slow: Task;
}

const isSlow = (task: Task | SlowTask): task is SlowTask => typeof task !== 'function';

/** The job queue of one server process, in PostgreSQL: whoever is free takes the next. */
export class Jobs {
  readonly #pool: pg.Pool;
  readonly #processId: string;
  readonly #log: FastifyBaseLogger;
  #runners: Runner[] = [];

  /** `processId` names this server process: whoever finds it dead gives its jobs to others (`releaseJobs`). */
  constructor(pool: pg.Pool, processId: string, log: FastifyBaseLogger) {
    this.#pool = pool;
    this.#processId = processId;
    this.#log = log;
  }

  get #logger(): Logger {
    return new Logger(() => (level, message) => {
      if (level === 'error') this.#log.error(message);
      else if (level === 'warning') this.#log.warn(message);
      else this.#log.debug(message);
    });
  }

  /** Brings the queue's own tables up to date. */
  async migrate(): Promise<void> {
    const utils = await makeWorkerUtils({ pgPool: this.#pool, logger: this.#logger });
    try {
      await utils.migrate();
    } finally {
      await utils.release();
    }
  }

  /** Starts working. `cron` lines are graphile-worker crontab lines. */
  async start(tasks: Record<string, Task | SlowTask>, cron: string): Promise<void> {
    const quick: Record<string, Task> = {};
    const slow: Record<string, Task> = {};
    for (const [name, task] of Object.entries(tasks)) {
      if (isSlow(task)) slow[name] = task.slow;
      else quick[name] = task;
    }
    await this.#run(quick, CONCURRENT_JOBS, cron);
    await this.#run(slow, 1, '');
  }

  async #run(tasks: Record<string, Task>, concurrency: number, crontab: string): Promise<void> {
    const taskList: TaskList = Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        (payload: unknown, { abortSignal }) => task(payload, abortSignal),
      ]),
    );
    // The names that its locks on jobs carry.
    const workers: string[] = [];
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => void workers.push(workerPool.id));
    this.#runners.push(
      await run({
        events,
        pgPool: this.#pool,
        taskList,
        crontab,
        concurrency,
        noHandleSignals: true,
        logger: this.#logger,
      }),
    );
    await this.#pool.query(
      'insert into job_workers (worker_id, process_id) select id, $2 from unnest($1::text[]) as id',
      [workers, this.#processId],
    );
  }

  /** Lets running jobs end, then stops. */
  async stop(): Promise<void> {
    await Promise.all(this.#runners.map((runner) => runner.stop()));
    await this.#pool.query('delete from job_workers where process_id = $1', [this.#processId]);
  }
}

export interface JobCounts {
  waiting: number;
  running: number;
  /** Tried too often; kept until somebody looks. */
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

/** Gives the jobs of server processes that died to whoever is free; by itself the queue waits four hours. */
export const releaseJobs = (db: Db, processIds: string[]): Promise<unknown> =>
  sql`
    with dead as (delete from job_workers where process_id = any(${processIds}::uuid[]) returning worker_id)
    select graphile_worker.force_unlock_workers(array(select worker_id from dead))`.execute(db);

/** Adds a job; inside a transaction it exists only when that commits. Jobs with one `key` are one job. */
export async function addJob(db: Db, name: string, payload: object, key?: string): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    job_key => ${key ?? null}::text, max_attempts => ${MAX_ATTEMPTS})`.execute(db);
}
