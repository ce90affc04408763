import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import { type Config, ConfigError } from './config.ts';
import type { Address } from './platform/http/listeners.ts';
import { type EmbeddedPostgres, type PostgresConnection, startPostgres } from './platform/postgres/postgres.ts';
import { PostgresError } from './platform/postgres/error.ts';
import { Room } from './platform/process/disk-space.ts';
import { withoutSecrets } from './platform/auth/secrets.ts';
import { type RunningServer, startServer } from './server.ts';

/** A port that cannot be listened on, in a person's words. */
class ListenError extends Error {}

/** The database driver hangs its whole connection on an error: only what tells a person something is logged. */
const plainError = (error: Error & { code?: unknown }): object => ({
  type: error.name,
  code: error.code,
  message: error.message,
  stack: error.stack,
});

export const makeLog = ({ logLevel }: Config): FastifyBaseLogger =>
  pino({ level: logLevel, serializers: { err: plainError } }, pino.destination(2));

/** Started parts, stopped in reverse order if the start fails or is interrupted. */
export type Ends = (() => Promise<void>)[];

export async function endAll(ends: Ends): Promise<void> {
  for (const end of ends.splice(0).toReversed()) await end();
}

/** Database, server process and port, for a program of its own. `ends` grows with what runs. */
export async function serve(config: Config, log: FastifyBaseLogger, ends: Ends): Promise<RunningServer> {
  const room = new Room(config.data, config.ballastBytes, log);
  const postgres = config.databaseUrl === undefined ? await keepPostgres(config.data, room, log, ends) : undefined;
  // Before the first account is made: a password that is made up then must not go unsaid.
  await listen(config, probe);
  const connection = postgres ?? { connectionString: config.databaseUrl };
  const server = await startServer(config, connection, log, {}, room);
  ends.push(() => withinTime(server, log));
  await listen(config, (address) => server.listen(address));
  return server;
}

/** Starts PostgreSQL; on a full disk with the room of the ballast. */
async function startWithin(data: string, room: Room, log: FastifyBaseLogger): Promise<EmbeddedPostgres> {
  try {
    return await startPostgres(data, log);
  } catch (error) {
    if (!(await room.release())) throw error;
    log.warn({ err: error }, 'PostgreSQL did not start because the disk is full; starting it again');
    return startPostgres(data, log);
  }
}

/** Runs PostgreSQL; once more, at the same address, when it has ended because the disk was full. */
async function keepPostgres(data: string, room: Room, log: FastifyBaseLogger, ends: Ends): Promise<PostgresConnection> {
  let running = await startWithin(data, room, log);
  ends.push(() => running.stop());
  const watch = async (): Promise<void> => {
    const message = await running.lost;
    const ended = new PostgresError(`PostgreSQL ended: ${message}`);
    await room.look();
    if (!room.isFull) throw ended;
    log.warn({ message }, 'PostgreSQL stopped because the disk is full; starting it again');
    await running.stop();
    running = await startWithin(data, room, log);
    return watch();
  };
  watch().catch(giveUp);
  return running.connection;
}

/** Beyond what is granted to requests, uploads, jobs and channels. */
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

async function probe(address: Address): Promise<void> {
  const server = createServer().listen(address);
  await once(server, 'listening');
  await new Promise((resolve) => server.close(resolve));
}

async function listen({ port, host }: Config, open: (address: Address) => Promise<unknown>): Promise<void> {
  try {
    await open({ port, host });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE') {
      throw new ListenError(`Port ${port} on ${host} is taken; set PORT to another one`);
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES') {
      throw new ListenError(`Cannot listen there: ${code}; set HOST and PORT to what this computer has`);
    }
    throw error;
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
