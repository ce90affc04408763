import '../server/src/platform/http/mount.ts';
import '../server/src/users/users.tables.ts';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { z } from 'zod';
import { childrenOf, nameOf } from '../e2e/children.ts';
import { listDevices } from '../server/src/devices/devices.queries.ts';
import { personOf, type Viewer } from '../server/src/platform/auth/auth.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { Signer } from '../server/src/platform/auth/signing.ts';
import { type Asked, listsOf } from './asked.ts';
import { fillAssortment } from './assortment.ts';
import { inTurn, load, median, requestsASecond, verdict } from './figures.ts';
import { type Fleet, makeFleet, startFleets } from './fleets.ts';
import { cpuSeconds, login, startProgram } from './processes.ts';

const SIZES = (process.env['BENCH_SIZES'] ?? '1000,1000000').split(',').map(Number);
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? '1');
/** The lists to compare, by a pattern of their names. */
const ONLY = new RegExp(process.env['BENCH_LISTS'] ?? '');
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? '3');
/** Seconds of a turn beside the floor: processor time is counted in hundredths of a second, with what V8 does meanwhile. */
const FLOOR_SECONDS = 5 * SECONDS;
/** Seconds of calls until V8 has optimized a list as far as it does. */
const WARM_UP_SECONDS = 12;
const FLOOR_GOAL = 0.8;
/** Of the processor time of the bare route with a prepared statement. */
const PREPARED_GOAL = 0.6;
const GROWTH_GOAL = 1.3;
const LIMIT = 20;

/** The statement that the first account's list of devices sends, taken from the list itself. */
async function statementOf(fleet: Fleet): Promise<{ text: string; values: readonly unknown[] }> {
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
  const person = personOf(root);
  const viewer: Viewer = { ...root, kind: 'user', phone: null, superior: null, person, tokenHash: Buffer.alloc(32) };
  await listDevices(db, viewer, new Signer(Buffer.alloc(32)), { limit: LIMIT });
  await db.destroy();
  const statement = sent[1];
  if (!statement) throw new Error('the list sent no statement');
  return statement;
}

interface Request {
  url: string;
  headers: Record<string, string>;
}

function requestFor({ ams }: Fleet, { token, query }: Asked): Request {
  const search = new URLSearchParams({ limit: String(LIMIT) });
  for (const [key, value] of Object.entries(query)) for (const each of [value].flat()) search.append(key, String(each));
  return { url: `${ams.origin}/api/devices?${search}`, headers: { authorization: `Bearer ${token}` } };
}

const Page = z.object({ data: z.object({ items: z.array(z.unknown()) }) });

/** Devices on the page that a list answers. */
async function foundBy(request: Request): Promise<number> {
  return Page.parse(await (await fetch(request.url, request)).json()).data.items.length;
}

const rate =
  (fleet: Fleet, asked: Asked, seconds = SECONDS) =>
  async () => {
    const request = requestFor(fleet, asked);
    // The first answer of a server that just started takes longer than a round.
    await foundBy(request);
    return requestsASecond(request, { seconds });
  };

/** Seconds of processor time: of the process that answers, and of PostgreSQL. */
interface Spent {
  server: number;
  database: number;
}

const spent = (pid: number): Spent => ({
  server: cpuSeconds(pid),
  database: childrenOf(process.pid)
    .filter((child) => nameOf(child) === 'postgres')
    .reduce((sum, child) => sum + cpuSeconds(child), 0),
});

/** Requests a second, which adds to `costs` what each of them cost. */
const costing = (pid: number, ask: () => Promise<number>, costs: Spent[]) => async () => {
  const before = spent(pid);
  const aSecond = await ask();
  const after = spent(pid);
  const requests = aSecond * FLOOR_SECONDS;
  costs.push({
    server: (after.server - before.server) / requests,
    database: (after.database - before.database) / requests,
  });
  return aSecond;
};

/**
 * A turn after calls that do not count. V8 optimizes what runs often, and forgets it while a process waits for the other
 * sides' turns: without this, the side with more code pays for it.
 */
const warm = (calls: () => Promise<number>, turn: () => Promise<number>) => async () => {
  for (let second = 0; second < WARM_UP_SECONDS; second += FLOOR_SECONDS) await calls();
  return turn();
};

async function besideFloor(fleet: Fleet): Promise<void> {
  const floor = await startProgram('bench/floor/query.ts', {
    DATABASE_URL: fleet.url,
    QUERY: JSON.stringify(await statementOf(fleet)),
  });
  const ourCosts: Spent[] = [];
  const floorCosts: Spent[] = [];
  const prepared = () => requestsASecond({ url: `${floor.origin}/prepared` }, { seconds: FLOOR_SECONDS });
  const list = rate(fleet, { token: await login(fleet.ams.origin), query: {} }, FLOOR_SECONDS);
  const { ours, bare, named } = await inTurn(ROUNDS, {
    ours: warm(list, costing(fleet.ams.pid, list, ourCosts)),
    bare: () => requestsASecond({ url: floor.origin }, { seconds: FLOOR_SECONDS }),
    named: warm(prepared, costing(floor.pid, prepared, floorCosts)),
  });
  await floor.stop();
  const ratio = ours / bare;
  console.log(
    `${fleet.devices} devices: ours ${ours.toFixed(0)}/s, floor ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(2)}: ${verdict(ratio >= FLOOR_GOAL)}; floor with a prepared statement ${named.toFixed(0)}/s (${load()})`,
  );
  tellCosts(ourCosts, floorCosts);
}

/** What a list costs, beside the floor with a prepared statement. */
function tellCosts(ours: Spent[], floor: Spent[]): void {
  for (const part of ['server', 'database'] as const) {
    const [own, bare] = [ours, floor].map((costs) => median(costs.map((cost) => cost[part])));
    console.log(`  processor time of the ${part}: ours ${inUs(own)}, floor ${inUs(bare)}`);
  }
  const [own = Number.NaN, bare = Number.NaN] = [ours, floor].map((costs) => median(costs.map(({ server }) => server)));
  console.log(`  floor beside ours, server: ${(bare / own).toFixed(2)}: ${verdict(bare / own >= PREPARED_GOAL)}`);
}

const inUs = (seconds = Number.NaN): string => `${(seconds * 1e6).toFixed(0)} µs`;

/** How much longer each list takes with every size, beside the smallest. */
async function growth(fleets: Fleet[]): Promise<void> {
  const lists = await Promise.all(fleets.map(async (fleet) => ({ fleet, asked: await listsOf(fleet, ONLY) })));
  console.log(
    `requests a second with ${fleets.map(({ devices }) => devices).join(', ')} devices, and what the last costs of the first`,
  );
  for (const name of Object.keys(lists[0]?.asked ?? {})) {
    const sides = lists.flatMap(({ fleet, asked }) => {
      const list = asked[name];
      return list ? [[String(fleet.devices), rate(fleet, list)] as const] : [];
    });
    const figures = await inTurn(ROUNDS, Object.fromEntries(sides));
    const found = await Promise.all(
      lists.flatMap(({ fleet, asked }) => (asked[name] ? foundBy(requestFor(fleet, asked[name])) : [])),
    );
    const rates = fleets.map(({ devices }) => figures[String(devices)] ?? Number.NaN);
    const cost = (rates[0] ?? Number.NaN) / (rates.at(-1) ?? Number.NaN);
    console.log(
      `  ${name.padEnd(32)} ${rates.map((one) => one.toFixed(0).padStart(6)).join('')}   × ${cost.toFixed(2)}: ${verdict(cost <= GROWTH_GOAL)} (found ${found.join(', ')}; ${load()})`,
    );
  }
}

/** Lists of devices over HTTP, beside a bare route with the same statement, and with more and more devices. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const postgres = await startFleets(folder, ends);
  const fleets: Fleet[] = [];
  for (const size of SIZES) {
    fleets.push(await makeFleet(postgres, folder, size, ends, { name: `lists${size}`, fill: fillAssortment }));
  }
  if (ONLY.test('beside the floor')) for (const fleet of fleets) await besideFloor(fleet);
  if (fleets.length > 1) await growth(fleets);
}
