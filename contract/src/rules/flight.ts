import type { Schedule } from '../player.ts';
import { addDays, localTime, offsetChange, shownAt } from './zone.ts';

const MINUTE_MS = 60_000;

/** What is free is that of a booking after this time: people take some minutes to decide. */
export const BOOKED_WITHIN_MS = 900_000;

/** The days and hours of a campaign, by the clock of the device. */
export type Flight = Pick<Schedule, 'weekdays' | 'hours'> & { from: string; to: string };

/** The flight from a day on, at least its last one: hours can run over midnight. */
export const flightFrom = <T extends Flight>(flight: T, day: string): T =>
  day <= flight.from ? flight : { ...flight, from: day < flight.to ? day : flight.to };

/** The part of a flight that is left by the clock of a device. */
export interface FlightLeft {
  /** From the day before today on, whose hours may run over midnight; at least its last day. */
  flight: Flight;
  /** Minutes of it that are over, from its first midnight on, with the one that has begun. */
  passed: number;
  /** The changes of the clock that are still to come in it. */
  jumps: ClockJump[];
}

/** A change of the clock, in minutes since the midnight of its day: what it shows until then, and from then on. */
export interface ClockJump {
  date: string;
  from: number;
  to: number;
}

const DAYS_A_WEEK = 7;

/** Minutes since the midnight of a date that the clock of a zone shows at an instant (milliseconds since 1970). */
const minutesSince = (date: string, instant: number, timeZone: string): number =>
  (shownAt(instant, timeZone) - Date.parse(date)) / MINUTE_MS;

/** Minutes by which the clock of a zone is ahead of UTC when a date begins in UTC. */
const offsetOn = (date: string, timeZone: string): number => minutesSince(date, Date.parse(date), timeZone);

/** The changes of the clock of a zone after `now` (milliseconds since 1970) on the days of a flight and the one after it. */
function jumpsIn({ from, to }: Flight, now: number, timeZone: string): ClockJump[] {
  const jumps: ClockJump[] = [];
  const last = addDays(to, 1);
  for (let week = from; week <= last; week = addDays(week, DAYS_A_WEEK)) {
    // No clock changes twice within so few days. A day of a zone ends at most a day before or after that of UTC.
    if (offsetOn(addDays(week, -1), timeZone) === offsetOn(addDays(week, DAYS_A_WEEK + 1), timeZone)) continue;
    const days = Array.from({ length: DAYS_A_WEEK }, (_, day) => addDays(week, day)).filter((date) => date <= last);
    for (const date of days) {
      const change = offsetChange(date, timeZone);
      if (change === undefined || change <= now) continue;
      const shown = (instant: number): number => minutesSince(date, instant, timeZone);
      jumps.push({ date, from: shown(change - MINUTE_MS) + 1, to: shown(change) });
    }
  }
  return jumps;
}

/** The rest of a flight by the clock of a zone at `now` (milliseconds since 1970). */
export function flightLeft(flight: Flight, now: number, timeZone: string): FlightLeft {
  const rest = flightFrom(flight, addDays(localTime(now, timeZone).date, -1));
  const begun = now % MINUTE_MS === 0 ? 0 : 1;
  return {
    flight: rest,
    passed: Math.max(minutesSince(rest.from, now, timeZone) + begun, 0),
    jumps: jumpsIn(rest, now, timeZone),
  };
}
