import { addDays, type FlightSchedule, zonedInstant } from '@ams/contract';
import { OpenTimes } from './carriers.ts';
import type { CarriedBy, Rules } from './statement.queries.ts';

/** What was booked. Instants in milliseconds since 1970. */
export interface Order {
  plays: number;
  schedule: FlightSchedule;
  bookedAt: number;
  /** Plays are due until then: now, or when it was cancelled. */
  dueUntil: number;
}

/** Plays that were ordered, and those of them that are due. */
export interface Share {
  ordered: number;
  due: number;
}

/** The order in a period, by device and by day: both add up to the same sums, those of all periods to the order. */
export interface SpreadOrder {
  byDevice: Map<string, Share>;
  byDay: Map<string, Share>;
  /** Plays that were ordered per play of the pace that was booked; other than 1 where open time is rounded. */
  scale: number;
}

interface DayOpen {
  day: string;
  openMs: number;
  /** What of it is due. */
  dueMs: number;
}

export const earlier = (a: string, b: string): string => (a < b ? a : b);
export const later = (a: string, b: string): string => (a > b ? a : b);

/** Calendar days, both included. */
export function daysOf(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Open time of each day of the flight, and of the one after it, into which hours over midnight reach. */
function openDays({ schedule, bookedAt, dueUntil }: Order, rules: Rules, times: OpenTimes): DayOpen[] {
  const opening = { schedule, ...rules };
  return daysOf(schedule.from, addDays(schedule.to, 1)).map((day) => {
    const from = Math.max(zonedInstant(day, 0, rules.timeZone), bookedAt);
    const to = zonedInstant(addDays(day, 1), 0, rules.timeZone);
    return {
      day,
      openMs: to > from ? times.between(opening, from, to) : 0,
      dueMs: dueUntil > from ? times.between(opening, from, Math.min(to, dueUntil)) : 0,
    };
  });
}

/** Open time by day, once for devices with equal rules. */
function openDaysOf(order: Order, carriers: readonly Pick<CarriedBy, 'agreed'>[]): DayOpen[][] {
  const known = new Map<string, DayOpen[]>();
  const times = new OpenTimes();
  return carriers.map(({ agreed }) => {
    const key = JSON.stringify(agreed);
    const days = known.get(key) ?? openDays(order, agreed, times);
    known.set(key, days);
    return days;
  });
}

/**
 * Distributes the order over devices and days by the open time that was agreed, in whole plays: each cell has what the
 * running sum gains by it, so that sums of cells are never off. Devices that joined later have no part in the order.
 */
export function spreadOrder(
  order: Order,
  all: readonly CarriedBy[],
  period: { from: string; to: string },
): SpreadOrder {
  const carriers = all.filter(({ isOrdered }) => isOrdered);
  const open = openDaysOf(order, carriers);
  const paced = carriers.reduce(
    (sum, { everyMs }, index) => (open[index] ?? []).reduce((more, { openMs }) => more + openMs / everyMs, sum),
    0,
  );
  const scale = paced > 0 ? order.plays / paced : 0;
  const [byDevice, byDay] = [new Map<string, Share>(), new Map<string, Share>()];
  const add = (sums: Map<string, Share>, key: string, { ordered, due }: Share): void => {
    const sum = sums.get(key) ?? { ordered: 0, due: 0 };
    sums.set(key, { ordered: sum.ordered + ordered, due: sum.due + due });
  };
  let until = 0;
  for (const [at, { day }] of (open[0] ?? []).entries()) {
    for (const [index, { deviceId, everyMs }] of carriers.entries()) {
      const { openMs = 0, dueMs = 0 } = open[index]?.[at] ?? {};
      const before = Math.round(until);
      until += (openMs / everyMs) * scale;
      if (day < period.from || day > period.to) continue;
      const ordered = Math.round(until) - before;
      const share = { ordered, due: openMs > 0 ? Math.floor((ordered * dueMs) / openMs) : 0 };
      add(byDevice, deviceId, share);
      add(byDay, day, share);
    }
  }
  return { byDevice, byDay, scale };
}

/** Devices with equal rules and pace that a campaign was booked on. */
export interface CarrierClass extends Pick<CarriedBy, 'agreed' | 'everyMs'> {
  devices: number;
}

/** The order by day alone, in whole plays: that of `spreadOrder` without its devices. */
export function spreadByDay(order: Order, classes: readonly CarrierClass[]): Map<string, number> {
  const open = openDaysOf(order, classes);
  const days = (open[0] ?? []).map(({ day }, at) => ({
    day,
    paced: classes.reduce(
      (sum, { everyMs, devices }, index) => sum + ((open[index]?.[at]?.openMs ?? 0) / everyMs) * devices,
      0,
    ),
  }));
  const whole = days.reduce((sum, { paced }) => sum + paced, 0);
  const byDay = new Map<string, number>();
  let until = 0;
  for (const { day, paced } of days) {
    const before = Math.round(until);
    until += whole > 0 ? (paced * order.plays) / whole : 0;
    byDay.set(day, Math.round(until) - before);
  }
  return byDay;
}
