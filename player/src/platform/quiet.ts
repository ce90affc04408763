import { localTime } from '@ams/contract';

/** The hour (local time of the device) in which nobody watches: it reloads then, and installs what can wait. */
const QUIET_HOUR = 3;
const RUN_AT_LEAST_MS = 2 * 3_600_000;

export const isQuiet = (now: number, timeZone: string): boolean =>
  Math.floor(localTime(now, timeZone).minutes / 60) === QUIET_HOUR;

/** The device's own minute of the quiet hour, so that a street of screens does not blink at once. */
const ownMinute = (mac: string): number => Number.parseInt(mac.slice(-2), 16) % 60;

/**
 * Whether to load the page anew: once a night, and not a page that has only just begun. Whatever a browser
 * gathers in weeks is gone each morning. `now`: milliseconds since 1970. `ranMs`: how long the page has run, by the
 * monotonic clock.
 */
export function isReloadTime(now: number, timeZone: string, mac: string, ranMs: number): boolean {
  return ranMs > RUN_AT_LEAST_MS && isQuiet(now, timeZone) && localTime(now, timeZone).minutes % 60 >= ownMinute(mac);
}
