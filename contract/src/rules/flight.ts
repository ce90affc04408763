import type { Schedule } from '../player.ts';
import { MINUTES_A_DAY } from './clock.ts';
import { addDays, daysBetween, localTime } from './zone.ts';

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
}

/** The rest of a flight by the clock of a zone at `now` (milliseconds since 1970). */
export function flightLeft(flight: Flight, now: number, timeZone: string): FlightLeft {
  const { date, minutes } = localTime(now, timeZone);
  const rest = flightFrom(flight, addDays(date, -1));
  const begun = now % MINUTE_MS === 0 ? 0 : 1;
  return { flight: rest, passed: Math.max(daysBetween(rest.from, date) * MINUTES_A_DAY + minutes + begun, 0) };
}
