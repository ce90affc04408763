import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { type DestinationStream, pino } from 'pino';
import { readConfig, unknownSettings } from './config.ts';
import { type Config, ConfigError } from './platform/process/config.ts';
import { explained, ListenError, probeAddress } from './platform/http/listen.ts';
import { PostgresError } from './platform/postgres/error.ts';
import { keepPostgres } from './platform/postgres/keep-running.ts';
import { DiskSpace } from './platform/process/disk-space.ts';
import { giveBackWhenIdle } from './platform/process/idle-memory.ts';
import { lowerThreadPool } from './platform/process/thread-pool.ts';
import { withoutSecrets } from './platform/auth/secrets.ts';
import { type RunningServer, startServer } from './lifecycle.ts';

/** The database driver attaches its whole connection to an error: only the useful properties are logged. */
const plainError = (error: Error & { code?: unknown }): object => ({
  type: error.name,
  code: error.code,
  message: error.message,
  stack: error.stack,
});

const STANDARD_ERROR = 2;
/** Loaded for a person at a terminal only. */
const pretty = process.stderr.isTTY ? await import('pino-pretty') : undefined;

/** Readable lines for a person at a terminal, JSON for programs that collect logs. */
const logStream = (): DestinationStream =>
  pretty
    ? pretty.PinoPretty({
        destination: STANDARD_ERROR,
        sync: true,
        ignore: 'pid,hostname',
        translateTime: 'SYS:HH:MM:ss',
      })
    : pino.destination(STANDARD_ERROR);

export const makeLog = ({ logLevel }: Config): FastifyBaseLogger =>
  pino({ level: logLevel, serializers: { err: plainError } }, logStream());

/** Started parts, stopped in reverse order if the start fails or is interrupted. */
export type Ends = (() => Promise<void>)[];

export async function endAll(ends: Ends): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end();
}

/** Database, server process and port, for a program of its own. `ends` grows with what runs. */
export async function serve(config: Config, log: FastifyBaseLogger, ends: Ends): Promise<RunningServer> {
  await lowerThreadPool();
  const diskSpace = new DiskSpace(config.data, config.ballastBytes, log);
  const postgres = config.databaseUrl === undefined ? await keepPostgres(config.data, diskSpace, log) : undefined;
  if (postgres) ends.push(() => postgres.stop());
  postgres?.lost.catch(giveUp);
  // Before the first account is created: its generated password must be printed.
  await probeAddress(config);
  const connection = postgres?.connection ?? { connectionString: config.databaseUrl };
  const server = await startServer(config, connection, log, {}, diskSpace);
  ends.push(() => withinTime(server, log));
  await explained(config, (address) => server.listen(address));
  giveBackWhenIdle();
  return server;
}

/** More than requests, uploads, jobs and device connections are granted. */
const STOP_LIMIT_MS = 13_000;

/** The shutdown must end in time: hanging work is left to the next start. */
async function withinTime(server: RunningServer, log: FastifyBaseLogger): Promise<void> {
  const enough = new AbortController();
  const limit = sleep(STOP_LIMIT_MS, undefined, { signal: enough.signal }).then(
    () => log.warn('requests or jobs did not end in time and are aborted'),
    () => undefined,
  );
  const stopped = server.stop().catch((error: unknown) => log.warn({ err: error }, 'the shutdown was not clean'));
  await Promise.race([stopped, limit]);
  enough.abort();
}

/** A signal during the start waits for it: a half-started PostgreSQL would stay behind. A second one ends at once. */
export function stopOnSignal(started: Promise<unknown>, ends: Ends): void {
  const stop = async (): Promise<void> => {
    await started.catch(() => undefined);
    await endAll(ends);
    process.exit(0);
  };
  let told = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (told) process.exit(1);
      told = true;
      stop().catch(giveUp);
    });
  }
}

/** Local address of a listening server: `http://localhost:3000`. */
export function localOrigin({ app }: RunningServer, config: Config): string {
  const listening = app.server.address();
  const port = typeof listening === 'object' && listening ? listening.port : config.port;
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  return `http://${host}:${port}`;
}

/** A failed start reports its reason in one line. */
export function giveUp(error: unknown): never {
  const known = error instanceof ConfigError || error instanceof PostgresError || error instanceof ListenError;
  if (known) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`The server could not start: ${withoutSecrets(describe(error), process.env)}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message : String(error);
}

function banner(server: RunningServer, config: Config): string {
  const { deps, madePassword } = server;
  const address = config.publicUrl ?? localOrigin(server, config);
  const lines = [
    '',
    '  Advertising Management System',
    '',
    `  Address:  ${address}/`,
    `  Player:   ${address}/player/`,
    `  Account:  ${config.admin.username}`,
    ...(madePassword ? [`  Password: ${madePassword}   (shown this once; change it after logging in)`] : []),
    ...(deps.conversion
      ? []
      : ['', '  No ffmpeg found: videos that browsers cannot play (HEVC, MKV …) fail, and videos have no poster.']),
    '',
    '',
  ];
  return lines.join('\n');
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = makeLog(config);
  for (const setting of unknownSettings(process.env)) log.warn({ setting }, 'unknown setting; it is ignored');
  const ends: Ends = [];
  const started = serve(config, log, ends);
  stopOnSignal(started, ends);
  try {
    process.stdout.write(banner(await started, config));
  } catch (error) {
    await endAll(ends);
    throw error;
  }
}

// A program that imports this file, such as the demo, starts the server by itself.
if (import.meta.main) main().catch(giveUp);
