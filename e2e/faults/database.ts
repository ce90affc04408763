import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type EmbeddedPostgres, startPostgres } from '../../server/src/platform/postgres/postgres.ts';
import { type Relay, startRelay } from '../../server/test/relay.ts';
import { RealServer } from '../server.ts';
import { type Acknowledged, Ledger } from './ledger.ts';
import { load, prepare } from './load.ts';
import { Devices, releasePicture } from './devices.ts';
import { Operator } from './operator.ts';

/** Observations of one kind of outage. */
export interface Away {
  /** Number of responses to a user by status. */
  answers: Record<string, number>;
  slowestAnswerMs: number;
  /** From when the database was there again to when people were answered and all devices were shown online. */
  backAfterMs: number;
  /** Devices that lost their channel, at most. */
  channelsLost: number;
}

export interface Database {
  cut: Away;
  silent: Away;
  stopped: Away;
  failedOver: Away;
  acknowledged: Acknowledged;
  /** Violations found afterwards (`Ledger.audit`). */
  wrong: string[];
}

const LOOK_MS = 100;
/** Between two faults: much is under way when the next one comes, and every connection is in use again. */
const LIVE_MS = 7000;
const DEVICES = 5;
const quiet = { info: () => {}, warn: console.warn, error: console.error };

/** A cluster of PostgreSQL behind one address: at any time one server of it may be written to. */
class DatabaseCluster {
  readonly #folder: string;
  readonly #relay: Relay;
  #members = 1;
  #primary: EmbeddedPostgres;

  private constructor(folder: string, relay: Relay, primary: EmbeddedPostgres) {
    this.#folder = folder;
    this.#relay = relay;
    this.#primary = primary;
  }

  static async start(folder: string): Promise<DatabaseCluster> {
    const primary = await startPostgres(path.join(folder, '1'), quiet);
    return new DatabaseCluster(folder, await startRelay(socketOf(primary.connection)), primary);
  }

  get url(): string {
    return `postgres://ams@127.0.0.1:${this.#relay.port}/ams`;
  }

  /** Every connection breaks, and nobody gets through. */
  async cut(awayMs: number): Promise<void> {
    this.#relay.cut();
    await sleep(awayMs);
    this.#relay.mend();
  }

  /** The network drops all packets: connections stay open without answers, also after it recovers. */
  async silence(awayMs: number): Promise<void> {
    this.#relay.swallow();
    await sleep(awayMs);
    this.#relay.mend();
  }

  async restart(awayMs: number): Promise<void> {
    await this.#primary.stop();
    await sleep(awayMs);
    this.#primary = await startPostgres(path.join(this.#folder, String(this.#members)), quiet);
  }

  /** The primary ends; the address leads to its standby, which can only be read until it is promoted. */
  async failOver(awayMs: number): Promise<void> {
    const before = path.join(this.#folder, String(this.#members));
    this.#members += 1;
    const standby = path.join(this.#folder, String(this.#members));
    await this.#primary.stop();
    mkdirSync(path.join(standby, 'postgres'), { recursive: true, mode: 0o700 });
    cpSync(path.join(before, 'postgres'), path.join(standby, 'postgres'), { recursive: true });
    writeFileSync(path.join(standby, 'postgres/standby.signal'), '');
    // It is ready once it is promoted.
    const promoted = startPostgres(standby, quiet);
    promoted.catch(() => undefined);
    const connection = { ...this.#primary.connection, host: path.join(standby, 'postgres') };
    this.#relay.pointTo(socketOf(connection));
    await sleep(awayMs);
    while (!(await isPromoted(connection))) await sleep(LOOK_MS);
    this.#primary = await promoted;
  }

  async end(): Promise<void> {
    this.#relay.close();
    await this.#primary.stop();
  }
}

const socketOf = ({ host, port }: EmbeddedPostgres['connection']): { path: string } => ({
  path: `${host}/.s.PGSQL.${port}`,
});

/** Promotes a standby; false while it starts. */
async function isPromoted(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection);
  try {
    await client.connect();
    await client.query('select pg_promote()');
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

/** Asks for a list again and again, and notes what came. */
async function ask(operator: Operator, answers: Away['answers'], over: AbortSignal): Promise<number> {
  let slowestMs = 0;
  while (!over.aborted) {
    const begin = performance.now();
    const reply = await operator.get('/api/devices');
    slowestMs = Math.max(slowestMs, performance.now() - begin);
    const patience = reply?.status === 503 && !reply.headers.has('retry-after') ? ' without retry-after' : '';
    const answer = `${reply?.status ?? 'none'}${patience}`;
    answers[answer] = (answers[answer] ?? 0) + 1;
    await sleep(LOOK_MS);
  }
  return Math.round(slowestMs);
}

async function isWell(operator: Operator): Promise<boolean> {
  const reply = await operator.calls.devices.list({ query: { online: 'true', total: 'true' } }).catch(() => undefined);
  return reply?.error === undefined && reply?.data.total === DEVICES;
}

/** Looks on while the database is away. */
async function during(fault: () => Promise<void>, operator: Operator, fleet: Devices): Promise<Away> {
  await sleep(LIVE_MS);
  const over = new AbortController();
  const answers: Away['answers'] = {};
  let channelsLost = 0;
  const looks = setInterval(() => {
    channelsLost = Math.max(channelsLost, DEVICES - fleet.online);
  }, LOOK_MS);
  try {
    const asking = ask(operator, answers, over.signal);
    await fault();
    const back = performance.now();
    while (!(await isWell(operator))) await sleep(LOOK_MS);
    const backAfterMs = Math.round(performance.now() - back);
    over.abort();
    return { answers, slowestAnswerMs: await asking, backAfterMs, channelsLost };
  } finally {
    over.abort();
    clearInterval(looks);
  }
}

/** Interrupts the database in four ways under load; the server is never restarted. */
export async function database(port: number, awayMs: number): Promise<Database> {
  const folder = mkdtempSync(path.join(tmpdir(), 'ams-cluster-'));
  const cluster = await DatabaseCluster.start(folder);
  const server = new RealServer({ port, settings: { DATABASE_URL: cluster.url } });
  const over = new AbortController();
  const ledger = new Ledger();
  let fleet: Devices | undefined;
  try {
    await server.start();
    const [worker, onlooker] = [new Operator(server.origin), new Operator(server.origin)];
    await Promise.all([worker.login(), onlooker.login()]);
    fleet = new Devices(DEVICES, server.origin, folder);
    await fleet.allOnline();
    await releasePicture(server.folder, worker, 1);
    await fleet.allPlay();
    const known = await prepare(server, worker);
    const loaded = load(server, worker, ledger, known, over.signal);
    const devices = fleet;
    const away = (fault: () => Promise<void>): Promise<Away> => during(fault, onlooker, devices);
    const found = {
      cut: await away(() => cluster.cut(awayMs)),
      stopped: await away(() => cluster.restart(awayMs)),
      failedOver: await away(() => cluster.failOver(awayMs)),
      silent: await away(() => cluster.silence(awayMs)),
    };
    over.abort();
    await loaded;
    await fleet.allAnswered();
    await fleet.stop();
    ledger.plays += fleet.plays;
    const wrong = await ledger.audit(server, worker);
    return { ...found, acknowledged: ledger.acknowledged, wrong };
  } finally {
    over.abort();
    await fleet?.stop();
    await server.end();
    await cluster.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

export default async function run(awaySeconds = 30): Promise<void> {
  console.dir(await database(4710, awaySeconds * 1000), { depth: null });
}
