import './campaigns.tables.ts';
import { type Carrier, deviates, peakLoad, type Repaced, replan, utcDate } from '@ams/contract';
import { sql } from 'kysely';
import { raiseRevision, tellDevices } from '../devices/devices.service.ts';
import type { Db } from '../platform/database/database.ts';
import type { Task } from '../platform/jobs/jobs.ts';
import { holdDevices } from '../releases/campaign.service.ts';
import { findClasses } from './capacity.queries.ts';
import { OpenTimes, toCarrier } from './carriers.ts';
import { type CarrierRow, findCarriers, findOrders, isInFlight, orderedOfCarriers } from './delivery.queries.ts';
import { type Standing, standingOf } from './plan.ts';
import { noteStandings, tellCampaign } from './progress.service.ts';

/** graphile-worker crontab: every minute. */
export const REPLAN_CRON = '* * * * * campaigns_replan ?max=1';

export const replanTasks = (db: Db): Record<'campaigns_replan', Task> => ({
  campaigns_replan: (_payload, stopping) => replanCampaigns(db, Date.now(), stopping),
});

const PERCENT = 100;

/**
 * Re-plans what is left of each flight that deviates from its order, and notes the progress of campaigns. `now` in
 * milliseconds since 1970.
 */
export async function replanCampaigns(db: Db, now: number, stopping?: AbortSignal): Promise<void> {
  const times = new OpenTimes();
  const orders = await findOrders(db, isInFlight);
  const carried = Map.groupBy(await findCarriers(db, isInFlight), ({ campaignId }) => campaignId);
  const standings: Standing[] = [];
  for (const order of orders) {
    if (stopping?.aborted) return;
    const rows = carried.get(order.id) ?? [];
    const carriers = rows.map((row) => toCarrier(row, times, now, 0));
    const isOff = deviates(orderedOfCarriers(order), carriers);
    if (!isOff) await noteShort(db, order.id, 0);
    const replanned = isOff ? await replanOne(db, order.id, times, now) : carriers;
    standings.push(standingOf(order, rows, replanned, times, now));
  }
  await noteStandings(db, standings);
}

/** Re-plans one campaign; nobody books on its devices meanwhile. Answers its devices as they are then. */
const replanOne = (db: Db, id: string, times: OpenTimes, now: number): Promise<Carrier[]> =>
  db.transaction().execute(async (trx) => {
    const { rows: held } = await sql<{ id: string }>`
      select device_id as id from campaign_devices where campaign_id = ${id}`.execute(trx);
    await holdDevices(
      trx,
      held.map((device) => device.id),
    );
    const rows = await findCarriers(trx, sql<boolean>`(c.id = ${id} and ${isInFlight})`);
    const [order] = await findOrders(trx, sql<boolean>`(c.id = ${id} and ${isInFlight})`);
    if (!order) return [];
    const free = await freeOn(trx, rows, now);
    const carriers = rows.map((row): Carrier => toCarrier(row, times, now, free.get(row.deviceId) ?? 0));
    const { changes, makeGoods, short } = replan(orderedOfCarriers(order), carriers);
    await applyChanges(trx, id, changes, makeGoods, now);
    await noteShort(trx, id, short);
    const paces = new Map(changes.map((change) => [change.id, change]));
    return carriers.map((carrier) => {
      const pace = paces.get(carrier.id);
      return pace ? { ...carrier, everyMs: pace.everyMs, due: pace.dueBefore } : carrier;
    });
  });

/** What is free at the fullest moment of the flight on each device, in parts of its time. */
async function freeOn(trx: Db, rows: readonly CarrierRow[], now: number): Promise<Map<string, number>> {
  const [first] = rows;
  if (!first) return new Map();
  const { schedule } = first;
  const ids = rows.map(({ deviceId }) => deviceId);
  const flight = { ...schedule, from: later(schedule.from, utcDate(now)) };
  const classes = await findClasses(trx, sql<boolean>`d.id = any(${ids}::uuid[])`, flight);
  const sellable = new Map(rows.map((row) => [row.deviceId, row.sellable / PERCENT]));
  return new Map(
    classes.flatMap(({ ids: members, loads, hours }) => {
      const peak = peakLoad(flight, loads, hours);
      return members.map((id): [string, number] => [id, Math.max((sellable.get(id) ?? 0) - peak, 0)]);
    }),
  );
}

const later = (a: string, b: string): string => (a > b ? a : b);

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

/** Notes how many plays will be missing at the end of the flight, and since when that is known. */
async function noteShort(db: Db, id: string, short: number): Promise<void> {
  const { rows } = await sql<{ customerId: string }>`
    update campaigns set short = ${short}::bigint,
      short_since = case when ${short}::bigint > 0 then coalesce(short_since, now()) end
    where id = ${id} and short is distinct from ${short}::bigint
    returning customer_id as "customerId"`.execute(db);
  for (const { customerId } of rows) await tellCampaign(db, id, customerId);
}
