import { addDays, type Carrier, expiryInstant, makeOpenTime, zonedInstant } from '@ams/contract';
import type { CarrierRow } from './delivery.queries.ts';

const DAY_MS = 86_400_000;
/** A flight is over everywhere so many days after its last one: zones differ by two, hours run over midnight. */
const DAYS_AFTER = 3;
const HOUR_MS = 3_600_000;

/** When a campaign runs on a device. */
export type Opening = Pick<CarrierRow, 'schedule' | 'timeZone' | 'expiresOn' | 'hours'>;

/** Open time up to an instant, in milliseconds. */
export type OpenTime = (at: number) => number;

/** Open time between instants, computed once for devices with equal rules, and for as long as somebody asks for it. */
export class OpenTimes {
  #before = new Map<string, OpenTime>();
  #known = new Map<string, OpenTime>();
  readonly #ofRow = new WeakMap<Opening, OpenTime>();

  /** The open time of a campaign on a device; the same function for devices with equal rules. */
  of(row: Opening): OpenTime {
    const known = this.#ofRow.get(row) ?? this.#until(row);
    this.#ofRow.set(row, known);
    return known;
  }

  /** Open time of a campaign on a device, in milliseconds, from one instant to another. */
  between(row: Opening, from: number, to: number): number {
    const open = this.of(row);
    return Math.max(open(to) - open(from), 0);
  }

  /** Forgets what nobody asked for since it was called before. */
  forget(): void {
    [this.#before, this.#known] = [this.#known, new Map()];
  }

  #once(key: string, make: () => OpenTime): OpenTime {
    const known = this.#known.get(key) ?? this.#before.get(key) ?? make();
    this.#known.set(key, known);
    return known;
  }

  /** Devices expire on many days: the days of a flight are computed once for all of them. */
  #until(row: Opening): OpenTime {
    const { expiresOn, timeZone } = row;
    const key = JSON.stringify([row.schedule, timeZone, row.hours]);
    const open = this.#once(key, () => openTimeOf(row));
    if (expiresOn === null || expiresOn > addDays(row.schedule.to, DAYS_AFTER)) return open;
    return this.#once(`${key} ${expiresOn}`, () => {
      const end = expiryInstant(expiresOn, timeZone);
      return (at) => open(Math.min(at, end));
    });
  }
}

function openTimeOf({ schedule, timeZone, hours }: Opening): OpenTime {
  const start = startOf({ schedule });
  const open = makeOpenTime(schedule, { timeZone, expiresOn: null, workingHours: hours }, start);
  return (at) => open(Math.max(at, start));
}

/** Before the flight wherever the device is, in milliseconds since 1970: its midnight is at most a day from that of UTC. */
export const startOf = ({ schedule }: Pick<CarrierRow, 'schedule'>): number =>
  Date.parse(`${schedule.from}T00:00:00Z`) - DAY_MS;

/** The end of a flight wherever the device is, in milliseconds since 1970. */
export const endOf = ({ schedule }: Pick<CarrierRow, 'schedule'>): number =>
  Date.parse(`${schedule.to}T00:00:00Z`) + DAYS_AFTER * DAY_MS;

/** Where local days begin, in milliseconds since 1970: each is computed once per zone. */
export function makeMidnights(): (day: string, timeZone: string) => number {
  const known = new Map<string, number>();
  return (day, timeZone) => {
    const key = `${timeZone} ${day}`;
    const at = known.get(key) ?? zonedInstant(day, 0, timeZone);
    known.set(key, at);
    return at;
  };
}

/** The devices of a group that were booked at one moment. */
interface Booking {
  at: number;
  weight: number;
  /** The weight of all devices that were booked before. */
  before: number;
}

/** Devices that are open at the same times, and when they were booked, in order. */
interface Group {
  open: OpenTime;
  timeZone: string;
  bookings: readonly Booking[];
}

function bookingsOf(rows: readonly CarrierRow[], weightOf: (row: CarrierRow) => number): Booking[] {
  const moments = [...Map.groupBy(rows, ({ bookedAt }) => bookedAt)].toSorted(([a], [b]) => a - b);
  let sum = 0;
  return moments.map(([at, alike]) => {
    const weight = alike.reduce((more, row) => more + weightOf(row), 0);
    const before = sum;
    sum += weight;
    return { at, weight, before };
  });
}

/** How many bookings an instant is not before. */
function countUntil(bookings: readonly Booking[], at: number): number {
  let [low, high] = [0, bookings.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bookings[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Open time of a group between two instants: only those that were booked between them are counted one by one. */
function openOf({ open, bookings }: Group, from: number, to: number): number {
  if (to <= from) return 0;
  const end = open(to);
  const first = countUntil(bookings, from);
  const last = bookings[first - 1];
  let sum = last ? (last.before + last.weight) * Math.max(end - open(from), 0) : 0;
  for (let index = first; ; index += 1) {
    const booking = bookings[index];
    if (!booking || booking.at >= to) return sum;
    sum += booking.weight * Math.max(end - open(booking.at), 0);
  }
}

/**
 * Measures the open time of devices, of each from when it was booked and times its weight, in milliseconds. `spanOf` names
 * the instants by the zone of a device.
 */
export function weighOpenTime(
  rows: readonly CarrierRow[],
  times: OpenTimes,
  weightOf: (row: CarrierRow) => number,
): (spanOf: (timeZone: string) => [from: number, to: number]) => number {
  const groups = Array.from(
    Map.groupBy(rows, (row) => times.of(row)),
    ([open, alike]): Group => ({ open, timeZone: alike[0]?.timeZone ?? 'UTC', bookings: bookingsOf(alike, weightOf) }),
  );
  return (spanOf) => groups.reduce((sum, group) => sum + openOf(group, ...spanOf(group.timeZone)), 0);
}

/** Spots of a campaign that are due on a device by an instant. */
export const dueOf = (row: CarrierRow, times: OpenTimes, now: number): number =>
  row.dueBefore + times.between(row, row.pacedFrom, now) / row.everyMs;

/** A device as the rule of re-planning sees it; `free` is what others leave of its time. */
export function toCarrier(row: CarrierRow, times: OpenTimes, now: number, free: number): Carrier {
  const { everyMs, spotMs, played, online, lastSeenAt, hasFailed, silentHours } = row;
  const due = dueOf(row, times, now);
  const isSilent = !online && now - (lastSeenAt ?? 0) > silentHours * HOUR_MS;
  // Weeks before a flight it does not matter whether a device is on.
  const isLost = now >= startOf(row) && (hasFailed || isSilent);
  const isExpected = !online && !isLost;
  return {
    ...{ id: row.deviceId, everyMs, spotMs, due, isLost, free },
    played: isExpected ? Math.max(played, Math.ceil(due)) : played,
    leftMs: times.between(row, now, endOf(row)),
    isOffline: isExpected,
  };
}
