import './campaigns.tables.ts';
import { setImmediate } from 'node:timers/promises';
import { type Carrier, deviates, forecast, type Repaced, type Replan, replan } from '@ams/contract';
import { sql } from 'kysely';
import { raiseRevision, tellDevices } from '../devices/devices.service.ts';
import { isDatabaseAway } from '../platform/database/away.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import type { Task } from '../platform/jobs/jobs.ts';
import type { Deps } from '../platform/process/deps.ts';
import { holdDevices } from '../releases/campaign.service.ts';
import { holdCampaigns } from './campaigns.queries.ts';
import { OpenTimes, toCarrier } from './carriers.ts';
import {
  type CarrierRow,
  findCarriers,
  findOrders,
  isAhead,
  isInFlight,
  isPlanned,
  type Order,
  orderedOfCarriers,
} from './delivery.queries.ts';
import { findParts } from './flight.ts';
import { correctOrders } from './joined.service.ts';
import { type Standing, standingOf } from './plan.ts';
import { measureInTurns } from './pledge.ts';
import { noteStandings } from './progress.service.ts';

/** graphile-worker crontab: flights of today every minute, those that lie ahead every hour. */
export const REPLAN_CRON = '* * * * * campaigns_replan ?max=1\n23 * * * * campaigns_foresee ?max=1';

export function replanTasks(deps: Pick<Deps, 'db' | 'log'>): Record<'campaigns_replan' | 'campaigns_foresee', Task> {
  const { db, log } = deps;
  const times = new OpenTimes();
  const onFailed: OnFailed = (error, campaign) => log.warn({ err: error, campaign }, 'campaign not re-planned');
  return {
    campaigns_replan: async (_payload, stopping) => {
      await correctOrders(deps);
      await replanCampaigns(db, Date.now(), times, stopping, onFailed);
    },
    campaigns_foresee: async (_payload, stopping) => {
      await correctOrders(deps);
      await foreseeCampaigns(db, Date.now(), stopping, onFailed);
    },
  };
}

/** Called with each campaign that could not be re-planned; the others are re-planned. */
type OnFailed = (error: unknown, campaignId: string) => void;

const rethrow: OnFailed = (error) => {
  throw error;
};

/** Devices whose rows are read and judged at a time: the process answers others in between. */
const CARRIERS_AT_ONCE = 1000;

/** Campaigns that few devices carry are read together. */
function* slicesOf(orders: readonly Order[]): Generator<Order[]> {
  let [slice, rows]: [Order[], number] = [[], 0];
  for (const order of orders) {
    if (slice.length > 0 && rows + order.carriers > CARRIERS_AT_ONCE) {
      yield slice;
      [slice, rows] = [[], 0];
    }
    slice.push(order);
    rows += order.carriers;
  }
  if (slice.length > 0) yield slice;
}

/**
 * Re-plans what is left of each flight that deviates from its order, and notes the progress of campaigns. `now` in
 * milliseconds since 1970; `times` keeps what is the same a minute later.
 */
export async function replanCampaigns(
  db: Db,
  now: number,
  times = new OpenTimes(),
  stopping?: AbortSignal,
  onFailed = rethrow,
): Promise<void> {
  const standings: Standing[] = [];
  for (const orders of slicesOf(await findOrders(db, isInFlight))) {
    if (stopping?.aborted) return;
    standings.push(...(await replanSlice(db, orders, times, now, deviates, onFailed)));
  }
  await noteStandings(db, standings);
  times.forget();
}

/**
 * Re-plans flights that lie ahead and lost time that was ordered: a device was deleted, its hours changed, it expires.
 * Plays that no device can take over are noted weeks before they are missed. The causes are in several tables, so that
 * each campaign is read instead of each change being followed.
 */
export async function foreseeCampaigns(db: Db, now: number, stopping?: AbortSignal, onFailed = rethrow): Promise<void> {
  const times = new OpenTimes();
  for (const orders of slicesOf(await findOrders(db, isAhead))) {
    if (stopping?.aborted) return;
    await replanSlice(db, orders, times, now, lacks, onFailed);
  }
}

/** Whether devices will play less than ordered: the reserve is planned when a flight begins. */
const lacks: typeof deviates = (ordered, carriers) =>
  carriers.reduce((sum, carrier) => sum + forecast(carrier), 0) < ordered;

async function replanSlice(
  db: Db,
  orders: readonly Order[],
  times: OpenTimes,
  now: number,
  isOff: typeof deviates,
  onFailed: OnFailed,
): Promise<Standing[]> {
  const ids = orders.map(({ id }) => id);
  const chosen = sql<boolean>`(c.id = any(${ids}::uuid[]) and ${isPlanned})`;
  const carried = Map.groupBy(await findCarriers(db, chosen), ({ campaignId }) => campaignId);
  const standings: Standing[] = [];
  const even: string[] = [];
  for (const order of orders) {
    // The days of a new flight take milliseconds.
    await setImmediate();
    try {
      const rows = carried.get(order.id) ?? [];
      const carriers = rows.map((row) => toCarrier(row, times, now, 0));
      const isEven = !isOff(orderedOfCarriers(order), carriers);
      if (isEven) even.push(order.id);
      const replanned = isEven ? carriers : await replanOne(db, order, rows, times, now);
      standings.push(standingOf(order, rows, replanned, times, now));
    } catch (error) {
      if (isDatabaseAway(error)) throw error;
      onFailed(error, order.id);
    }
  }
  await noteShort(db, even, 0);
  return standings;
}

interface Planned extends Replan {
  carriers: Carrier[];
}

/** What is to change on the devices of a campaign. */
async function planOne(
  db: Db,
  order: Order,
  rows: readonly CarrierRow[],
  times: OpenTimes,
  now: number,
): Promise<Planned> {
  const free = await freeOn(db, rows, now);
  const carriers = rows.map((row) => toCarrier(row, times, now, free.get(row.deviceId) ?? 0));
  return { ...replan(orderedOfCarriers(order), carriers), carriers };
}

/** Re-plans one campaign; answers its devices as they are then. What cannot be helped any more changes nothing. */
async function replanOne(
  db: Db,
  order: Order,
  rows: readonly CarrierRow[],
  times: OpenTimes,
  now: number,
): Promise<Carrier[]> {
  const { changes, carriers, short } = await planOne(db, order, rows, times, now);
  if (changes.length > 0) return changePaces(db, order.id, times, now);
  await noteShort(db, [order.id], short);
  return carriers;
}

/** Plans and changes the paces of one campaign while nobody books on its devices. */
const changePaces = (db: Db, id: string, times: OpenTimes, now: number): Promise<Carrier[]> =>
  db.transaction().execute(async (trx) => {
    await holdCampaigns(trx, [id]);
    const { rows: held } = await sql<{ id: string }>`
      select device_id as id from campaign_devices where campaign_id = ${id}`.execute(trx);
    await holdDevices(
      trx,
      held.map((device) => device.id),
    );
    const one = sql<boolean>`(c.id = ${id} and ${isPlanned})`;
    const rows = await findCarriers(trx, one);
    const [order] = await findOrders(trx, one);
    if (!order) return [];
    const { changes, makeGoods, short, carriers } = await planOne(trx, order, rows, times, now);
    await applyChanges(trx, id, changes, makeGoods, now);
    await noteShort(trx, [id], short);
    const paces = new Map(changes.map((change) => [change.id, change]));
    return carriers.map((carrier) => {
      const pace = paces.get(carrier.id);
      return pace ? { ...carrier, everyMs: pace.everyMs, due: pace.dueBefore } : carrier;
    });
  });

/** The part of the time of each device that is free at the fullest moment of the rest of the flight. */
async function freeOn(trx: Db, rows: readonly CarrierRow[], now: number): Promise<Map<string, number>> {
  const [first] = rows;
  if (!first) return new Map();
  const ids = rows.map(({ deviceId }) => deviceId);
  const parts = await findParts(trx, sql<boolean>`d.id = any(${ids}::uuid[])`, first.schedule, now);
  const measured = await measureInTurns(parts, 'closed');
  return new Map(measured.flatMap(({ ids: members, free }) => members.map((id): [string, number] => [id, free])));
}

/** Gives devices their new paces: their manifests change, no others do. */
async function applyChanges(
  trx: Db,
  id: string,
  changes: readonly Repaced[],
  makeGoods: number,
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  const ids = changes.map((change) => change.id);
  await sql`
    update campaign_devices cd set every_ms = n.every_ms, due_before = n.due_before, paced_from = ${new Date(now)}
    from unnest(${ids}::uuid[], ${changes.map(({ everyMs }) => everyMs)}::bigint[],
      ${changes.map(({ dueBefore }) => dueBefore)}::float8[]) n(id, every_ms, due_before)
    where cd.campaign_id = ${id} and cd.device_id = n.id`.execute(trx);
  await sql`update campaigns set make_goods = make_goods + ${makeGoods} where id = ${id}`.execute(trx);
  await tellDevices(trx, await raiseRevision(trx, sql<boolean>`d.id = any(${ids}::uuid[])`));
}

/** Notes how many plays of campaigns will be missing at the end of the flight, and since when that is known. */
async function noteShort(db: Db, ids: readonly string[], short: number): Promise<void> {
  const { rows } = await sql<{ id: string; owner_id: string }>`
    update campaigns set short = ${short}::bigint,
      short_since = case when ${short}::bigint > 0 then coalesce(short_since, now()) end
    where id = any(${ids}::uuid[]) and state = 'booked' and short is distinct from ${short}::bigint
    returning id, customer_id as owner_id`.execute(db);
  await publish(db, ...changed('campaign', rows));
}
