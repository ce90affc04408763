import './campaigns.tables.ts';
import {
  addDays,
  BEHIND_MAX,
  type BehindReason,
  type CampaignDelivery,
  daysBetween,
  type FlightSchedule,
  lastCovered,
  latestDate,
} from '@ams/contract';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { readCampaign } from './campaigns.queries.ts';
import { OpenTimes, toCarrier, weighOpenTime } from './carriers.ts';
import { type CarrierRow, findCarriers, findDays, findHours, findNamed, findOrders } from './delivery.queries.ts';
import { type Plan, planOf, standingOf } from './plan.ts';

const HOUR_MS = 3_600_000;
/** Devices report every few minutes: what is due in the last hour, or as small a part of all, is not yet missing. */
const BEHIND_MS = HOUR_MS;
const BEHIND_SHARE = 0.02;
const BEHIND_LEAST = 2;

const dueOn = (row: CarrierRow, times: OpenTimes, now: number): number =>
  row.dueBefore + times.between(row, row.pacedFrom, now) / row.everyMs;

/** Spots that are due on the present paces between two instants. */
function expectation(rows: readonly CarrierRow[], times: OpenTimes): (from: number, to: number) => number {
  const plays = weighOpenTime(rows, times, ({ everyMs }) => 1 / everyMs);
  return (from, to) => plays(() => [from, to]);
}

function reasonOf({ online, expired, hasFailed }: CarrierRow): BehindReason {
  if (!online) return 'offline';
  if (expired) return 'expired';
  return hasFailed ? 'failed' : 'late';
}

interface Behind {
  row: CarrierRow;
  plays: number;
}

/** The devices that are behind their pace, the furthest first. */
function findBehind(rows: readonly CarrierRow[], times: OpenTimes, now: number): Behind[] {
  const measured = rows.map((row) => ({ row, due: dueOn(row, times, now) }));
  return measured
    .filter(({ row, due }) => {
      const tolerated = Math.max(BEHIND_LEAST, BEHIND_MS / row.everyMs, due * BEHIND_SHARE);
      return due - row.played > tolerated;
    })
    .map(({ row, due }) => ({ row, plays: Math.round(due - row.played) }))
    .toSorted((a, b) => b.plays - a.plays || (a.row.deviceId < b.row.deviceId ? -1 : 1));
}

/** How many devices are behind; only people who may see a device learn which it is. */
async function describeBehind(db: Db, viewer: Scoped, behind: readonly Behind[]): Promise<CampaignDelivery['behind']> {
  const ids = behind.map(({ row }) => row.deviceId);
  const known = await findNamed(db, viewer, ids);
  const named = behind.flatMap(({ row, plays }) => {
    const found = known.get(row.deviceId);
    if (!found) return [];
    const { area, lastSeenAt, ...device } = found;
    return [{ device, area, plays, reason: reasonOf(row), lastSeenAt }];
  });
  return {
    devices: behind.length,
    plays: behind.reduce((sum, { plays }) => sum + plays, 0),
    named: named.slice(0, BEHIND_MAX),
  };
}

/** The days on which a flight runs up to `today`, and days before and after on which devices played it by their own clocks. */
function daysOf(
  schedule: FlightSchedule,
  today: string,
  delivered: ReadonlyMap<string, number>,
  plan: Plan,
  now: number,
): CampaignDelivery['days'] {
  const known = [...delivered.keys()];
  const to = lastCovered(schedule);
  const first = known.reduce((a, b) => (a < b ? a : b), schedule.from);
  const last = known.reduce((a, b) => (a > b ? a : b), today < to ? today : to);
  return Array.from({ length: Math.max(daysBetween(first, last) + 1, 0) }, (_, index) => {
    const day = addDays(first, index);
    return { day, delivered: delivered.get(day) ?? 0, due: Math.round(plan.on(day, now)) };
  });
}

/**
 * The delivery of a campaign in scope: late plays count at their hour. Expected plays are those of the present paces.
 * Throws `NOT_FOUND`.
 */
export async function getDelivery(db: Db, viewer: Viewer, id: string, now = Date.now()): Promise<CampaignDelivery> {
  const campaign = await readCampaign(db, viewer, id);
  const { ordered, make_goods: makeGoods, short, short_since: shortSince } = campaign;
  const one = sql<boolean>`c.id = ${id}`;
  const rows = await findCarriers(db, one);
  const order = (await findOrders(db, one))[0] ?? { id, ordered: 0, delivered: 0, left: 0, carriers: 0 };
  const [hours, days] = [await findHours(db, id), await findDays(db, id)];
  const times = new OpenTimes();
  const expected = expectation(rows, times);
  const carriers = rows.map((row) => toCarrier(row, times, now, 0));
  const isOver = campaign.state === 'cancelled';
  // Nothing is due any more once it was cancelled.
  const until = Math.min(now, campaign.cancelled_at?.getTime() ?? now);
  const standing = standingOf(order, rows, carriers, times, until);
  return {
    ordered: ordered ?? 0,
    delivered: order.delivered,
    expected: Math.round(rows.reduce((sum, row) => sum + dueOn(row, times, until), 0)),
    due: isOver && rows.length === 0 ? campaign.due : standing.due,
    forecast: isOver ? order.delivered : standing.forecast,
    makeGoods,
    short: short > 0 && shortSince ? { plays: short, since: shortSince.toISOString() } : null,
    hours: hours.map(({ hour, delivered }) => ({
      hour: hour.toISOString(),
      delivered,
      expected: Math.round(expected(hour.getTime(), Math.min(hour.getTime() + HOUR_MS, until))),
    })),
    days: daysOf(
      campaign.schedule,
      latestDate(until, new Set(rows.map(({ timeZone }) => timeZone))),
      new Map(days.map(({ day, delivered }) => [day, delivered])),
      planOf(order, rows, times),
      until,
    ),
    behind: await describeBehind(db, viewer, isOver ? [] : findBehind(rows, times, now)),
  };
}
