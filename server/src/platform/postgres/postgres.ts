import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { type Account, as, chooseAccount } from './account.ts';
import { type Binaries, findBinaries } from './binaries.ts';
import { addressOf, CLEAN_ENVIRONMENT, prepareCluster, SUPERUSER } from './cluster.ts';
import { PostgresError } from './error.ts';
import { stopLeftovers } from './leftovers.ts';
import { type Lock, lockFile } from './lock.ts';
import { openLog } from './log-file.ts';
import { SOCKET_PORT, socketFolder, socketHost } from './socket.ts';
import { until } from './until.ts';

const DATABASE = 'ams';
/** After a crash the write-ahead log is replayed first, which may take minutes. */
const START_LIMIT_MS = 600_000;
const PATIENCE_MS = 5000;
const STOP_LIMIT_MS = 60_000;

export interface PostgresConnection {
  /** Folder of the Unix socket. */
  host: string;
  port: number;
  user: string;
  database: string;
}

export interface EmbeddedPostgres {
  connection: PostgresConnection;
  /** Settles when PostgreSQL has ended without `stop`, with its last message. Never rejects. */
  lost: Promise<string>;
  /** Fast shutdown; settles when the last process is gone and the folder is free. */
  stop(): Promise<void>;
}

/** Logger used during the start; pino fits. */
export interface PostgresLog {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Runs the PostgreSQL that npm ships on `dataDir/postgres`, made at the first start.
 *
 * One server a folder: the lock lives as long as this process. PostgreSQL itself is put into a
 * session of its own, so that Ctrl-C in a terminal leaves it to `stop`; when this process is
 * killed it stays, and the next start ends it first, losing nothing that was committed.
 *
 * Throws `PostgresError`, whose message is one line for the operator.
 */
export async function startPostgres(dataDir: string, log: PostgresLog): Promise<EmbeddedPostgres> {
  const folder = await openFolder(dataDir);
  const lock = lockFolder(folder);
  try {
    const account = await chooseAccount(path.join(folder, 'postgres'));
    const binaries = await findBinaries(account, folder);
    const cluster = await prepareCluster(folder, binaries, account);
    if (await stopLeftovers(cluster)) log.warn('stopped the PostgreSQL of a killed server');
    return await launch({ folder, cluster, binaries, account, lock, log });
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * Runs `work` on the database of `dataDir`, whether a server has it open or not.
 * @throws {PostgresError} as `startPostgres` does
 */
export async function withPostgres<T>(
  dataDir: string,
  log: PostgresLog,
  work: (connection: PostgresConnection) => Promise<T>,
): Promise<T> {
  const folder = await openFolder(dataDir);
  const lock = tryLock(folder);
  if (!lock.held) return work(connectionAt(socketHost(path.join(folder, 'postgres'))));
  lock.release();
  const postgres = await startPostgres(dataDir, log);
  try {
    return await work(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

const connectionAt = (host: string): PostgresConnection => ({
  host,
  port: SOCKET_PORT,
  user: SUPERUSER,
  database: DATABASE,
});

async function openFolder(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true });
    return await realpath(dataDir);
  } catch (error) {
    throw new PostgresError(`The data folder (AMS_DATA) cannot be used: ${codeOf(error)}`);
  }
}

/** Throws `PostgresError` while a server has the database of `dataDir` open. */
export async function requireUnused(dataDir: string): Promise<void> {
  lockFolder(await openFolder(dataDir)).release();
}

function lockFolder(folder: string): Lock & { held: true } {
  const lock = tryLock(folder);
  if (lock.held) return lock;
  const holder = lock.holder === '' ? '' : ` (process ${lock.holder})`;
  throw new PostgresError(`Another server already uses the data folder ${folder}${holder}`);
}

function tryLock(folder: string): Lock {
  try {
    return lockFile(path.join(folder, 'postgres.lock'));
  } catch (error) {
    if (error instanceof PostgresError) throw error;
    throw new PostgresError(`The data folder (AMS_DATA) cannot be used: ${codeOf(error)}`);
  }
}

/** The system's error message, without the path. */
const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

interface Prepared {
  folder: string;
  cluster: string;
  binaries: Binaries;
  account: Account;
  lock: Lock & { held: true };
  log: PostgresLog;
}

async function launch({ folder, cluster, binaries, account, lock, log }: Prepared): Promise<EmbeddedPostgres> {
  const socket = await socketFolder(cluster, account);
  const output = openLog(path.join(folder, 'postgres.log'));
  const settings = {
    listen_addresses: '',
    port: SOCKET_PORT,
    unix_socket_directories: socket.setting,
    unix_socket_permissions: '0700',
  };
  const child = spawn(
    binaries.postgres,
    ['-D', await addressOf(cluster, account), ...Object.entries(settings).flatMap(([k, v]) => ['-c', `${k}=${v}`])],
    { ...as(account), cwd: cluster, env: CLEAN_ENVIRONMENT, detached: true, stdio: ['ignore', output.fd, output.fd] },
  );
  child.unref();
  const ended = exitOf(child);
  const stop = async (): Promise<void> => {
    await shutDown(child, ended);
    output.close();
    await socket.remove();
    lock.release();
  };

  const connection = connectionAt(socket.host);
  try {
    await ready(child, cluster, log);
    await makeDatabase(connection);
  } catch (error) {
    const reason = isRunning(child) ? reasonOf(error) : output.complaint();
    await stop();
    throw new PostgresError(`PostgreSQL does not start on ${cluster}: ${reason}`);
  }
  return { connection, ...supervise(ended, output.lastWords, stop) };
}

/** Tells an end that was asked for from one that was not. */
function supervise(
  ended: Promise<unknown>,
  lastWords: () => string,
  stop: () => Promise<void>,
): Pick<EmbeddedPostgres, 'lost' | 'stop'> {
  let stopping: Promise<void> | undefined;
  const { promise: lost, resolve } = Promise.withResolvers<string>();
  const watch = async (): Promise<void> => {
    await ended;
    if (!stopping) resolve(lastWords());
  };
  void watch();
  return { lost, stop: () => (stopping ??= stop()) };
}

const isRunning = (child: ChildProcess): boolean =>
  child.pid !== undefined && child.exitCode === null && child.signalCode === null;

async function exitOf(child: ChildProcess): Promise<void> {
  // A program that cannot be run at all has an error instead of an end.
  await once(child, 'exit').catch(() => undefined);
}

async function ready(child: ChildProcess, cluster: string, log: PostgresLog): Promise<void> {
  const patience = setTimeout(() => log.info('PostgreSQL is still starting; it replays its log'), PATIENCE_MS);
  try {
    const answers = await until(async () => !isRunning(child) || (await saysReady(child, cluster)), START_LIMIT_MS);
    if (!answers || !isRunning(child)) throw new Error('it does not become ready');
  } finally {
    clearTimeout(patience);
  }
}

/** The last line of postmaster.pid is the server's state, the first its process; pg_ctl waits by them, too. */
async function saysReady(child: ChildProcess, cluster: string): Promise<boolean> {
  const lines = (await readFile(path.join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).trim().split('\n');
  return Number(lines.at(0)) === child.pid && lines.at(-1)?.trim() === 'ready';
}

async function makeDatabase(connection: PostgresConnection): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  // The query that a broken connection interrupts rejects too.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [connection.database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(connection.database)}`);
  } finally {
    await client.end();
  }
}

async function shutDown(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (!isRunning(child)) return;
  child.ref();
  child.kill('SIGINT');
  const timer = setTimeout(() => child.kill('SIGQUIT'), STOP_LIMIT_MS);
  await ended;
  clearTimeout(timer);
}
