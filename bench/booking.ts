import { addDays } from '@ams/contract';
import { sql } from 'kysely';
import { percentile } from '../e2e/percentile.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import { randomOf } from '../server/test/filter-model.ts';
import { clearCampaigns, DAYS, draft, insertBooked, insertDrafts, TODAY } from './booking/drafts.ts';
import { sumBooked } from './booking/sum.ts';
import { load, verdict } from './figures.ts';
import { makeFleet, startFleets } from './fleets.ts';
import { login } from './processes.ts';
import { AD, fillAd } from './rows.ts';

const SMALL = 1000;
const LARGE = 10_000;
const BOOKINGS = Number(process.env['BENCH_BOOKINGS'] ?? 10_000);
const ASKED = Number(process.env['BENCH_ASKED'] ?? 200);
/** Connections of one address are limited. */
const AT_ONCE = 60;
const GOAL = { smallMs: 100, largeMs: 500 };
const TOLD_EVERY = 1000;

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
  const waiting = ids.entries();
  const begun = performance.now();
  const worker = async (): Promise<void> => {
    for (const [n, id] of waiting) {
      const { status, text } = await post(api, `/campaigns/${id}/book`);
      if (status !== 200 && status !== 409) throw new Error(`${status}: ${text}`);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if ((n + 1) % TOLD_EVERY === 0)
        console.log(`${n + 1} after ${((performance.now() - begun) / 1000).toFixed(0)} s`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return answers;
}

const idsOf = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`select id from devices order by id`.execute(db);
  return rows.map(({ id }) => id);
};

async function book(db: Db, api: Api): Promise<void> {
  // Hours after the last day of a device cannot be booked: here, campaigns compete with each other alone.
  await sql`update devices set expires_on = null, expires_at = null`.execute(db);
  const ids = await idsOf(db);
  const random = randomOf(20_261_122);
  const drafts = Array.from({ length: BOOKINGS }, () => draft(ids, random));
  const waiting = await insertDrafts(db, drafts);
  const start = performance.now();
  const answers = await bookAll(api, waiting);
  const seconds = (performance.now() - start) / 1000;
  const { hours, over, fullest } = await sumBooked(db, TODAY, DAYS + 2);
  console.log(
    `${BOOKINGS} bookings on ${ids.length} devices, ${AT_ONCE} at once: ${answers.get(200) ?? 0} booked, ${answers.get(409) ?? 0} without room, ${seconds.toFixed(1)} s (${(BOOKINGS / seconds).toFixed(0)} a second); ${load()}`,
  );
  console.log(
    `screen-hours over capacity: ${over} of ${hours} that are booked, fullest ${(fullest * 100).toFixed(2)} %, goal 0: ${verdict(over === 0)}`,
  );
}

/** Availability over all devices and 60 days, one request after the other, with what is booked on each of them. */
async function ask(api: Api, devices: number, goalMs: number, booked: string): Promise<void> {
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
    `availability over ${devices} devices × ${DAYS} days, ${booked}: median ${percentile(times, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, goal ${goalMs} ms: ${verdict(p99 <= goalMs)}; ${load()}`,
  );
}

/** Sells by groups: 200 campaigns, half of which are running, each on a tenth of the devices that are next to each other. */
async function sellTenths(db: Db): Promise<void> {
  const ids = await idsOf(db);
  const random = randomOf(1);
  const drafts = Array.from({ length: 200 }, (_, n) => {
    const start = (n % 10) * (ids.length / 10);
    return { ...draft(ids, random, addDays(TODAY, -DAYS / 4)), devices: ids.slice(start, start + ids.length / 10) };
  });
  await insertDrafts(db, drafts);
  await insertBooked(db, drafts, 400_000, 10_000);
}

export default async function booking(folder: string): Promise<void> {
  await using ends = new AsyncDisposableStack();
  const postgres = await startFleets(folder, ends);
  for (const [devices, goalMs, fills] of [
    [SMALL, GOAL.smallMs, { 'random campaigns': book, 'campaigns on groups': sellTenths }],
    [LARGE, GOAL.largeMs, { 'campaigns on groups': sellTenths }],
  ] as const) {
    const { db, ams } = await makeFleet(postgres, folder, devices, ends);
    await fillAd(db);
    const api = { origin: ams.origin, token: await login(ams.origin) };
    for (const [booked, fill] of Object.entries(fills)) {
      await clearCampaigns(db);
      await fill(db, api);
      await ask(api, devices, goalMs, booked);
    }
  }
}
