import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { percentile } from '../e2e/percentile.ts';
import { countOnline } from '../server/src/devices/presence.service.ts';
import type { EmbeddedPostgres } from '../server/src/platform/postgres/postgres.ts';
import { load, verdict } from './figures.ts';
import { openDatabase, startFleets } from './fleets.ts';
import { whileLooking } from './lists.ts';
import {
  COLLECTING,
  cpuSeconds,
  familySeconds,
  login,
  memoryBytes,
  type Program,
  startAms,
  startProgram,
} from './processes.ts';
import { fillDevices } from './rows.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 100_000);
/** Devices at a process, and in a process of the bench: either has at most 20,000 file descriptors. */
const DEVICES_MAX = 17_000;
/** One more than are needed: while it restarts, the others have its devices. */
const PROCESSES = 1 + Math.ceil(DEVICES / DEVICES_MAX);
/** Connections that a process of the bench opens at a time. */
const AT_ONCE = 300;
/** PostgreSQL tidies up after a hundred thousand leases, and V8 after as many requests. */
const SETTLE_SECONDS = 90;
const IDLE_SECONDS = 60;
const FIRST_PORT = 46_100;
/** Of a process. */
const CONNECTIONS = 25;

const GOALS = { kB: 8, core: 0.15, backMs: 30_000, rollingMs: 10_000, operatorMs: 500 };

/** Devices that stay connected: one that loses its connection connects again. */
class Crowd {
  readonly #counts = new Map<number, number>();
  readonly #programs: Program[] = [];

  async start(origins: string[], first: number, count: number): Promise<void> {
    const program = await startProgram('bench/floor/crowd.ts', {
      ORIGINS: origins.join(' '),
      FIRST: String(first),
      COUNT: String(count),
      AT_ONCE: String(AT_ONCE),
    });
    this.#programs.push(program);
    program.child.on('message', ({ connected }: { connected: number }) => this.#counts.set(program.pid, connected));
  }

  /** What a balancer's health check finds. */
  tell(index: number, isUp: boolean): void {
    for (const { child } of this.#programs) child.send({ index, isUp });
  }

  get connected(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async until(reached: (connected: number) => boolean): Promise<void> {
    while (!reached(this.connected)) await sleep(20);
  }

  stop = () => Promise.all(this.#programs.map((program) => program.stop('SIGKILL')));
}

/** PostgreSQL with a connection for everybody: `docs/production.md` counts 25 for each process. */
async function startDatabase(folder: string, ends: AsyncDisposableStack): Promise<EmbeddedPostgres> {
  {
    await using first = new AsyncDisposableStack();
    const { db } = await openDatabase(await startFleets(folder, first), 'crowd', first);
    await sql`alter system set max_connections = ${sql.lit((PROCESSES + 1) * CONNECTIONS)}`.execute(db);
  }
  return startFleets(folder, ends);
}

/** Seconds of processor that PostgreSQL used so far, with those of its processes that have ended. */
function databaseSeconds(folder: string): number {
  const [postmaster = ''] = readFileSync(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
  return familySeconds(Number(postmaster));
}

/** All processes of an installation on one database. */
async function startServers(url: string, folder: string, onUp?: (index: number) => void): Promise<Program[]> {
  const startOne = async (index: number): Promise<Program> => {
    const server = await startServer(url, folder, index);
    onUp?.(index);
    return server;
  };
  return Promise.all(Array.from({ length: PROCESSES }, (_, index) => startOne(index)));
}

const startServer = (url: string, folder: string, index: number): Promise<Program> =>
  startAms(
    folder,
    { DATABASE_URL: url, PORT: String(FIRST_PORT + index), AMS_DATA: path.join(folder, `server${index}`) },
    COLLECTING,
  );

/** A hundred thousand connected devices: what they cost, and how long they take to be back after restarts. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const { url, db } = await openDatabase(await startDatabase(folder, ends), 'crowd', ends);
  // One process makes the tables; the others find them.
  const first = await startServer(url, folder, 0);
  await fillDevices(db, { users: 1000, devices: DEVICES });
  await db.updateTable('devices').set({ lease: null }).execute();
  // That wrote each row anew; autovacuum follows within minutes.
  await sql`vacuum analyze devices`.execute(db);
  await first.stop();

  let servers = await startServers(url, folder);
  ends.defer(async () => void (await Promise.all(servers.map((server) => server.stop()))));
  const before = await Promise.all(servers.map(memoryBytes));
  const crowd = new Crowd();
  ends.defer(async () => void (await crowd.stop()));
  const began = performance.now();
  const origins = servers.map(({ origin }) => origin);
  for (let from = 0; from < DEVICES; from += DEVICES_MAX) {
    await crowd.start(origins, 1 + from, Math.min(DEVICES_MAX, DEVICES - from));
  }
  const all = (connected: number) => connected === DEVICES;
  await crowd.until(all);
  console.log(`${DEVICES} devices at ${PROCESSES} processes, after ${seconds(performance.now() - began)} (${load()})`);

  const after = await Promise.all(servers.map(memoryBytes));
  const kB = after.reduce((sum, bytes, index) => sum + bytes - (before[index] ?? 0), 0) / DEVICES / 1000;
  console.log(`  memory of the servers: ${kB.toFixed(1)} kB a device: ${verdict(kB <= GOALS.kB)}`);

  await sleep(SETTLE_SECONDS * 1000);
  const used = () => servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const idle = { server: used(), database: databaseSeconds(folder) };
  await sleep(IDLE_SECONDS * 1000);
  const server = (used() - idle.server) / IDLE_SECONDS;
  const database = (databaseSeconds(folder) - idle.database) / IDLE_SECONDS;
  console.log(
    `  idle: ${percent(server)} of a core, the database ${percent(database)}: ${verdict(server + database <= GOALS.core)}`,
  );

  // The first process is the operator's: a restart of everything takes it away, too.
  const token = await login(servers[0]?.origin ?? '');
  for (const [index, one] of servers.entries()) {
    const watched = servers[index === 0 ? 1 : 0]?.origin ?? '';
    const [back, looks] = await whileLooking(watched, token, async () => {
      const start = performance.now();
      crowd.tell(index, false);
      await one.stop();
      servers[index] = await startServer(url, folder, index);
      crowd.tell(index, true);
      await crowd.until(all);
      return performance.now() - start;
    });
    const p99 = percentile(looks, 0.99);
    console.log(
      `  process ${index + 1} restarted: all back after ${seconds(back)}: ${verdict(back < GOALS.rollingMs)}; lists' p99 meanwhile ${p99.toFixed(0)} ms: ${verdict(p99 < GOALS.operatorMs)}`,
    );
  }

  const start = performance.now();
  for (const index of servers.keys()) crowd.tell(index, false);
  await Promise.all(servers.map((program) => program.stop('SIGKILL')));
  await crowd.until((connected) => connected === 0);
  servers = await startServers(url, folder, (index) => crowd.tell(index, true));
  const up = performance.now() - start;
  const [, looks] = await whileLooking(servers[0]?.origin ?? '', token, () => crowd.until(all));
  const back = performance.now() - start;
  const p99 = percentile(looks, 0.99);
  console.log(
    `  all processes killed and started: up after ${seconds(up)}, all back after ${seconds(back)}: ${verdict(back < GOALS.backMs)}; lists' p99 ${p99.toFixed(0)} ms: ${verdict(p99 < GOALS.operatorMs)}`,
  );
  console.log(`  online by the database: ${await countOnline(db)}`);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
