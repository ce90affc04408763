import type { Schedule } from '../player.ts';
import { type ClockSpan, MINUTES_A_DAY, spanMinutes } from './clock.ts';
import { spansOf, type WeeklyHours } from './hours.ts';
import { addDays, daysBetween, isoWeekday } from './zone.ts';

/** The days and hours of a campaign, by the clock of the device. */
export type Flight = Pick<Schedule, 'weekdays' | 'hours'> & { from: string; to: string };

/** The share of open time (0–1) that a campaign takes on a screen throughout its flight. */
export interface Load {
  flight: Flight;
  share: number;
}

/** An hour of the week: ISO weekday (1 Monday … 7 Sunday) and hour (0–23). */
export interface WeekHour {
  weekday: number;
  hour: number;
}

/** What a screen is asked to show during a flight while it is open. */
export interface Occupancy {
  /** Minutes of the flight within the screen's hours, changes of the clock left out. */
  openMinutes: number;
  /** The highest sum of the loads at any open moment of the flight, 0 without any. */
  peak: number;
  /** When the peak is first reached; null if the screen is never open. */
  peakAt: WeekHour | null;
  /** The highest sum in each hour of the week, Monday and midnight first; null where the flight never runs. */
  week: (number | null)[][];
}

const DAYS_A_WEEK = 7;
const HOURS_A_DAY = 24;
const MINUTES_AN_HOUR = 60;
const WHOLE_DAY: readonly ClockSpan[] = [{ from: '00:00', to: '24:00' }];

const runsOn = ({ from, to, weekdays }: Flight, date: string): boolean =>
  date >= from && date <= to && (!weekdays || weekdays.length === 0 || weekdays.includes(isoWeekday(date)));

const hoursOf = ({ hours }: Flight): readonly ClockSpan[] => (hours && hours.length > 0 ? hours : WHOLE_DAY);

const edgesOf = (spans: readonly ClockSpan[]): number[] =>
  spans.flatMap((span) => Object.values(spanMinutes(span))).map((minute) => minute % MINUTES_A_DAY);

/** Minutes of a day at which anything may begin or end: full hours, and the given ones. */
const cutsOf = (spans: readonly ClockSpan[]): number[] => {
  const hours = Array.from({ length: HOURS_A_DAY }, (_, hour) => hour * MINUTES_AN_HOUR);
  return [...new Set([...hours, ...edgesOf(spans)])].toSorted((a, b) => a - b);
};

/**
 * The days of a flight, cut into slots (date × part of the day) within which neither the flight nor any of `others` nor
 * `hours` begin or end; with a day more, for hours that run over midnight. It measures any number of screens whose loads
 * and hours are among those: what they have in common is computed once.
 */
export class FlightGrid {
  readonly #dates: string[];
  readonly #cuts: number[];
  readonly #own: Uint8Array;
  readonly #slots = new Map<Flight, Int32Array>();
  readonly #open = new Map<WeeklyHours | null, Int32Array>();
  /** Of each slot: its hour of the week, Monday and midnight 0, and its length. */
  readonly #cells: Uint8Array;
  readonly #minutes: Uint16Array;
  readonly #sums: Float64Array;

  constructor(flight: Flight, others: Iterable<Flight>, hours: Iterable<WeeklyHours | null>) {
    this.#dates = Array.from({ length: daysBetween(flight.from, flight.to) + 2 }, (_, day) =>
      addDays(flight.from, day),
    );
    const worked = Array.from(hours).flatMap((each) => [
      ...Object.values(each?.weekly ?? {}),
      ...(each?.exceptions ?? []).map((exception) => exception.hours),
    ]);
    this.#cuts = cutsOf([hoursOf(flight), ...Array.from(others, hoursOf), ...worked].flat());
    const weekdays = this.#dates.map(isoWeekday);
    this.#cells = Uint8Array.from(
      weekdays.flatMap((weekday) =>
        this.#cuts.map((cut) => (weekday - 1) * HOURS_A_DAY + Math.floor(cut / MINUTES_AN_HOUR)),
      ),
    );
    const lengths = this.#cuts.map((cut, index) => (this.#cuts[index + 1] ?? MINUTES_A_DAY) - cut);
    this.#minutes = Uint16Array.from(weekdays.flatMap(() => lengths));
    this.#own = this.#mark((date) => (runsOn(flight, date) ? hoursOf(flight) : []));
    this.#sums = new Float64Array(this.#cells.length);
  }

  /** Marks the slots that spans cover, where `spansFrom` gives those that begin on a date. */
  #mark(spansFrom: (date: string) => readonly ClockSpan[]): Uint8Array {
    const marks = new Uint8Array(this.#dates.length * this.#cuts.length);
    const first = this.#dates[0];
    if (first === undefined) return marks;
    for (const [day, date] of [addDays(first, -1), ...this.#dates].entries()) {
      for (const span of spansFrom(date)) this.#markSpan(marks, day - 1, spanMinutes(span));
    }
    return marks;
  }

  #markSpan(marks: Uint8Array, day: number, { from, to }: { from: number; to: number }): void {
    const { length } = this.#cuts;
    for (const [index, cut] of this.#cuts.entries()) {
      if (day >= 0 && cut >= from && cut < to) marks[day * length + index] = 1;
      const next = day + 1;
      if (next < this.#dates.length && cut + MINUTES_A_DAY < to) marks[next * length + index] = 1;
    }
  }

  /** The slots of this flight at which the marks are set. */
  #common(marks: Uint8Array): Int32Array {
    const slots: number[] = [];
    for (const [slot, mark] of marks.entries()) if (mark === 1 && this.#own[slot] === 1) slots.push(slot);
    return Int32Array.from(slots);
  }

  #slotsOf(flight: Flight): Int32Array {
    const known = this.#slots.get(flight);
    if (known) return known;
    const slots = this.#common(this.#mark((date) => (runsOn(flight, date) ? hoursOf(flight) : [])));
    this.#slots.set(flight, slots);
    return slots;
  }

  #openSlots(hours: WeeklyHours | null): Int32Array {
    const known = this.#open.get(hours);
    if (known) return known;
    const slots = this.#common(this.#mark((date) => (hours ? spansOf(hours, date) : WHOLE_DAY)));
    this.#open.set(hours, slots);
    return slots;
  }

  /** What a screen with these hours and loads is asked to show. Both are compared by identity. */
  measure(hours: WeeklyHours | null, loads: readonly Load[]): Occupancy {
    const sums = this.#sums.fill(0);
    for (const { flight, share } of loads) {
      for (const slot of this.#slotsOf(flight)) sums[slot] = (sums[slot] ?? 0) + share;
    }
    const cells = Array<number | null>(DAYS_A_WEEK * HOURS_A_DAY).fill(null);
    let [openMinutes, peak, fullest] = [0, 0, -1];
    for (const slot of this.#openSlots(hours)) {
      const cell = this.#cells[slot] ?? 0;
      const sum = sums[slot] ?? 0;
      openMinutes += this.#minutes[slot] ?? 0;
      if (fullest < 0 || sum > peak) [peak, fullest] = [sum, cell];
      cells[cell] = Math.max(cells[cell] ?? 0, sum);
    }
    const peakAt = fullest < 0 ? null : { weekday: Math.floor(fullest / HOURS_A_DAY) + 1, hour: fullest % HOURS_A_DAY };
    const week = Array.from({ length: DAYS_A_WEEK }, (_, day) =>
      cells.slice(day * HOURS_A_DAY, (day + 1) * HOURS_A_DAY),
    );
    return { openMinutes, peak, peakAt, week };
  }
}

const flightsOf = (loads: readonly Load[]): Flight[] => loads.map(({ flight }) => flight);

/** What a screen that is open within `hours` (null: always) shows during a flight. */
export const occupancyOf = (flight: Flight, loads: readonly Load[], hours: WeeklyHours | null = null): Occupancy =>
  new FlightGrid(flight, flightsOf(loads), [hours]).measure(hours, loads);

/** The highest sum of the loads at any moment of a flight, 0 without any. */
export const peakLoad = (flight: Flight, loads: readonly Load[], hours: WeeklyHours | null = null): number =>
  occupancyOf(flight, loads, hours).peak;

/**
 * The share that is free in each hour of the week of a flight at its fullest moment, Monday and midnight first; null
 * where the flight never runs. `sellable`: the share of an hour that may be sold.
 */
export const freeByHour = (flight: Flight, loads: readonly Load[], sellable: number): (number | null)[][] =>
  occupancyOf(flight, loads).week.map((day) => day.map((sum) => (sum === null ? null : Math.max(sellable - sum, 0))));

/** Minutes of a flight by the clock of the device, changes of the clock left out. */
export const flightMinutes = (flight: Flight, hours: WeeklyHours | null = null): number =>
  occupancyOf(flight, [], hours).openMinutes;
