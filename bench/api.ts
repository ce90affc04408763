import '../server/src/platform/mount.ts';
import '../server/src/users/users.tables.ts';
import type { DeviceFilter, PageQuery } from '@ams/contract';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { listDevices } from '../server/src/devices/devices.queries.ts';
import type { Viewer } from '../server/src/platform/auth.ts';
import { type Db, makeDb, makePool } from '../server/src/platform/database.ts';
import { encodeCursor } from '../server/src/platform/page.ts';
import { type EmbeddedPostgres, startPostgres } from '../server/src/platform/postgres.ts';
import { Signer } from '../server/src/platform/signing.ts';
import { inTurn, load, requestsASecond, verdict } from './figures.ts';
import { login, type Program, startAms, startProgram } from './processes.ts';
import { fillDevices, hasDevices } from './rows.ts';

const SIZES = (process.env['BENCH_SIZES'] ?? '1000,100000,1000000').split(',').map(Number);
const SECONDS = 2;
const ROUNDS = 3;
const FLOOR_GOAL = 0.8;
const GROWTH_GOAL = 1.3;
const LIMIT = 20;

const log = pino({ level: 'error' });

type Query = DeviceFilter & Pick<PageQuery, 'cursor' | 'total'>;

/** A fleet of one size: its database and the server before it. */
interface Fleet {
  devices: number;
  url: string;
  ams: Program;
  token: string;
  /** What is asked of this fleet; what is searched for exists, in the middle of it. */
  queries: Record<string, Query>;
}

const middle = (devices: number): number => Math.floor(devices / 2);

async function queriesOf(db: Db, devices: number): Promise<Record<string, Query>> {
  const { rows } = await sql<{ id: string; owner: string; name: string; mac: string; key: string }>`
    select d.id, d.owner_id as owner, d.name, d.mac, u.username as key,
      to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from devices d join users u on u.id = d.owner_id where d.name = ${`Screen ${middle(devices)}`}`.execute(db);
  const [row] = rows as ((typeof rows)[number] & { at: string })[];
  if (!row) throw new Error('no machine in the middle');
  return {
    'no filter': {},
    'deep page': { cursor: encodeCursor([row.at, row.id]) },
    'online': { online: true },
    'offline': { online: false },
    'done': { download: 'done' },
    'waiting': { download: 'waiting' },
    'expired': { expiry: 'expired' },
    'expiring': { expiry: 'expiring' },
    'valid': { expiry: 'valid' },
    'of one owner': { owner: row.owner },
    'search: all have it': { q: 'screen' },
    'search: one name': { q: row.name },
    'search: two letters': { q: 'cr' },
    'search: a MAC': { q: row.mac },
    'search: an owner': { q: row.key },
    'search: nothing': { q: 'no such machine' },
    'waiting and offline': { download: 'waiting', online: false },
    'with the total': { total: true },
    'total of a filter': { total: true, download: 'waiting' },
  };
}

async function makeFleet(
  postgres: EmbeddedPostgres,
  folder: string,
  devices: number,
  ends: AsyncDisposableStack,
): Promise<Fleet> {
  const name = `fleet${devices}`;
  const house = new pg.Client({ ...postgres.connection, database: 'postgres' });
  await house.connect();
  const { rowCount } = await house.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) await house.query(`create database ${name}`);
  await house.end();
  const { user, port, host } = postgres.connection;
  const url = `postgres://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  const ams = await startAms(folder, { DATABASE_URL: url });
  ends.defer(() => ams.stop());
  const db = makeDb(makePool({ connectionString: url }, log));
  ends.defer(() => db.destroy());
  if (!(await hasDevices(db))) await fillDevices(db, { users: Math.max(20, devices / 100), devices });
  return { devices, url, ams, token: await login(ams.origin), queries: await queriesOf(db, devices) };
}

/** The statement that the list of devices sends, taken from the list itself. */
async function statementOf(fleet: Fleet, query: Query): Promise<{ text: string; values: readonly unknown[] }> {
  const sent: { text: string; values: readonly unknown[] }[] = [];
  const pool = new pg.Pool({ connectionString: fleet.url, max: 1 });
  const db: Db = new Kysely({
    dialect: new PostgresDialect({ pool }),
    log: ({ query: { sql: text, parameters: values } }) => {
      sent.push({ text, values });
    },
  });
  const root = await db
    .selectFrom('users')
    .select(['id', 'role', 'username'])
    .where('username', '=', 'admin')
    .executeTakeFirstOrThrow();
  const viewer: Viewer = { ...root, kind: 'user', phone: null, superior: null, tokenHash: Buffer.alloc(32) };
  await listDevices(db, viewer, new Signer(Buffer.alloc(32)), { ...query, limit: LIMIT });
  await db.destroy();
  const statement = sent[1];
  if (!statement) throw new Error('the list sent no statement');
  return statement;
}

const rate = (fleet: Fleet, query: Query) => () => {
  const search = new URLSearchParams({ limit: String(LIMIT) });
  for (const [key, value] of Object.entries(query)) search.set(key, String(value));
  const url = `${fleet.ams.origin}/api/devices?${search}`;
  return requestsASecond({ url, headers: { authorization: `Bearer ${fleet.token}` } }, { seconds: SECONDS });
};

async function besideFloor(fleet: Fleet): Promise<void> {
  const query = JSON.stringify(await statementOf(fleet, {}));
  const floor = await startProgram('bench/floor/query.ts', { DATABASE_URL: fleet.url, QUERY: query });
  const { ours, bare } = await inTurn(ROUNDS, {
    ours: rate(fleet, {}),
    bare: () => requestsASecond({ url: floor.origin }, { seconds: SECONDS }),
  });
  await floor.stop();
  const ratio = ours / bare;
  console.log(
    `${fleet.devices} devices: ours ${ours.toFixed(0)}/s, floor ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(2)}: ${verdict(ratio >= FLOOR_GOAL)} (${load()})`,
  );
}

/** How much longer each list takes with every size, beside the smallest. */
async function growth(fleets: Fleet[]): Promise<void> {
  const [smallest] = fleets;
  console.log(
    `requests a second with ${fleets.map(({ devices }) => devices).join(', ')} devices, and what the last costs of the first`,
  );
  for (const name of Object.keys(smallest?.queries ?? {})) {
    const figures = await inTurn(
      ROUNDS,
      Object.fromEntries(fleets.map((fleet) => [String(fleet.devices), rate(fleet, fleet.queries[name] ?? {})])),
    );
    const rates = fleets.map(({ devices }) => figures[String(devices)] ?? Number.NaN);
    const cost = (rates[0] ?? Number.NaN) / (rates.at(-1) ?? Number.NaN);
    console.log(
      `  ${name.padEnd(20)} ${rates.map((one) => one.toFixed(0).padStart(6)).join('')}   × ${cost.toFixed(2)}: ${verdict(cost <= GROWTH_GOAL)} (${load()})`,
    );
  }
}

/** Lists of devices over HTTP, beside a bare route with the same statement, and with more and more devices. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const postgres = await startPostgres(folder, log);
  ends.defer(() => postgres.stop());
  const fleets: Fleet[] = [];
  for (const devices of SIZES) {
    fleets.push(await makeFleet(postgres, folder, devices, ends));
    console.log(`${devices} devices are there`);
  }
  if (process.env['BENCH_HOLD']) {
    console.log(JSON.stringify(fleets.map(({ url, token, ams }) => ({ url, token, origin: ams.origin }))));
    await new Promise((resolve) => setTimeout(resolve, Number(process.env['BENCH_HOLD']) * 1000));
  }
  for (const fleet of fleets) await besideFloor(fleet);
  await growth(fleets);
}
