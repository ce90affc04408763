import { type Carrier, makeOpenTime } from '@ams/contract';
import type { CarrierRow } from './delivery.queries.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** When a campaign runs on a device. */
export type Opening = Pick<CarrierRow, 'schedule' | 'timeZone' | 'expiresOn' | 'hours'>;

/** Open time up to an instant, in milliseconds. */
export type OpenTime = (at: number) => number;

/** Open time between instants, computed once for devices with equal rules. */
export class OpenTimes {
  readonly #known = new Map<string, OpenTime>();
  readonly #ofRow = new WeakMap<Opening, OpenTime>();

  /** The open time of a campaign on a device; the same function for devices with equal rules. */
  of(row: Opening): OpenTime {
    const known = this.#ofRow.get(row) ?? this.#equal(row);
    this.#ofRow.set(row, known);
    return known;
  }

  #equal({ schedule, timeZone, expiresOn, hours }: Opening): OpenTime {
    const key = JSON.stringify([schedule, timeZone, expiresOn, hours]);
    const known = this.#known.get(key);
    if (known) return known;
    const start = startOf({ schedule });
    const open = makeOpenTime(schedule, { timeZone, expiresOn, workingHours: hours }, start);
    const made: OpenTime = (at) => open(Math.max(at, start));
    this.#known.set(key, made);
    return made;
  }

  /** Open time of a campaign on a device, in milliseconds, from one instant to another. */
  between(row: Opening, from: number, to: number): number {
    const open = this.of(row);
    return Math.max(open(to) - open(from), 0);
  }
}

/** Before the flight wherever the device is, in milliseconds since 1970: its midnight is at most a day from that of UTC. */
export const startOf = ({ schedule }: Pick<CarrierRow, 'schedule'>): number =>
  Date.parse(`${schedule.from}T00:00:00Z`) - DAY_MS;

/** The end of a flight wherever the device is, in milliseconds since 1970. */
export const endOf = ({ schedule }: CarrierRow): number => Date.parse(`${schedule.to}T00:00:00Z`) + 3 * DAY_MS;

/** Spots of a campaign that are due on a device by an instant. */
export const dueOf = (row: CarrierRow, times: OpenTimes, now: number): number =>
  row.dueBefore + times.between(row, row.pacedFrom, now) / row.everyMs;

/** A device as the rule of re-planning sees it; `free` is what others leave of its time. */
export function toCarrier(row: CarrierRow, times: OpenTimes, now: number, free: number): Carrier {
  const { everyMs, spotMs, played, online, lastSeenAt, hasFailed, silentHours } = row;
  const due = dueOf(row, times, now);
  const isLost = hasFailed || (!online && now - (lastSeenAt ?? 0) > silentHours * HOUR_MS);
  const isExpected = !online && !isLost;
  return {
    ...{ id: row.deviceId, everyMs, spotMs, due, isLost, free },
    played: isExpected ? Math.max(played, Math.ceil(due)) : played,
    leftMs: times.between(row, now, endOf(row)),
    isOffline: isExpected,
  };
}
