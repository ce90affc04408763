import type { Schedule } from '../player.ts';
import { MINUTES_A_DAY, spanMinutes } from './clock.ts';
import { addDays, isoWeekday } from './zone.ts';

/** The days and hours of a campaign, by the clock of the device. */
export type Flight = Pick<Schedule, 'weekdays' | 'hours'> & { from: string; to: string };

/** The share of open time (0–1) that a campaign takes on a screen throughout its flight. */
export interface Load {
  flight: Flight;
  share: number;
}

const DAYS_A_WEEK = 7;
const MINUTES_AN_HOUR = 60;

/** Minutes of a day, half-open. */
interface Part {
  from: number;
  to: number;
}

const isOn = ({ from, to, weekdays }: Flight, date: string): boolean =>
  date >= from && date <= to && (!weekdays || weekdays.length === 0 || weekdays.includes(isoWeekday(date)));

/** When a flight runs on a date, with the rest of hours that began on the day before. */
function partsOn(flight: Flight, date: string): Part[] {
  const { hours } = flight;
  const spans = hours && hours.length > 0 ? hours.map(spanMinutes) : [{ from: 0, to: MINUTES_A_DAY }];
  const today = isOn(flight, date) ? spans.map(({ from, to }) => ({ from, to: Math.min(to, MINUTES_A_DAY) })) : [];
  const before = isOn(flight, addDays(date, -1))
    ? spans.flatMap(({ to }) => (to > MINUTES_A_DAY ? [{ from: 0, to: to - MINUTES_A_DAY }] : []))
    : [];
  return [...today, ...before];
}

const isWithin = (parts: readonly Part[], minute: number): boolean =>
  parts.some(({ from, to }) => minute >= from && minute < to);

/**
 * One date for each set of dates of a flight on which the loads are the same: the first of each weekday between two
 * dates on which a flight begins or ends. A day more, for hours that run over midnight.
 */
function datesToLookAt(flight: Flight, loads: readonly Load[]): string[] {
  const last = addDays(flight.to, 1);
  const edges = loads.flatMap(({ flight: { from, to } }) => [from, addDays(from, 1), addDays(to, 1), addDays(to, 2)]);
  const begins = [...new Set([flight.from, addDays(flight.from, 1), flight.to, last, ...edges])]
    .filter((date) => date >= flight.from && date <= last)
    .toSorted();
  return begins.flatMap((begin, index) => {
    const end = begins[index + 1] ?? addDays(last, 1);
    const week = Array.from({ length: DAYS_A_WEEK }, (_, day) => addDays(begin, day));
    return week.filter((date) => date < end);
  });
}

/** The parts of one date between which no flight begins or ends, with the sum of the loads, where the flight runs. */
function* sumsOn(flight: Flight, loads: readonly Load[], date: string): Generator<Part & { sum: number }> {
  const own = partsOn(flight, date);
  if (own.length === 0) return;
  const others = loads.map((load) => ({ share: load.share, parts: partsOn(load.flight, date) }));
  const hours = Array.from({ length: 24 }, (_, hour) => hour * MINUTES_AN_HOUR);
  const edges = [own, ...others.map(({ parts }) => parts)].flat().flatMap(({ from, to }) => [from, to]);
  const minutes = [...new Set([...hours, ...edges])]
    .filter((minute) => minute < MINUTES_A_DAY)
    .toSorted((a, b) => a - b);
  for (const [index, from] of minutes.entries()) {
    if (!isWithin(own, from)) continue;
    const sum = others.reduce((total, { share, parts }) => (isWithin(parts, from) ? total + share : total), 0);
    yield { from, to: minutes[index + 1] ?? MINUTES_A_DAY, sum };
  }
}

/** The highest sum of the loads at any moment of a flight, 0 without any. */
export function peakLoad(flight: Flight, loads: readonly Load[]): number {
  let peak = 0;
  for (const date of datesToLookAt(flight, loads)) {
    for (const { sum } of sumsOn(flight, loads, date)) peak = Math.max(peak, sum);
  }
  return peak;
}

/**
 * The share that is free in each hour of the week of a flight at its fullest moment, Monday and midnight first; null
 * where the flight never runs. `sellable`: the share of an hour that may be sold.
 */
export function freeByHour(flight: Flight, loads: readonly Load[], sellable: number): (number | null)[][] {
  const free: (number | null)[][] = Array.from({ length: DAYS_A_WEEK }, () => Array<number | null>(24).fill(null));
  for (const date of datesToLookAt(flight, loads)) {
    const day = free[isoWeekday(date) - 1];
    for (const { from, sum } of sumsOn(flight, loads, date)) {
      const hour = Math.floor(from / MINUTES_AN_HOUR);
      if (day) day[hour] = Math.min(day[hour] ?? sellable, Math.max(sellable - sum, 0));
    }
  }
  return free;
}

/** Minutes of a flight by the clock of the device, changes of the clock left out. */
export function flightMinutes(flight: Flight): number {
  let minutes = 0;
  for (let date = flight.from; date <= addDays(flight.to, 1); date = addDays(date, 1)) {
    minutes += covered(partsOn(flight, date));
  }
  return minutes;
}

/** Minutes that parts cover together; those that overlap count once. */
function covered(parts: readonly Part[]): number {
  let [minutes, reached] = [0, 0];
  for (const { from, to } of parts.toSorted((a, b) => a.from - b.from)) {
    minutes += Math.max(to - Math.max(from, reached), 0);
    reached = Math.max(reached, to);
  }
  return minutes;
}
