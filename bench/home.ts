import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../server/src/platform/database/database.ts';
import { load, median, verdict } from './figures.ts';
import { percentile } from '../e2e/percentile.ts';
import { type Fleet, makeFleet, startFleets } from './fleets.ts';
import { login } from './processes.ts';
import { rowId } from './rows.ts';

const DEVICES = Number(process.env['BENCH_DEVICES'] ?? 1_000_000);
/** Of so many devices there are plays of fourteen days. */
const PLAYING = 50_000;
const RUNS = 200;
/** Pages that bring what they read into memory. */
const WARM_UP = 10;
const REPORTERS = 4;
/** 100,000 devices that report changes every few minutes send some hundred reports a second. */
const REPORT_PAUSE_MS = 10;
const GOAL_MS = 50;

/** Totals of the home page besides devices and users. */
async function fillThings(db: Db, users: number): Promise<void> {
  const { rows } = await sql`select from ads limit 1`.execute(db);
  if (rows.length > 0) return;
  const owner = rowId('0000', `1 + n % ${users}`);
  await sql`
    insert into blobs (sha256, bytes, state) select md5(n::text) || md5(n::text), 1000000, 'ready'
    from generate_series(1, 20000) n`.execute(db);
  await sql`
    insert into files (id, owner_id, name, orientation, kind, sha256)
    select ${rowId('0002', 'n')}, ${owner}, 'file', 'vertical', 1 + n % 3, md5(n::text) || md5(n::text)
    from generate_series(1, 20000) n`.execute(db);
  await sql`
    insert into play_days (day, device_id, plays, duration_ms)
    select current_date - d, ${rowId('0001', 'n')}, 1000, 10000000
    from generate_series(1, least(${PLAYING}::int, ${DEVICES}::int)) n, generate_series(0, 13) d`.execute(db);
  await sql`
    insert into presence_samples (user_id, at, below, online)
    select id, date_trunc('hour', now()) - h * interval '1 hour', below, 8
    from users, generate_series(1, 23) h, (values (true), (false)) b(below) on conflict do nothing`.execute(db);
  await sql`
    insert into ads (id, owner_id, name, orientation, split, dual, play_mode, show_clock, fit)
    select ${rowId('0003', 'n')}, ${owner}, 'ad', 'vertical', 'full', false, 'sequence', false, 'contain'
    from generate_series(1, 20000) n`.execute(db);
  await sql`
    insert into releases (id, ad_id, ad_name, owner_id, replace, priority, programme, withdrawn_at)
    select ${rowId('0004', 'n')}, ${rowId('0003', 'n')}, 'ad', ${owner}, true, 'normal', '{}',
      case when n % 4 = 0 then now() end
    from generate_series(1, 20000) n`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

/** The first account, a dealer of a ninth, of a hundredth, and a member. */
const peopleOf = ({ users }: Fleet): string[] => ['admin', 'dealer1', 'dealer10', `dealer${users / 2}`];

/** Milliseconds of each of so many home pages, one after the other. */
async function timeHome(origin: string, token: string, runs: number): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < runs; n += 1) {
    const start = performance.now();
    const reply = await fetch(`${origin}/api/`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    await reply.arrayBuffer();
    times.push(reply.ok ? performance.now() - start : Number.POSITIVE_INFINITY);
  }
  return times;
}

async function measure(fleet: Fleet, when: string): Promise<void> {
  const { origin } = fleet.ams;
  console.log(`${when}, ${RUNS} home pages each (${load()})`);
  for (const name of peopleOf(fleet)) {
    const token = await login(origin, name);
    await timeHome(origin, token, WARM_UP);
    const times = await timeHome(origin, token, RUNS);
    const p99 = percentile(times, 0.99);
    console.log(
      `  ${name.padEnd(12)} median ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms: ${verdict(p99 < GOAL_MS)}`,
    );
  }
}

/** Devices that turn from waiting to done and back, each connection so many times a second, while `work` lasts. */
async function whileReporting({ db, devices }: Fleet, work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  let reports = 0;
  const start = performance.now();
  const report = async (connection: number): Promise<void> => {
    for (let n = connection; !stop.signal.aborted; n += REPORTERS) {
      await sql`
        update device_revisions set done_revision = 3 - done_revision
        where device_id = ${rowId('0001', String(1 + ((n * 7919) % devices)))}`.execute(db);
      reports += 1;
      await sleep(REPORT_PAUSE_MS);
    }
  };
  const reporting = Promise.all(Array.from({ length: REPORTERS }, (_, connection) => report(connection)));
  await work();
  stop.abort();
  await reporting;
  console.log(`  (${Math.round((reports * 1000) / (performance.now() - start))} reports a second meanwhile)`);
}

/** The home page over HTTP, with a million devices. */
export default async function run(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const fleet = await makeFleet(await startFleets(folder, ends), folder, DEVICES, ends);
  await fillThings(fleet.db, fleet.users);
  await measure(fleet, 'at rest');
  await whileReporting(fleet, () => measure(fleet, `while ${REPORTERS} connections write reports`));
}
