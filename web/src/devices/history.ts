import {
  type DeviceHistory,
  HISTORY_DAYS,
  type Stretch,
  addDays,
  expiryInstant,
  localTime,
  stretchesWithin,
  uptimeOf,
} from '@ams/contract';

/** One calendar day of a device's time zone. */
export interface HistoryDay {
  /** `YYYY-MM-DD` */
  date: string;
  /** Parts of the whole day, 0 to 1, in order; what is to come of today has none. */
  parts: { state: Stretch['state']; start: number; length: number }[];
  /** The online part of what is known of it. */
  uptime: number | null;
}

const toStretches = ({ stretches }: DeviceHistory): Stretch[] =>
  stretches.map(({ state, from, to }) => ({ state, from: Date.parse(from), to: Date.parse(to) }));

/** The days of a history, the newest first. */
export function daysOf(history: DeviceHistory): HistoryDay[] {
  const all = toStretches(history);
  const { date: today } = localTime(Date.parse(history.to), history.timeZone);
  return Array.from({ length: HISTORY_DAYS }, (_, back) => {
    const date = addDays(today, -back);
    const start = expiryInstant(addDays(date, -1), history.timeZone);
    const end = expiryInstant(date, history.timeZone);
    const stretches = stretchesWithin(all, start, end);
    const part = (instants: number): number => instants / (end - start);
    return {
      date,
      parts: stretches.map(({ state, from, to }) => ({ state, start: part(from - start), length: part(to - from) })),
      uptime: uptimeOf(stretches),
    };
  });
}

/** The times in which it was away, the newest first. `to` is undefined while it still is. */
export function outagesOf(history: DeviceHistory): { from: string; to: string | undefined; ms: number }[] {
  return history.stretches
    .filter(({ state }) => state === 'offline')
    .map(({ from, to }) => ({
      from,
      to: to === history.to ? undefined : to,
      ms: Date.parse(to) - Date.parse(from),
    }))
    .toReversed();
}

/** Rounded so that only what never failed is called 100 % (and only what never was there 0 %). */
export const shownUptime = (uptime: number): number =>
  uptime === 1 || uptime === 0 ? uptime : Math.min(0.999, Math.max(0.001, uptime));
