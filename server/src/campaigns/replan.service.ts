import './campaigns.tables.ts';
import { type Carrier, deviates, peakLoad, type Repaced, replan, utcDate } from '@ams/contract';
import { sql } from 'kysely';
import { raiseRevision, tellDevices } from '../devices/devices.service.ts';
import type { Db } from '../platform/database/database.ts';
import type { Task } from '../platform/jobs/jobs.ts';
import { holdDevices } from '../releases/campaign.service.ts';
import { findClasses } from './capacity.queries.ts';
import { OpenTimes, toCarrier } from './carriers.ts';
import { type CarrierRow, findCarriers, isInFlight, orderedOfCarriers } from './delivery.queries.ts';

/** graphile-worker crontab: every minute. */
export const REPLAN_CRON = '* * * * * campaigns_replan ?max=1';

export const replanTasks = (db: Db): Record<'campaigns_replan', Task> => ({
  campaigns_replan: (_payload, stopping) => replanCampaigns(db, Date.now(), stopping),
});

const PERCENT = 100;

/** Re-plans what is left of each flight that deviates from its order. `now` in milliseconds since 1970. */
export async function replanCampaigns(db: Db, now: number, stopping?: AbortSignal): Promise<void> {
  const times = new OpenTimes();
  const rows = await findCarriers(db, isInFlight);
  for (const [id, own] of Map.groupBy(rows, ({ campaignId }) => campaignId)) {
    if (stopping?.aborted) return;
    const ordered = await orderedOfCarriers(db, id);
    const carriers = own.map((row) => toCarrier(row, times, now, 0));
    if (deviates(ordered, carriers)) await replanOne(db, id, times, now);
    else await noteShort(db, id, 0);
  }
}

/** Re-plans one campaign; nobody books on its devices meanwhile. */
const replanOne = (db: Db, id: string, times: OpenTimes, now: number): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows: held } = await sql<{ id: string }>`
      select device_id as id from campaign_devices where campaign_id = ${id}`.execute(trx);
    await holdDevices(
      trx,
      held.map((device) => device.id),
    );
    const rows = await findCarriers(trx, sql<boolean>`(c.id = ${id} and ${isInFlight})`);
    const ordered = await orderedOfCarriers(trx, id);
    const [first] = rows;
    if (!first) return;
    const free = await freeOn(trx, rows, first, now);
    const carriers = rows.map((row): Carrier => toCarrier(row, times, now, free.get(row.deviceId) ?? 0));
    const { changes, makeGoods, short } = replan(ordered, carriers);
    await applyChanges(trx, id, changes, makeGoods, now);
    await noteShort(trx, id, short);
  });

/** What is free at the fullest moment of the flight on each device, in parts of its time. */
async function freeOn(
  trx: Db,
  rows: readonly CarrierRow[],
  { schedule }: CarrierRow,
  now: number,
): Promise<Map<string, number>> {
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
const noteShort = (db: Db, id: string, short: number): Promise<unknown> =>
  sql`
    update campaigns set short = ${short}::bigint,
      short_since = case when ${short}::bigint > 0 then coalesce(short_since, now()) end
    where id = ${id} and short is distinct from ${short}::bigint`.execute(db);
