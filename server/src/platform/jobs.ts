import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, type Runner, type TaskList, type WorkerEvents, makeWorkerUtils, Logger } from 'graphile-worker';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from './database.ts';

/** More than small machines have cores: each waits for the disk and the database between its steps. */
const CONCURRENT_JOBS = 4;
const MAX_ATTEMPTS = 5;
const START_AGAIN_MS = 1000;

/**
 * A named piece of work that survives restarts; `payload` is what `addJob` was given.
 * `stopping` aborts when the server shuts down: a task that then throws is tried again later.
 */
export type Task = (payload: unknown, stopping: AbortSignal) => Promise<void>;

/** Work that may take minutes: it has a place of its own beside the other jobs, which then never wait for it. */
export interface SlowTask {
  slow: Task;
}

/** `workers`: the names that its locks on jobs carry. */
interface Queue {
  runner: Runner;
  workers: string[];
}

const isSlow = (task: Task | SlowTask): task is SlowTask => typeof task !== 'function';

/** The job queue of one server process, in PostgreSQL: whoever is free takes the next. */
export class Jobs {
  readonly #pool: pg.Pool;
  readonly #processId: string;
  readonly #log: FastifyBaseLogger;
  readonly #runners = new Set<Runner>();
  readonly #stopping = new AbortController();

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

  /** Brings the queue's own tables up to date; servers that start at once do it one after the other. */
  async migrate(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query("select pg_advisory_lock(hashtext('ams jobs'))");
      const utils = await makeWorkerUtils({ pgPool: this.#pool, logger: this.#logger });
      try {
        await utils.migrate();
      } finally {
        await utils.release();
      }
    } finally {
      // With its connection goes the lock, whatever happened.
      client.release(true);
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
    await this.#keepRunning(() => this.#run(quick, CONCURRENT_JOBS, cron));
    await this.#keepRunning(() => this.#run(slow, 1, ''));
  }

  /** A queue that ends by itself, because the database was away when a job was done, is begun anew. */
  async #keepRunning(begin: () => Promise<Queue>): Promise<void> {
    const first = await begin();
    const go = async (queue: Queue): Promise<void> => {
      this.#runners.add(queue.runner);
      await queue.runner.promise.catch((error: unknown) => this.#log.warn({ err: error }, 'jobs interrupted'));
      this.#runners.delete(queue.runner);
      const next = await this.#beginAgain(queue.workers, begin);
      if (next) await go(next);
    };
    go(first).catch((error: unknown) => this.#log.error({ err: error }, 'jobs ended'));
  }

  async #beginAgain(before: string[], begin: () => Promise<Queue>): Promise<Queue | undefined> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await sleep(START_AGAIN_MS, undefined, { signal });
        // What it worked on is tried again; by itself the queue waits four hours for a worker that is gone.
        await this.#pool.query('select graphile_worker.force_unlock_workers($1)', [before]);
        await this.#pool.query('delete from job_workers where worker_id = any($1)', [before]);
        const queue = await begin();
        if (!signal.aborted) return queue;
        await queue.runner.stop();
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, 'jobs not begun again yet');
      }
    }
    return undefined;
  }

  async #run(tasks: Record<string, Task>, concurrency: number, crontab: string): Promise<Queue> {
    const taskList: TaskList = Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        (payload: unknown, { abortSignal }) => task(payload, abortSignal),
      ]),
    );
    const workers: string[] = [];
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => void workers.push(workerPool.id));
    const runner = await run({
      events,
      pgPool: this.#pool,
      taskList,
      crontab,
      concurrency,
      noHandleSignals: true,
      logger: this.#logger,
      // Without a batch nobody catches what goes wrong when the end of a job is noted.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    await this.#pool.query(
      'insert into job_workers (worker_id, process_id) select id, $2 from unnest($1::text[]) as id',
      [workers, this.#processId],
    );
    return { runner, workers };
  }

  /** Lets running jobs end, then stops. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all([...this.#runners].map((runner) => runner.stop()));
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
