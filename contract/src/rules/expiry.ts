import type { Manifest } from '../player.ts';
import { localTime } from './zone.ts';

/**
 * A device is expired once the day `expiresOn` (`YYYY-MM-DD`) is over in its own time zone.
 * `now` in milliseconds since 1970.
 */
export function isExpired(expiresOn: string | null, timeZone: string, now: number): boolean {
  return expiresOn !== null && localTime(now, timeZone).date > expiresOn;
}

/**
 * Whether a device plays no ads at `now` (milliseconds since 1970): the server reported it as expired, or its last day
 * has ended since, with or without a network. Only a newer manifest resumes the ads.
 */
export const isDark = (
  { expired, expiresAt, timeZone }: Pick<Manifest, 'expired' | 'expiresAt' | 'timeZone'>,
  now: number,
): boolean => expired || isExpired(expiresAt, timeZone, now);

const HOUR_MS = 3_600_000;

/** People write the last day of the calendar for "never"; what comes after it has a year of five digits, which nobody reads. */
const LAST_DAY = '9999-12-31';
const LAST_INSTANT = Date.parse(`${LAST_DAY}T23:59:59Z`);

/**
 * The first instant (milliseconds) at which a device is expired: the first moment whose local date
 * is later than `expiresOn`, at most the last second of the year 9999 in UTC. Found by bisection, so that days that
 * daylight saving makes shorter, longer, or without a midnight need no case of their own.
 */
export function expiryInstant(expiresOn: string, timeZone: string): number {
  const noon = Date.parse(`${expiresOn}T12:00:00Z`) + 24 * HOUR_MS;
  let before = noon - 36 * HOUR_MS;
  let after = noon + 36 * HOUR_MS;
  while (after - before > 1000) {
    const middle = Math.floor((before + after) / 2000) * 1000;
    if (isExpired(expiresOn, timeZone, middle)) after = middle;
    else before = middle;
  }
  return Math.min(after, LAST_INSTANT);
}

export type Expiry = 'never' | 'valid' | 'expiring' | 'expired';

/**
 * Expiry state of a device at `now` (milliseconds since 1970): `expiring` during the last `warningDays` of 24 hours before
 * it expires. The home page's notice, the list's filter and the device's page use this definition.
 */
export function expiryState(expiresOn: string | null, timeZone: string, now: number, warningDays: number): Expiry {
  if (expiresOn === null) return 'never';
  const left = expiryInstant(expiresOn, timeZone) - now;
  if (left <= 0) return 'expired';
  return left <= warningDays * 24 * HOUR_MS ? 'expiring' : 'valid';
}

/**
 * The same day of the month, months later; the last day of a month that is shorter, and at most the last day of the year
 * 9999. `date` is `YYYY-MM-DD`.
 */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0));
  if (last.getTime() > LAST_INSTANT) return LAST_DAY;
  last.setUTCDate(Math.min(day, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

/** An expiry date that is extended: from today in the device's zone when it is past. `now` in milliseconds since 1970. */
export function extendedExpiry(expiresOn: string | null, months: number, timeZone: string, now: number): string | null {
  if (expiresOn === null) return null;
  const today = localTime(now, timeZone).date;
  return addMonths(expiresOn > today ? expiresOn : today, months);
}
