import { setImmediate } from 'node:timers/promises';
import {
  AppError,
  type Campaign,
  GAP_REASONS,
  type Statement,
  type StatementDevice,
  type StatementFigures,
  type StatementGap,
  type StatementPeriod,
} from '@ams/contract';
import { readPastHours } from '../devices/hours.service.ts';
import type { Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { getCampaign } from './campaigns.queries.ts';
import { chargedIn, periodOf } from './statement.charges.ts';
import { Gaps } from './statement.gaps.ts';
import { type Order, type Share, spreadOrder } from './statement.order.ts';
import {
  type CarriedBy,
  type Delivered,
  findTermDays,
  findCarriedBy,
  findCreatives,
  findDelivered,
  findOthers,
  findScans,
  findTroubles,
} from './statement.queries.ts';

/** Players report in batches: plays of the last minutes may be on their way. */
const REPORTED_WITHIN_MS = 15 * 60_000;
/** Devices whose missing plays are explained before the process answers others. */
const DEVICES_AT_ONCE = 20;

/** A campaign that was booked, with what that fixed, and is due until an instant. Throws `CAMPAIGN_STATE`. */
function orderOf({ state, ordered, schedule, decidedAt, cancelledAt }: Campaign, until: number): Order {
  if (ordered === null) throw new AppError('CAMPAIGN_STATE', { state });
  return {
    plays: ordered,
    schedule,
    bookedAt: Date.parse(decidedAt ?? `${schedule.from}T00:00:00Z`),
    dueUntil: Math.min(until, cancelledAt === null ? Infinity : Date.parse(cancelledAt)),
  };
}

const NOTHING: Share = { ordered: 0, due: 0 };
const NONE: Pick<Delivered, 'plays' | 'durationMs'> = { plays: 0, durationMs: 0 };

const figures = (share: Share = NOTHING, { plays, durationMs } = NONE): StatementFigures => ({
  ordered: share.ordered,
  due: share.due,
  delivered: plays,
  durationMs,
});

function sumOf(rows: readonly StatementFigures[]): StatementFigures {
  const sum = (value: (row: StatementFigures) => number): number => rows.reduce((total, row) => total + value(row), 0);
  return {
    ordered: sum(({ ordered }) => ordered),
    due: sum(({ due }) => due),
    delivered: sum(({ delivered }) => delivered),
    durationMs: sum(({ durationMs }) => durationMs),
  };
}

const deviations = (rows: readonly Pick<StatementDevice, 'missed' | 'extra'>[]) => ({
  missed: rows.reduce((sum, { missed }) => sum + missed, 0),
  extra: rows.reduce((sum, { extra }) => sum + extra, 0),
});

/**
 * Extra plays that made good for missed ones. Those that became due in the last minutes, in which nothing is missed yet, do
 * not. `dueNow`: of each device, at this moment.
 */
function madeGood(
  devices: Awaited<ReturnType<typeof devicesOf>>,
  dueNow: ReadonlyMap<string, Share>,
  missed: number,
): number {
  const beyond = devices.reduce((sum, { carrier, row }) => {
    const { due } = (carrier && dueNow.get(carrier.deviceId)) ?? NOTHING;
    return sum + Math.max(row.delivered - due, 0);
  }, 0);
  return Math.min(missed, beyond);
}

/** Gaps of many devices by reason. */
const sumGaps = (gaps: readonly StatementGap[]): StatementGap[] =>
  GAP_REASONS.flatMap((reason) => {
    const own = gaps.filter((gap) => gap.reason === reason);
    const plays = own.reduce((sum, gap) => sum + gap.plays, 0);
    return plays > 0 ? [{ reason, plays, durationMs: own.reduce((sum, gap) => sum + gap.durationMs, 0) }] : [];
  });

type Plays = Map<string, Pick<Delivered, 'plays' | 'durationMs'>>;

const playsBy = (delivered: readonly Delivered[], key: 'deviceId' | 'releaseId' | 'day'): Plays =>
  new Map(delivered.flatMap((row) => (row[key] === null ? [] : [[row[key], row] as const])));

/** Devices that carry or carried it, and others that have played it all the same. */
async function devicesOf(db: Db, viewer: Scoped, carriers: CarriedBy[], shares: Map<string, Share>, plays: Plays) {
  const known = new Set(carriers.map(({ deviceId }) => deviceId));
  const strangers = [...plays.keys()].filter((id) => !known.has(id));
  const names = await findOthers(db, viewer, strangers);
  const rowOf = (
    deviceId: string,
    about: Omit<StatementDevice, keyof StatementFigures | 'missed' | 'extra' | 'gaps'>,
  ) => {
    const row = figures(shares.get(deviceId), plays.get(deviceId));
    const missed = Math.max(row.due - row.delivered, 0);
    return { ...about, ...row, missed, extra: Math.max(row.delivered - row.due, 0), gaps: [] };
  };
  return [
    ...carriers.map((carrier) => ({ carrier, row: rowOf(carrier.deviceId, ofCarrier(carrier)) })),
    ...strangers.map((id) => {
      const other = names.get(id);
      const seen = other?.isSeen ? { id, mac: other.mac } : { id: null, mac: null };
      const about = { ...seen, name: other?.name ?? '', area: other?.area ?? null, joinedAt: null, leftAt: null };
      return { carrier: null, row: rowOf(id, about) };
    }),
  ];
}

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const ofCarrier = ({ deviceId, name, area, isSeen, mac, isOrdered, joinedAt, leftAt }: CarriedBy) => ({
  id: isSeen ? deviceId : null,
  mac: isSeen ? mac : null,
  name,
  area,
  joinedAt: isOrdered ? null : instant(joinedAt),
  leftAt: instant(leftAt),
});

/** Areas by name; devices without one are the last. */
function areasOf(devices: readonly StatementDevice[]): Statement['areas'] {
  return [...Map.groupBy(devices, ({ area }) => area)]
    .toSorted(([a], [b]) => Number(a === null) - Number(b === null) || (a ?? '').localeCompare(b ?? ''))
    .map(([area, own]) => ({ area, devices: own.length, ...sumOf(own), ...deviations(own) }));
}

/** Creatives share the order evenly: the one that is furthest behind plays. */
async function creativesOf(db: Db, id: string, ordered: number, plays: Plays): Promise<Statement['creatives']> {
  const rows = await findCreatives(db, id, [...plays.keys()]);
  const count = rows.filter(({ isOrdered }) => isOrdered).length;
  return rows.map(({ adId, releaseId, name, isOrdered }, index) => {
    const share = (n: number): number => Math.floor((ordered * n) / count);
    const { plays: delivered, durationMs } = plays.get(releaseId ?? '') ?? NONE;
    return { id: adId, name, ordered: isOrdered ? share(index + 1) - share(index) : 0, delivered, durationMs };
  });
}

function timeZonesOf(carriers: readonly CarriedBy[]): string[] {
  const zones = Map.groupBy(carriers, ({ timeZone }) => timeZone);
  return [...zones].toSorted(([, a], [, b]) => b.length - a.length).map(([zone]) => zone);
}

/** Fills in why plays are missing on devices. */
async function explain(
  db: Db,
  order: Order,
  period: { from: string; to: string },
  scale: number,
  devices: Awaited<ReturnType<typeof devicesOf>>,
): Promise<StatementDevice[]> {
  const lacking = devices.flatMap(({ carrier, row }) => (carrier && row.missed > 0 ? [carrier.deviceId] : []));
  const troubles = await findTroubles(db, lacking, order.bookedAt, order.dueUntil);
  const pastHours = await readPastHours(db, lacking, new Date(order.bookedAt));
  const gaps = new Gaps(order, period, scale, troubles, pastHours);
  const explained: StatementDevice[] = [];
  for (const [index, { carrier, row }] of devices.entries()) {
    if (index % DEVICES_AT_ONCE === 0) await setImmediate();
    explained.push({ ...row, gaps: carrier && row.missed > 0 ? gaps.of(carrier, row.missed) : [] });
  }
  return explained;
}

/**
 * The statement of a booked campaign in scope. People without the right to see a device see its name and area.
 * Throws `NOT_FOUND`, `CAMPAIGN_STATE`.
 */
export async function getStatement(
  db: Db,
  viewer: Scoped,
  id: string,
  wanted: StatementPeriod,
  now = Date.now(),
): Promise<Statement> {
  const campaign = await getCampaign(db, viewer, id);
  const carriers = await findCarriedBy(db, viewer, id);
  const agreed = { ...campaign, ordered: carriers[0]?.orderOfAll ?? campaign.ordered };
  const order = orderOf(agreed, now - REPORTED_WITHIN_MS);
  const delivered = await findDelivered(db, id, wanted);
  const scans = await findScans(db, id);
  const { period, days } = periodOf(wanted, campaign, delivered, [...(scans?.keys() ?? [])]);
  const spread = await spreadOrder(order, carriers, period);
  const found = await devicesOf(db, viewer, carriers, spread.byDevice, playsBy(delivered, 'deviceId'));
  const devices = await explain(db, order, period, spread.scale, found);
  const byDay = playsBy(delivered, 'day');
  const total = sumOf(devices);
  const termDays = await findTermDays(db, id);
  const sums = deviations(devices);
  const isMadeGood = sums.missed > 0 && sums.extra > 0;
  const dueNow = isMadeGood ? (await spreadOrder(orderOf(agreed, now), carriers, period)).byDevice : spread.byDevice;
  return {
    campaign: { id, name: campaign.name, customer: campaign.customer.username },
    ...period,
    timeZones: timeZonesOf(carriers),
    ...total,
    ...{ ...sums, makeGoods: madeGood(found, dueNow, sums.missed) },
    gaps: sumGaps(devices.flatMap(({ gaps }) => gaps)),
    scans: scans ? days.reduce((sum, day) => sum + (scans.get(day) ?? 0), 0) : null,
    days: days.map((day) => ({
      day,
      ...figures(spread.byDay.get(day), byDay.get(day)),
      scans: scans?.get(day) ?? 0,
    })),
    areas: areasOf(devices),
    devices,
    creatives: await creativesOf(db, id, total.ordered, playsBy(delivered, 'releaseId')),
    price: campaign.price,
    ...chargedIn({ ...campaign, ...termDays, ordered: order.plays }, delivered, period),
    currency: campaign.price.currency,
    createdAt: new Date(now).toISOString(),
  };
}
