import { isTimeZone, ownTimeZone } from '@ams/contract';

/** A time zone that this browser knows: an older one lacks the newest names, and would throw whenever it reads the clock. */
export const knownZone = (timeZone?: string): string =>
  timeZone !== undefined && isTimeZone(timeZone) ? timeZone : (ownTimeZone() ?? 'UTC');
