import type { JobName } from '@ams/contract';
import { EventEmitter } from 'node:events';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Logger,
  makeWorkerUtils,
  run,
  type Runner,
  type TaskList,
  type Worker,
  type WorkerEvents,
} from 'graphile-worker';
import type { FastifyBaseLogger } from 'fastify';
import { CompiledQuery, sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../database/database.ts';
import { oneAtATime } from './crontab.ts';
import { findLocked, freeJobs, freeOrphans, keepJobs } from './locks.ts';
import { poolForRunners } from './runner-pool.ts';

/**
 * How many jobs of a lane a process works on at once. Jobs of one lane never wait for those of another. `quick` and
 * `pictures` have more than small servers have cores: their jobs wait for the disk and the database between their steps,
 * and for the child process that decodes. Two short conversions keep two cores busier than one with two threads.
 */
const LANES = {
  quick: 4,
  pictures: 4,
  videos: 2,
  short: Math.min(2, availableParallelism()),
  long: 2,
  checks: 1,
  letters: 2,
} as const;
export type Lane = keyof typeof LANES;
const MAX_ATTEMPTS = 5;
const START_AGAIN_MS = 1000;
/** New jobs are announced. Only those that wait for a moment, or for their next try, begin up to so much later. */
const POLL_MS = 5000;
/** How often a process looks at its clock and for lost jobs. */
const LOOK_MS = 15_000;
/** The clock of this process was set, not merely adjusted, when it moved by more than this against the time that passed. */
const CLOCK_STEP_MS = 60_000;

/**
 * A named piece of work that survives restarts; `payload` is what `addJob` was given.
 * `stopping` aborts when the server shuts down: a task that then throws is tried again later, unless it `isLastTry`.
 */
export type Task = (payload: unknown, stopping: AbortSignal, isLastTry: boolean) => Promise<void>;

/** A task of a lane of its own. */
export interface LaneTask {
  lane: Exclude<Lane, 'quick'>;
  run: Task;
}

/**
 * `ended`: settles when nothing of it works any more. `workers`: the names that its locks on jobs carry. `activeJobs`: the
 * ids of those that are worked on now.
 */
interface Queue {
  runner: Runner;
  ended: Promise<unknown>;
  workers: string[];
  activeJobs: () => string[];
}

/** Gives the jobs of ended processes to others. */
const RELEASE = `
  with ended as (delete from job_workers where process_id = any($1::uuid[]) returning worker_id)
  select graphile_worker.force_unlock_workers(array(select worker_id from ended))`;

const laneOf = (task: Task | LaneTask): Lane => (typeof task === 'function' ? 'quick' : task.lane);
const workOf = (task: Task | LaneTask): Task => (typeof task === 'function' ? task : task.run);

/** The job queue of one server process, in PostgreSQL: whoever is free takes the next. */
export class Jobs {
  readonly #pool: pg.Pool;
  /** The pool of the runners. */
  readonly #shared: pg.Pool;
  readonly #processId: string;
  readonly #log: FastifyBaseLogger;
  readonly #queues = new Set<Queue>();
  /** Jobs that were locked and not worked on at the last look, as ids with the number of their attempt. */
  #idle = new Set<string>();
  readonly #wall: () => number;
  /** The runner of the crontab. */
  #timed: Runner | undefined;
  #offset: number;
  readonly #stopping = new AbortController();

  /** `processId` names this server process: whoever finds it dead gives its jobs to others (`releaseJobs`). */
  constructor(pool: pg.Pool, processId: string, log: FastifyBaseLogger, wall: () => number = Date.now) {
    this.#pool = pool;
    this.#shared = poolForRunners(pool);
    this.#processId = processId;
    this.#log = log;
    this.#wall = wall;
    this.#offset = wall() - performance.now();
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
  async start(tasks: Record<string, Task | LaneTask>, cron: string): Promise<void> {
    await this.followClock();
    this.#keepLooking().catch(() => undefined);
    const lanes = Map.groupBy(Object.entries(tasks), ([, task]) => laneOf(task));
    for (const [lane, ofLane] of lanes) {
      const work = Object.fromEntries(ofLane.map(([name, task]) => [name, workOf(task)]));
      const timed = lane === 'quick';
      await this.#keepRunning(() => this.#run(work, LANES[lane], timed ? cron : ''), timed);
    }
  }

  /** Restarts a queue that ended because the database was unavailable when a job finished. */
  async #keepRunning(begin: () => Promise<Queue>, timed: boolean): Promise<void> {
    const first = await begin();
    const go = async (queue: Queue): Promise<void> => {
      this.#queues.add(queue);
      if (timed) this.#timed = queue.runner;
      await queue.ended.catch((error: unknown) => this.#log.warn({ err: error }, 'jobs interrupted'));
      this.#queues.delete(queue);
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
        // Its jobs are retried now; the queue would wait four hours for a dead worker.
        await this.#pool.query('select graphile_worker.force_unlock_workers($1)', [before]);
        await this.#pool.query('delete from job_workers where worker_id = any($1)', [before]);
        const queue = await begin();
        if (!signal.aborted) return queue;
        await queue.runner.stop();
      } catch (error) {
        if (!signal.aborted) this.#log.warn({ err: error }, 'jobs not restarted yet');
      }
    }
    return undefined;
  }

  async #run(tasks: Record<string, Task>, concurrency: number, crontab: string): Promise<Queue> {
    const taskList: TaskList = Object.fromEntries(
      Object.entries(tasks).map(([name, task]) => [
        name,
        (payload: unknown, { abortSignal, job }) => task(payload, abortSignal, job.attempts >= job.max_attempts),
      ]),
    );
    const workers: string[] = [];
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => void workers.push(workerPool.id));
    const hands: Worker[] = [];
    events.on('worker:create', ({ worker }) => void hands.push(worker));
    const activeJobs = (): string[] => hands.flatMap((worker) => worker.getActiveJob()?.id ?? []).map(String);
    events.on('job:failed', ({ job }) => void this.#keepFailed(job.id));
    const broken = Promise.withResolvers<void>();
    events.on('pool:fatalError', () => broken.resolve());
    const runner = await run({
      events,
      pgPool: this.#shared,
      taskList,
      crontab: oneAtATime(crontab, MAX_ATTEMPTS),
      concurrency,
      pollInterval: POLL_MS,
      noHandleSignals: true,
      logger: this.#logger,
      // Without a batch nobody catches what goes wrong when the end of a job is noted.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    try {
      await this.#note(workers);
    } catch (error) {
      // Nobody would free the jobs of workers that are not noted.
      await runner.stop();
      throw error;
    }
    // When the ends of several jobs could not be noted, the runner stops its workers and then waits for itself forever.
    const stopped = broken.promise.then(async () => {
      while (activeJobs().length > 0) await sleep(START_AGAIN_MS);
      await runner.stop().catch(() => undefined);
    });
    return { runner, ended: Promise.race([runner.promise, stopped]), workers, activeJobs };
  }

  /** The next run of a timed task would take the place of one that failed for good. */
  async #keepFailed(jobId: string): Promise<void> {
    await this.#pool
      .query(`update graphile_worker._private_jobs set key = null where id = $1 and payload::jsonb ? '_cron'`, [jobId])
      .catch((error: unknown) => this.#log.warn({ err: error }, 'a failed job may be replaced'));
  }

  /** Names the process of these workers, whose jobs are released when it dies. */
  #note(workers: string[]): Promise<unknown> {
    return this.#pool.query(
      `insert into job_workers (worker_id, process_id) select id, $2 from unnest($1::text[]) as id
       on conflict do nothing`,
      [workers, this.#processId],
    );
  }

  /** Until the process stops. */
  async #keepLooking(): Promise<never> {
    const { signal } = this.#stopping;
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal });
      await this.followClock().catch((error: unknown) =>
        this.#log.warn({ err: error }, 'jobs could not be moved to the new clock'),
      );
      await this.freeLostJobs().catch((error: unknown) => this.#log.warn({ err: error }, 'no look for lost jobs'));
    }
  }

  /**
   * A worker whose connection breaks before it learns which job it has locked never works on that job; by itself the
   * queue waits four hours. A locked job that nobody works on may only be about to begin or to be removed: it is lost
   * if it was in the same state at the last look. The locks of jobs that are worked on are renewed.
   */
  async freeLostJobs(): Promise<void> {
    const queues = [...this.#queues];
    const workers = queues.flatMap((queue) => queue.workers);
    // A process that was declared dead, and is not, has lost its notes.
    await this.#note(workers);
    await freeOrphans(this.#pool);
    const locked = await findLocked(this.#pool, workers);
    const active = new Set(queues.flatMap((queue) => queue.activeJobs()));
    if (active.size > 0) await keepJobs(this.#pool, workers, [...active]);
    const idle = locked.filter(({ id }) => !active.has(id));
    const lost = idle.filter(({ claim }) => this.#idle.has(claim)).map(({ id }) => id);
    this.#idle = new Set(idle.map(({ claim }) => claim));
    if (lost.length === 0) return;
    await freeJobs(this.#pool, workers, lost);
    this.#log.warn({ jobs: lost }, 'lost jobs are run again');
  }

  /**
   * After the clock went back, the crontab would wait until it has caught up, and so would jobs that wait for a moment.
   * No other job waits for more than minutes (the back-off of its last attempt), and nothing was executed in the future.
   */
  async followClock(): Promise<void> {
    await this.#pool.query(`
      update graphile_worker._private_known_crontabs set last_execution = now()
      where last_execution > now() + interval '2 minutes'`);
    await this.#pool.query(`
      select graphile_worker.reschedule_jobs(array(
        select id from graphile_worker.jobs
        where locked_at is null and run_at > now() + interval '10 minutes' and not coalesce(flags ? '${EXACT}', false)
      ), run_at => now())`);
    const offset = this.#wall() - performance.now();
    const step = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(step) < CLOCK_STEP_MS) return;
    this.#log.warn({ ms: Math.round(step) }, 'the clock was changed; the crontab is restarted');
    // Its end begins the next one, which reckons from the time that it is now. A runner that is ending refuses to stop.
    await this.#timed?.stop().catch(() => undefined);
  }

  /** Lets running jobs end, then stops. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([...this.#queues].map(({ runner, ended }) => runner.stop().catch(() => ended)));
    await this.#pool.query(RELEASE, [[this.#processId]]);
  }
}

/** Gives the jobs of server processes that died to whoever is free; by itself the queue waits four hours. */
export const releaseJobs = (db: Db, processIds: string[]): Promise<unknown> =>
  db.executeQuery(CompiledQuery.raw(RELEASE, [processIds]));

/** `key`: jobs with one key are one job. Of a lane's jobs the lowest `priority` is first. One `queue` is one at a time. */
interface JobOptions {
  key?: string;
  priority?: number;
  queue?: string;
  /** Not before this; left out: now. At once if the clock is set back meanwhile. */
  runAt?: Date;
  /** Not before this, whatever the clock did: an instant that other records name too. */
  at?: Date;
}

/** Of jobs that wait for an instant. */
const EXACT = 'exact';

/** Adds a job; inside a transaction it exists only when that commits. */
export const addJob = (db: Db, name: JobName, payload: object, options?: JobOptions): Promise<void> =>
  addTask(db, name, payload, options);

/** Adds a job under a name that nobody else knows, such as a test's. */
export async function addTask(
  db: Db,
  name: string,
  payload: object,
  { key, priority, queue, runAt, at }: JobOptions = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json,
    job_key => ${key ?? null}::text, queue_name => ${queue ?? null}::text, priority => ${priority ?? null}::integer,
    run_at => ${at ?? runAt ?? null}::timestamptz, flags => ${at ? [EXACT] : null}::text[],
    max_attempts => ${MAX_ATTEMPTS})`.execute(db);
}

/** Whether a job of this name could begin if somebody were free. */
export async function isWaiting(db: Db, name: JobName): Promise<boolean> {
  const { rows } = await sql<{ waiting: boolean }>`
    select exists (
      select from graphile_worker.jobs j
      where j.task_identifier = ${name} and j.locked_at is null and j.attempts < j.max_attempts and j.run_at <= now()
        and not exists (
          select from graphile_worker.jobs other
          where other.queue_name = j.queue_name and other.locked_at is not null)
    ) as waiting`.execute(db);
  return rows[0]?.waiting === true;
}
