import { type ClockSpan, MINUTES_A_DAY, spanMinutes, spansCover } from './clock.ts';
import { addDays, instantsOn, isoWeekday, localTime } from './zone.ts';

export type Weekday = '1' | '2' | '3' | '4' | '5' | '6' | '7';

/**
 * Hours of a week, by the wall clock of a device, with days that differ. Weekdays are ISO 8601; one that is left out has
 * no hours. Hours that run over midnight belong to the day they start on.
 */
export interface WeeklyHours {
  weekly: Partial<Record<Weekday, readonly ClockSpan[]>>;
  /** Days with hours of their own, none to leave the day out. */
  exceptions: readonly { date: string; hours: readonly ClockSpan[] }[];
}

const isWeekday = (text: string): text is Weekday => /^[1-7]$/.test(text);

/** The hours of the week that begin on a date, unless it is an exception. */
function weeklyOn({ weekly }: WeeklyHours, date: string): readonly ClockSpan[] {
  const weekday = String(isoWeekday(date));
  return (isWeekday(weekday) && weekly[weekday]) || [];
}

/** The hours that begin on a date. */
export const spansOf = (hours: WeeklyHours, date: string): readonly ClockSpan[] =>
  hours.exceptions.find((each) => each.date === date)?.hours ?? weeklyOn(hours, date);

/** Whether an instant (milliseconds since 1970) is within the hours. Without hours every instant is. */
export function isWithinHours(hours: WeeklyHours | null, now: number, timeZone: string): boolean {
  if (!hours) return true;
  const { date, minutes } = localTime(now, timeZone);
  return spansCover((day) => spansOf(hours, day === 'today' ? date : addDays(date, -1)), minutes);
}

/** The minutes of a day (0–1439) at which hours may begin or end. */
export function turningMinutes(hours: WeeklyHours, date: string): number[] {
  const minutesOn = (day: string) => spansOf(hours, day).flatMap((span) => Object.values(spanMinutes(span)));
  return [
    // The hours of a day may stop where those of the next one do not continue.
    0,
    ...minutesOn(date),
    ...minutesOn(addDays(date, -1)).map((minute) => minute - MINUTES_A_DAY),
  ].filter((minute) => minute >= 0 && minute < MINUTES_A_DAY);
}

/** The instants of a local day, in order, at which hours may begin or end: their own ends, and a change of the clock. */
const turningPoints = (hours: WeeklyHours, date: string, timeZone: string): number[] =>
  instantsOn(date, turningMinutes(hours, date), timeZone).toSorted((a, b) => a - b);

const WEEK_DAYS = 7;
/** After it, clocks of some zones are in a year of five digits, which nobody reads. */
const LAST_DAY = '9999-12-29';

/** The days, in order, on which hours may change after `date`: a week from now, and around and after each exception. */
function daysAhead(hours: WeeklyHours, date: string): string[] {
  // A week repeats, so what does not change within it and a day changes through exceptions only.
  const weekFrom = (day: string) => Array.from({ length: WEEK_DAYS + 2 }, (_, index) => addDays(day, index));
  const exceptions = hours.exceptions.filter((exception) => exception.date >= date);
  const days = new Set([date, ...exceptions.map((exception) => exception.date)].flatMap(weekFrom));
  return [...days].filter((day) => day >= date && day <= LAST_DAY).toSorted();
}

/** Whether no hours begin on these dates. Many exceptions are looked up, not searched. */
function emptyDates(hours: WeeklyHours): (...dates: string[]) => boolean {
  const own = new Map(hours.exceptions.map((exception) => [exception.date, exception.hours]));
  return (...dates) => dates.every((date) => (own.get(date) ?? weeklyOn(hours, date)).length === 0);
}

/**
 * The next instant (milliseconds since 1970) at which the hours begin or end, or null when they never do.
 * A clock that goes forward or back moves it as the wall clock says.
 */
export function nextHoursChange(hours: WeeklyHours | null, now: number, timeZone: string): number | null {
  if (!hours) return null;
  const within = isWithinHours(hours, now, timeZone);
  const areEmpty = emptyDates(hours);
  for (const day of daysAhead(hours, localTime(now, timeZone).date)) {
    // None cover a day if none begin on it or on the one before.
    if (!within && areEmpty(day, addDays(day, -1))) continue;
    const change = turningPoints(hours, day, timeZone).find(
      (instant) => instant > now && isWithinHours(hours, instant, timeZone) !== within,
    );
    if (change !== undefined) return change;
  }
  return null;
}

/** The milliseconds between two instants that lie within the hours. */
export function msWithinHours(hours: WeeklyHours | null, from: number, to: number, timeZone: string): number {
  let sum = 0;
  let at = from;
  while (at < to) {
    const next = Math.min(nextHoursChange(hours, at, timeZone) ?? to, to);
    if (isWithinHours(hours, at, timeZone)) sum += next - at;
    at = next;
  }
  return sum;
}
