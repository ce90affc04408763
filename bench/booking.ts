import { addDays, covers, type Schedule } from '@ams/contract';
import { sql } from 'kysely';
import { percentile } from '../e2e/percentile.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { randomOf } from '../server/test/filter-model.ts';
import { load, verdict } from './figures.ts';
import { makeFleet, startFleets } from './fleets.ts';
import { login } from './processes.ts';
import { AD, fillAd, rowId } from './rows.ts';

const SMALL = 1000;
const LARGE = 10_000;
const BOOKINGS = Number(process.env['BENCH_BOOKINGS'] ?? 10_000);
const ASKED = 200;
/** Connections of one address are limited. */
const AT_ONCE = 60;
const DAYS = 60;
const SELLABLE = 0.8;
const GOAL = { smallMs: 100, largeMs: 500 };
const HOUR_MS = 3_600_000;
/** Sums of shares are floats. */
const TOLERANCE = 1e-9;

const TODAY = new Date().toISOString().slice(0, 10);

interface Draft {
  schedule: Schedule;
  devices: string[];
  value: number;
}

/** Campaigns of 1–8 devices next to each other, on random days and hours, with a share of 2–12 percent. */
function draft(ids: readonly string[], random: () => number): Draft {
  const below = (limit: number) => Math.floor(random() * limit);
  const from = addDays(TODAY, 1 + below(DAYS / 2));
  const start = below(ids.length);
  const hour = below(20);
  return {
    schedule: {
      from,
      to: addDays(from, below(DAYS / 2)),
      weekdays: random() < 0.5 ? null : [1 + below(7), 1 + below(7)],
      hours:
        random() < 0.5
          ? null
          : [{ from: `${String(hour).padStart(2, '0')}:00`, to: `${hour + 4}`.padStart(2, '0') + ':00' }],
    },
    devices: ids.slice(start, start + 1 + below(8)),
    value: 2 + below(11),
  };
}

async function insertDrafts(db: Db, drafts: readonly Draft[]): Promise<void> {
  const rows = drafts.map(({ schedule, devices, value }, n) => ({ n: n + 1, schedule, ids: { ids: devices }, value }));
  await sql`
    insert into campaigns (id, name, customer_id, created_by, target_by, orientation, target, schedule, starts_on, ends_on,
      goal_kind, goal_value, price_kind, price_amount, price_currency)
    select ${rowId('0011', 'n')}, 'Campaign ' || n, u.id, u.id, u.id, 'vertical', ids, schedule, (schedule ->> 'from')::date,
      (schedule ->> 'to')::date, 'share', value, 'perPlay', 0.05, 'EUR'
    from users u, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r(n int, schedule jsonb, ids jsonb, value numeric)
    where u.superior_id is null`.execute(db);
  await sql`
    insert into campaign_creatives (campaign_id, position, ad_id, ad_name)
    select id, 0, ${AD}::uuid, 'ad' from campaigns`.execute(db);
}

interface Api {
  origin: string;
  token: string;
}

async function post({ origin, token }: Api, path: string, body?: unknown) {
  const reply = await fetch(`${origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: reply.status, text: await reply.text() };
}

/** Books all drafts, many at once; the answers by status. */
async function bookAll(api: Api, ids: readonly string[]): Promise<Map<number, number>> {
  const answers = new Map<number, number>();
  const waiting = ids.values();
  const worker = async (): Promise<void> => {
    for (const id of waiting) {
      const { status, text } = await post(api, `/campaigns/${id}/book`);
      if (status !== 200 && status !== 409) throw new Error(`${status}: ${text}`);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return answers;
}

/** Screen-hours over their capacity, counted hour by hour with the player's own rule. */
async function overbooked(db: Db): Promise<{ hours: number; over: number; fullest: number }> {
  const { rows } = await sql<{ id: string; schedule: Schedule; device: string; share: number }>`
    select c.id, c.schedule, cd.device_id as device, cd.spot_ms::float8 / cd.every_ms as share
    from campaigns c join campaign_devices cd on cd.campaign_id = c.id where c.state = 'booked'`.execute(db);
  const first = Date.parse(TODAY);
  const total = (DAYS + 2) * 24;
  const running = new Map(
    rows.map(({ id, schedule }) => [
      id,
      Array.from({ length: total }, (_, hour) => hour).filter((hour) =>
        covers(schedule, first + hour * HOUR_MS, 'UTC'),
      ),
    ]),
  );
  const sums = new Map<string, Float64Array>();
  for (const { id, device, share } of rows) {
    const sum = sums.get(device) ?? new Float64Array(total);
    sums.set(device, sum);
    for (const hour of running.get(id) ?? []) sum[hour] = (sum[hour] ?? 0) + share;
  }
  const all = [...sums.values()].flatMap((sum) => [...sum]);
  const over = all.filter((sum) => sum > SELLABLE + TOLERANCE).length;
  return { hours: all.length, over, fullest: all.reduce((a, b) => Math.max(a, b), 0) };
}

async function book(db: Db, api: Api): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from devices order by id`.execute(db);
  const random = randomOf(20_261_122);
  await insertDrafts(
    db,
    Array.from({ length: BOOKINGS }, () =>
      draft(
        rows.map(({ id }) => id),
        random,
      ),
    ),
  );
  const drafts = await sql<{ id: string }>`select id from campaigns order by id`.execute(db);
  await sql`analyze`.execute(db);
  const start = performance.now();
  const answers = await bookAll(
    api,
    drafts.rows.map(({ id }) => id),
  );
  const seconds = (performance.now() - start) / 1000;
  const { hours, over, fullest } = await overbooked(db);
  console.log(
    `${BOOKINGS} bookings on ${rows.length} devices, ${AT_ONCE} at once: ${answers.get(200) ?? 0} booked, ${answers.get(409) ?? 0} without room, ${seconds.toFixed(1)} s (${(BOOKINGS / seconds).toFixed(0)} a second); ${load()}`,
  );
  console.log(
    `screen-hours over capacity: ${over} of ${hours}, fullest ${(fullest * 100).toFixed(2)} %, goal 0: ${verdict(over === 0)}`,
  );
}

/** Availability over all devices and 60 days, one request after the other. */
async function ask(api: Api, devices: number, goalMs: number): Promise<void> {
  const body = {
    adIds: [AD],
    devices: { filter: {} },
    schedule: { from: addDays(TODAY, 1), to: addDays(TODAY, DAYS) },
    goal: { kind: 'perHour', value: 6 },
  };
  const times: number[] = [];
  for (let n = 0; n < ASKED; n += 1) {
    const start = performance.now();
    const { status, text } = await post(api, '/campaigns/availability', body);
    times.push(performance.now() - start);
    if (status !== 200) throw new Error(text);
  }
  const p99 = percentile(times, 0.99);
  console.log(
    `availability over ${devices} devices × ${DAYS} days: median ${percentile(times, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, goal ${goalMs} ms: ${verdict(p99 <= goalMs)}; ${load()}`,
  );
}

/** 200 campaigns, each on a tenth of the devices that are next to each other. */
async function fillLarge(db: Db): Promise<void> {
  const { rows } = await sql<{ id: string }>`select id from devices order by id`.execute(db);
  const random = randomOf(1);
  const ids = rows.map(({ id }) => id);
  const drafts = Array.from({ length: 200 }, (_, n) => {
    const start = (n % 10) * (ids.length / 10);
    return { ...draft(ids, random), devices: ids.slice(start, start + ids.length / 10) };
  });
  await insertDrafts(db, drafts);
  await sql`
    insert into campaign_devices (campaign_id, device_id, every_ms, spot_ms)
    select c.id, d::uuid, 400000, 10000 from campaigns c, jsonb_array_elements_text(c.target -> 'ids') d`.execute(db);
  await sql`update campaigns set state = 'booked'`.execute(db);
  await sql`vacuum analyze`.execute(db);
}

export default async function booking(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const postgres = await startFleets(folder, ends);
  const small = await makeFleet(postgres, folder, SMALL, ends);
  await fillAd(small.db);
  const api = { origin: small.ams.origin, token: await login(small.ams.origin) };
  await book(small.db, api);
  await ask(api, SMALL, GOAL.smallMs);
  const large = await makeFleet(postgres, folder, LARGE, ends);
  await fillAd(large.db);
  await fillLarge(large.db);
  await ask({ origin: large.ams.origin, token: await login(large.ams.origin) }, LARGE, GOAL.largeMs);
}
