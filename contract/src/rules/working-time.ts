import { isWithinHours, nextHoursChange, type WeeklyHours } from './hours.ts';
import { addDays, localTime } from './zone.ts';

/** A time between two instants, in milliseconds since 1970; `from` included, `to` not. */
export interface Span {
  from: number;
  to: number;
}

/** The same hours for the days around two instants: exceptions far away cost time and change nothing. */
function hoursAround(hours: WeeklyHours, from: number, to: number, timeZone: string): WeeklyHours {
  const [first, last] = [addDays(localTime(from, timeZone).date, -1), addDays(localTime(to, timeZone).date, 1)];
  return { ...hours, exceptions: hours.exceptions.filter(({ date }) => date >= first && date <= last) };
}

/** The parts of the time between two instants that lie within the hours, in order. Without hours all of it does. */
export function workingSpans(hours: WeeklyHours | null, from: number, to: number, timeZone: string): Span[] {
  const near = hours && hoursAround(hours, from, to, timeZone);
  const spans: Span[] = [];
  for (let at = from; at < to;) {
    const next = Math.min(nextHoursChange(near, at, timeZone) ?? to, to);
    if (isWithinHours(near, at, timeZone)) spans.push({ from: at, to: next });
    at = next;
  }
  return spans;
}

/** Most waits are over within the first of these looks; a year of them is enough for a week of work at half an hour a day. */
const LOOK_BACK_MS = 14 * 86_400_000;
const LOOKS = 26;

/**
 * The instant since which a device has worked for `ms` milliseconds, a year ago at most; null while it is dark. `now` in
 * milliseconds since 1970.
 */
export function workedSince(hours: WeeklyHours | null, ms: number, now: number, timeZone: string): number | null {
  if (!hours) return now - ms;
  if (!isWithinHours(hours, now, timeZone)) return null;
  let left = ms;
  let end = now;
  for (let look = 1; look <= LOOKS; look += 1, end -= LOOK_BACK_MS) {
    for (const { from, to } of workingSpans(hours, end - LOOK_BACK_MS, end, timeZone).toReversed()) {
      if (to - from >= left) return to - left;
      left -= to - from;
    }
  }
  return end;
}
