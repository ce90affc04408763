import { setImmediate } from 'node:timers/promises';
import { addDays, type FlightSchedule } from '@ams/contract';
import { makeMidnights, OpenTimes } from './carriers.ts';
import type { Rules } from './carriers.sql.ts';
import type { CarriedBy, JoinedOrder } from './statement.queries.ts';

/** Devices whose days are added up before the process answers others. */
const DEVICES_AT_ONCE = 100;

/** The order as it was booked. Instants in milliseconds since 1970. */
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
  /**
   * Plays that were ordered per play of the pace that was booked; other than 1 where open time is rounded. On devices that
   * joined later it is 1.
   */
  scale: number;
}

interface DayOpen {
  day: string;
  openMs: number;
  /** The part of it that is due. */
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

/** A day from midnight to midnight, in milliseconds since 1970. */
interface WholeDay extends DayOpen {
  from: number;
  to: number;
}

/** Open time from one instant to another, in milliseconds; none if the other is not later. */
type OpenBetween = (from: number, to: number) => number;

/**
 * The period for which plays are ordered on a device, with its rules. Instants in milliseconds since 1970; null: until the
 * flight ends.
 */
type Term = Pick<JoinedOrder, 'agreed' | 'from' | 'to'>;

const termOf = ({ agreed, from, to }: Term): Term => ({ agreed, from, to });

const bookedTerm = ({ bookedAt }: Order, { agreed }: Pick<CarriedBy, 'agreed'>): Term => ({
  ...{ agreed, from: bookedAt, to: null },
});

/** Open time of each day of the flight, and of the one after it, into which hours over midnight reach. */
function wholeDays(
  { schedule, dueUntil }: Order,
  { timeZone }: Rules,
  midnight: ReturnType<typeof makeMidnights>,
  openBetween: OpenBetween,
): WholeDay[] {
  return daysOf(schedule.from, addDays(schedule.to, 1)).map((day) => {
    const [from, to] = [midnight(day, timeZone), midnight(addDays(day, 1), timeZone)];
    return { day, from, to, openMs: openBetween(from, to), dueMs: openBetween(from, Math.min(to, dueUntil)) };
  });
}

/** The part of a day that is within a term: most days are so as a whole. */
function within(whole: WholeDay, term: Term, { dueUntil }: Order, openBetween: OpenBetween): DayOpen {
  const from = Math.max(whole.from, term.from);
  const to = Math.min(whole.to, term.to ?? Infinity);
  if (from === whole.from && to === whole.to) return whole;
  return { day: whole.day, openMs: openBetween(from, to), dueMs: openBetween(from, Math.min(to, dueUntil)) };
}

/**
 * Open time by day: days once for devices with equal rules, what is within a term once for those with equal terms. Rules can
 * be as many as devices: the process answers others in between.
 */
async function openDaysOf(order: Order, terms: readonly Term[]): Promise<DayOpen[][]> {
  const times = new OpenTimes();
  const midnight = makeMidnights();
  const ofRules = new Map<string, { days: WholeDay[]; openBetween: OpenBetween }>();
  const ofTerm = new Map<string, DayOpen[]>();
  const daysBy = (rules: string, { agreed }: Term) => {
    const known = ofRules.get(rules);
    if (known) return known;
    const opening = { schedule: order.schedule, ...agreed };
    const openBetween: OpenBetween = (from, to) => (to > from ? times.between(opening, from, to) : 0);
    const made = { days: wholeDays(order, agreed, midnight, openBetween), openBetween };
    ofRules.set(rules, made);
    return made;
  };
  const found: DayOpen[][] = [];
  for (const term of terms) {
    const rules = JSON.stringify(term.agreed);
    const key = `${rules} ${term.from} ${term.to}`;
    let open = ofTerm.get(key);
    if (!open) {
      await setImmediate();
      const { days, openBetween } = daysBy(rules, term);
      open = days.map((day) => within(day, term, order, openBetween));
      ofTerm.set(key, open);
    }
    found.push(open);
  }
  return found;
}

/** A share of the order by day. */
interface DayShare extends Share {
  day: string;
}

/** Plays of a day, of which those are due whose open time is over. */
const shareOf = (ordered: number, { day, openMs, dueMs }: DayOpen): DayShare => ({
  ...{ day, ordered, due: openMs > 0 ? Math.floor((ordered * dueMs) / openMs) : 0 },
});

/** The plays that a joined device adds to the order, by day: its pace completes them on it. */
function joinedDays(days: readonly DayOpen[], everyMs: number, { plays }: Pick<JoinedOrder, 'plays'>): DayShare[] {
  let [openMs, until] = [0, 0];
  return days.map((day) => {
    const before = until;
    openMs += day.openMs;
    until = Math.min(Math.floor(openMs / everyMs), plays);
    return shareOf(until - before, day);
  });
}

/**
 * Distributes the order over devices and days by the open time that was agreed, in whole plays: each cell has what the
 * running sum gains by it, so that sums of cells are never off. Devices that joined later have what they added to it.
 */
export async function spreadOrder(
  order: Order,
  all: readonly CarriedBy[],
  period: { from: string; to: string },
): Promise<SpreadOrder> {
  const carriers = all.filter(({ isOrdered }) => isOrdered);
  const joins = all.flatMap((carrier) => carrier.joins.map((join) => ({ ...join, carrier })));
  const open = await openDaysOf(
    order,
    carriers.map((carrier) => bookedTerm(order, carrier)),
  );
  const booked = joins.reduce((plays, join) => plays - join.plays, order.plays);
  const paced = await pacedPlays(carriers, open);
  const scale = paced > 0 ? booked / paced : 0;
  const [byDevice, byDay] = [new Map<string, Share>(), new Map<string, Share>()];
  const isCounted = (day: string): boolean => day >= period.from && day <= period.to;
  const ofCarriers: Share[] = [];
  let until = 0;
  for (const [at, { day }] of (open[0] ?? []).entries()) {
    await setImmediate();
    const ofDay = isCounted(day) ? sumIn(byDay, day) : undefined;
    for (const [index, { deviceId, everyMs }] of carriers.entries()) {
      const own = open[index]?.[at];
      if (!own) continue;
      const before = Math.round(until);
      until += (own.openMs / everyMs) * scale;
      if (!ofDay) continue;
      const share = shareOf(Math.round(until) - before, own);
      addTo(ofDay, share);
      addTo((ofCarriers[index] ??= sumIn(byDevice, deviceId)), share);
    }
  }
  for (const [index, days] of (await openDaysOf(order, joins.map(termOf))).entries()) {
    const join = joins[index];
    if (!join) continue;
    if (index % DEVICES_AT_ONCE === 0) await setImmediate();
    for (const share of joinedDays(days, join.carrier.everyMs, join)) {
      if (!isCounted(share.day)) continue;
      addTo(sumIn(byDevice, join.carrier.deviceId), share);
      addTo(sumIn(byDay, share.day), share);
    }
  }
  return { byDevice, byDay, scale };
}

/** Plays of the pace that was booked. `open`: of each device, by day. */
async function pacedPlays(carriers: readonly CarriedBy[], open: readonly DayOpen[][]): Promise<number> {
  let plays = 0;
  for (const [index, { everyMs }] of carriers.entries()) {
    if (index % DEVICES_AT_ONCE === 0) await setImmediate();
    for (const { openMs } of open[index] ?? []) plays += openMs / everyMs;
  }
  return plays;
}

/** The sum of a key, which is none before something is added to it. */
function sumIn(sums: Map<string, Share>, key: string): Share {
  const known = sums.get(key);
  if (known) return known;
  const sum = { ordered: 0, due: 0 };
  sums.set(key, sum);
  return sum;
}

function addTo(sum: Share, { ordered, due }: Share): void {
  sum.ordered += ordered;
  sum.due += due;
}

/** Devices with equal rules and pace that a campaign was booked on, or that joined it at the same moment. */
export interface CarrierClass extends Pick<CarriedBy, 'agreed' | 'everyMs'> {
  devices: number;
  /** Null: it was booked on them. */
  join: Omit<JoinedOrder, 'agreed'> | null;
}

/** The order by day alone, in whole plays: that of `spreadOrder` without its devices. */
export async function spreadByDay(order: Order, classes: readonly CarrierClass[]): Promise<Map<string, number>> {
  const open = await openDaysOf(
    order,
    classes.map(({ agreed, join }) => (join ? termOf({ ...join, agreed }) : bookedTerm(order, { agreed }))),
  );
  const paced = new Map<string, number>();
  const byDay = new Map<string, number>();
  const addOn = (sums: Map<string, number>, day: string, more: number) => sums.set(day, (sums.get(day) ?? 0) + more);
  let booked = order.plays;
  for (const [index, { everyMs, devices, join }] of classes.entries()) {
    const days = open[index] ?? [];
    if (join) {
      booked -= join.plays * devices;
      for (const { day, ordered } of joinedDays(days, everyMs, join)) addOn(byDay, day, ordered * devices);
    } else {
      for (const { day, openMs } of days) addOn(paced, day, (openMs / everyMs) * devices);
    }
  }
  const whole = [...paced.values()].reduce((sum, plays) => sum + plays, 0);
  let until = 0;
  for (const [day, plays] of paced) {
    const before = Math.round(until);
    until += whole > 0 ? (plays * booked) / whole : 0;
    addOn(byDay, day, Math.round(until) - before);
  }
  return byDay;
}
