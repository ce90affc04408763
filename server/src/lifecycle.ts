import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { buildApp } from './app.ts';
import { type Config, ConfigError } from './platform/process/config.ts';
import {
  CRON,
  ensureRoot,
  identitiesOf,
  makePlayPartitions,
  mountFeatures,
  openPresence,
  openStorage,
  type Pace,
  tasksOf,
  uploadPaths,
} from './features.ts';
import { newToken } from './platform/auth/auth.ts';
import { type Db, makeDb, makePool, setPatience } from './platform/database/database.ts';
import { migrate } from './platform/database/migrations.ts';
import type { Deps } from './platform/process/deps.ts';
import { type Address, Listeners } from './platform/http/listeners.ts';
import { Events } from './platform/events/events.ts';
import { countJobs } from './platform/jobs/counts.ts';
import { Jobs } from './platform/jobs/jobs.ts';
import { Connections } from './platform/database/connections.ts';
import { Metrics } from './platform/process/metrics.ts';
import { endAttempts } from './platform/sandbox/attempts.ts';
import { openSandbox } from './platform/sandbox/open.ts';
import { canRun } from './platform/sandbox/program.ts';
import { DiskSpace } from './platform/process/disk-space.ts';
import { secretKey, Signer } from './platform/auth/signing.ts';

const PASSWORD_LENGTH = 16;
/** Requests that take longer than this during a stop are aborted: long downloads, which resume elsewhere. */
const CUT_AFTER_MS = 10_000;
/** After the proxy has received its last answers (app.ts). */
const LOOK_FOR_IDLE_MS = 2000;

export interface RunningServer {
  app: FastifyInstance;
  deps: Deps;
  /** Accepts connections and returns the address, such as `http://127.0.0.1:3000`. */
  listen(address: Address): Promise<string>;
  /** The first account's password, if it was generated at this start. */
  madePassword: string | undefined;
  /** Accepts no new connections, finishes requests and jobs, hands devices over, closes the database. */
  stop(): Promise<void>;
}

/** Starts everything of a server process except listening: schema, first account, jobs, presence, routes. */
export async function startServer(
  config: Config,
  database: pg.PoolConfig,
  log: FastifyBaseLogger,
  pace: Partial<Pace> = {},
  diskSpace = new DiskSpace(config.data, config.ballastBytes, log),
): Promise<RunningServer> {
  const connections = new Connections();
  const connection = connections.over(database);
  // Stops the started parts in reverse order, both when a later step fails and when the server stops.
  await using begun = new AsyncDisposableStack();
  const notInOrder = notedIn(log);
  const stopping = new AbortController();
  const pool = makePool(connection, log);
  setPatience(pool, 'start');
  const deps = await openDeps({ config, log, diskSpace, stopping: stopping.signal }, connection, pool, begun);
  const { db, events, jobs, metrics } = deps;
  countConnections(metrics, pool);
  const pulsePool = makePool({ ...connection, max: 1 }, log);
  setPatience(pulsePool, 'start');
  const pulse = makeDb(pulsePool);
  begun.defer(() => pulse.destroy());
  const presence = openPresence(deps, pulse, () => connections.cut(), pace);
  begun.defer(() => presence.stop().catch(notInOrder));
  const app = await buildApp(deps, log, {
    mount: (open) => mountFeatures(open, deps, presence),
    otherPaths: uploadPaths,
  });
  const listeners = new Listeners(app, config.listeningSockets);
  begun.defer(async () => {
    await Promise.all([jobs.stop().catch(notInOrder), closeGently(app, listeners)]);
  });
  await events.start();
  await presence.start();
  tellNumbers(metrics, db, listeners);
  await jobs.start(tasksOf(deps), CRON);
  // Last, right before a generated password is printed: a start that is killed must not lose it.
  const password = await ensureRoot(db, config.admin, makePassword);

  [pool, pulsePool].forEach((each) => setPatience(each, 'request'));
  begun.defer(() => diskSpace.stop());
  void diskSpace.start();

  const running = begun.move();
  return {
    app,
    deps,
    listen: (address) => listeners.open(address),
    madePassword: config.admin.password === undefined ? password : undefined,
    stop: () => {
      stopping.abort();
      return running.disposeAsync();
    },
  };
}

/** The database may not answer during a shutdown: a living process takes over what this one held. */
const notedIn =
  (log: FastifyBaseLogger) =>
  (error: unknown): void =>
    log.warn({ err: error }, 'could not announce the shutdown');

/** Opens what all features use: the database with its schema, jobs, events, storage. `begun` closes it. */
async function openDeps(
  given: Pick<Deps, 'config' | 'log' | 'diskSpace' | 'stopping'>,
  connection: pg.PoolConfig,
  pool: pg.Pool,
  begun: AsyncDisposableStack,
): Promise<Deps> {
  const { config, log, stopping } = given;
  const db = makeDb(pool, () => !stopping.aborted);
  begun.defer(() => db.destroy());
  await migrate(db);
  const processId = uuidv7();
  const jobs = new Jobs(pool, processId, log);
  await jobs.migrate();
  await makePlayPartitions(db);

  const events = new Events(connection, log);
  begun.defer(() => events.stop());
  begun.defer(() => endAttempts(db, processId).then(() => undefined, notedIn(log)));
  const sandbox = openSandbox(config);
  begun.defer(() => sandbox.close());
  const signer = new Signer(await secretKey(db, 'media'));
  const deps: Deps = {
    ...given,
    db,
    events,
    jobs,
    ...(await openStorage(config)),
    signer,
    identities: identitiesOf({ db, events, signer }, config.callsPerMinute),
    conversion: await canRun(config.ffmpeg, ['-version']),
    sandbox,
    metrics: new Metrics(),
    processId,
  };
  await requireStorage(deps);
  return deps;
}

/**
 * New connections are refused, so that a proxy asks another process. Open ones are not closed before their
 * next answer or the time limit: a proxy may be sending a request on one of them.
 */
async function closeGently(app: FastifyInstance, listeners: Listeners): Promise<void> {
  const { closed } = await listeners.refuse();
  // Those whose answer had begun before.
  const idle = setInterval(() => app.server.closeIdleConnections(), LOOK_FOR_IDLE_MS);
  const cut = setTimeout(() => app.server.closeAllConnections(), CUT_AFTER_MS);
  await Promise.all([app.close(), closed]);
  clearTimeout(cut);
  clearInterval(idle);
}

/** Wrong settings stop the start. An unreachable storage does not: the rest works meanwhile. */
async function requireStorage({ blobs, config, log }: Deps): Promise<void> {
  try {
    await blobs.check();
  } catch (error) {
    if (!config.s3 || error instanceof ConfigError) throw error;
    log.warn({ err: error }, 'S3 does not answer');
  }
}

/** Comes before all other gauges, whose own queries would count as waiting. */
function countConnections(metrics: Metrics, pool: pg.Pool): void {
  metrics.gauge(
    'ams_database_connections',
    'Database connections of this process, and requests that wait for one',
    () => [
      { labels: { state: 'busy' }, value: pool.totalCount - pool.idleCount },
      { labels: { state: 'idle' }, value: pool.idleCount },
      { labels: { state: 'waiting' }, value: pool.waitingCount },
    ],
    ['state'],
  );
}

function tellNumbers(metrics: Metrics, db: Db, listeners: Listeners): void {
  metrics.gauge('ams_connections', 'Open connections of this process, including devices and open pages', async () => [
    { value: await listeners.connections() },
  ]);
  metrics.gauge(
    'ams_jobs',
    'Jobs of all processes: waiting, running, or failed after all attempts',
    async () => {
      const counts = await countJobs(db);
      return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));
    },
    ['state'],
  );
}

const makePassword = (): string => newToken().replace(/[-_]/g, '').slice(0, PASSWORD_LENGTH);
