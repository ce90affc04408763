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
/** No sum is below it. */
const NEVER = -1;
const WHOLE_DAY: readonly ClockSpan[] = [{ from: '00:00', to: '24:00' }];

const hoursOf = ({ hours }: Flight): readonly ClockSpan[] => (hours && hours.length > 0 ? hours : WHOLE_DAY);

const edgesOf = (spans: readonly ClockSpan[]): number[] =>
  spans.flatMap((span) => Object.values(spanMinutes(span))).map((minute) => minute % MINUTES_A_DAY);

/** Minutes of a day at which anything may begin or end: full hours, and the given ones. */
const cutsOf = (spans: readonly ClockSpan[]): number[] => {
  const hours = Array.from({ length: HOURS_A_DAY }, (_, hour) => hour * MINUTES_AN_HOUR);
  return [...new Set([...hours, ...edgesOf(spans)])].toSorted((a, b) => a - b);
};

type Minutes = ReturnType<typeof spanMinutes>;

/** A range of slots: the first, and the one after the last. */
type Range = readonly [from: number, to: number];

/** Ranges one after the other (first, end, first, end …), those that overlap or touch as one. */
function joined(ranges: readonly Range[]): Int32Array {
  const result: number[] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const end = result.at(-1) ?? -1;
    if (from > end) result.push(from, to);
    else result[result.length - 1] = Math.max(end, to);
  }
  return Int32Array.from(result);
}

function eachRange(ranges: Int32Array, act: (from: number, to: number) => void): void {
  for (let index = 0; index < ranges.length; index += 2) act(ranges[index] ?? 0, ranges[index + 1] ?? 0);
}

/** Without a call for each range: most of the time of a measurement is spent here. */
function add(sums: Float64Array, ranges: Int32Array, share: number): void {
  for (let index = 0; index < ranges.length; index += 2) {
    const end = ranges[index + 1] ?? 0;
    for (let slot = ranges[index] ?? 0; slot < end; slot += 1) sums[slot] = (sums[slot] ?? 0) + share;
  }
}

/** A day of the grid. The flight of a screen may begin on the day before the first slot, and run over midnight. */
interface GridDay {
  date: string;
  weekday: number;
  /** The slot of its midnight. */
  slot: number;
}

/**
 * The days of a flight, cut into slots (date × part of the day) within which neither the flight nor any of `others` nor
 * `hours` begin or end; with a day more, for hours that run over midnight. It measures any number of screens whose loads
 * and hours are among those: what they have in common is computed once.
 */
export class FlightGrid {
  /** From the day before the first one on. */
  readonly #days: readonly GridDay[];
  readonly #size: number;
  /** Cuts of a day by their minute. */
  readonly #cuts: ReadonlyMap<number, number>;
  readonly #own: Int32Array;
  readonly #ranges = new Map<Flight, Int32Array>();
  readonly #open = new Map<WeeklyHours | null, Int32Array>();
  /** Of each slot: its hour of the week, Monday and midnight 0, and its length. */
  readonly #cells: Uint8Array;
  readonly #minutes: Uint16Array;
  readonly #sums: Float64Array;

  constructor(flight: Flight, others: Iterable<Flight>, hours: Iterable<WeeklyHours | null>) {
    const worked = Array.from(hours).flatMap((each) => [
      ...Object.values(each?.weekly ?? {}),
      ...(each?.exceptions ?? []).map((exception) => exception.hours),
    ]);
    const cuts = cutsOf([hoursOf(flight), ...Array.from(others, hoursOf), ...worked].flat());
    this.#cuts = new Map(cuts.map((minute, index) => [minute, index]));
    const dates = Array.from({ length: daysBetween(flight.from, flight.to) + 2 }, (_, day) =>
      addDays(flight.from, day),
    );
    this.#size = dates.length * cuts.length;
    this.#days = [addDays(flight.from, -1), ...dates].map((date, index) => ({
      ...{ date, weekday: isoWeekday(date), slot: (index - 1) * cuts.length },
    }));
    const lengths = cuts.map((cut, index) => (cuts[index + 1] ?? MINUTES_A_DAY) - cut);
    const hoursOfCuts = cuts.map((cut) => Math.floor(cut / MINUTES_AN_HOUR));
    const weekdays = dates.map(isoWeekday);
    this.#cells = Uint8Array.from(
      weekdays.flatMap((weekday) => hoursOfCuts.map((hour) => (weekday - 1) * HOURS_A_DAY + hour)),
    );
    this.#minutes = Uint16Array.from(weekdays.flatMap(() => lengths));
    this.#own = this.#rangesOf(flight);
    this.#sums = new Float64Array(this.#size);
  }

  /** The ranges of slots that spans cover, where `spansFrom` gives those that begin on a day. */
  #cover(spansFrom: (day: GridDay) => readonly Minutes[]): Int32Array {
    const ranges: Range[] = [];
    for (const day of this.#days) {
      for (const { from, to } of spansFrom(day)) {
        const first = Math.max(this.#slotAt(day, from), 0);
        const end = Math.min(this.#slotAt(day, to), this.#size);
        if (first < end) ranges.push([first, end]);
      }
    }
    return joined(ranges);
  }

  /** The slot that begins at a minute of a day, or of the day after it. */
  #slotAt({ slot }: GridDay, minute: number): number {
    const cuts = this.#cuts.size;
    return slot + Math.floor(minute / MINUTES_A_DAY) * cuts + (this.#cuts.get(minute % MINUTES_A_DAY) ?? 0);
  }

  #rangesOf(flight: Flight): Int32Array {
    const known = this.#ranges.get(flight);
    if (known) return known;
    const spans = hoursOf(flight).map(spanMinutes);
    const weekdays = flight.weekdays && flight.weekdays.length > 0 ? flight.weekdays : undefined;
    const ranges = this.#cover(({ date, weekday }) =>
      date >= flight.from && date <= flight.to && (!weekdays || weekdays.includes(weekday)) ? spans : [],
    );
    this.#ranges.set(flight, ranges);
    return ranges;
  }

  /** The slots of the flight in which a screen with these hours is open. */
  #openSlots(hours: WeeklyHours | null): Int32Array {
    const known = this.#open.get(hours);
    if (known) return known;
    const marks = new Uint8Array(this.#size);
    eachRange(
      this.#cover(({ date }) => (hours ? spansOf(hours, date) : WHOLE_DAY).map(spanMinutes)),
      (from, to) => marks.fill(1, from, to),
    );
    const slots: number[] = [];
    eachRange(this.#own, (from, to) => {
      for (let slot = from; slot < to; slot += 1) if (marks[slot] === 1) slots.push(slot);
    });
    const open = Int32Array.from(slots);
    this.#open.set(hours, open);
    return open;
  }

  /** What a screen with these hours and loads is asked to show. Both are compared by identity. */
  measure(hours: WeeklyHours | null, loads: readonly Load[]): Occupancy {
    const sums = this.#sums.fill(0);
    for (const { flight, share } of loads) add(sums, this.#rangesOf(flight), share);
    const cells = new Float64Array(DAYS_A_WEEK * HOURS_A_DAY).fill(NEVER);
    let [openMinutes, peak, fullest] = [0, 0, -1];
    for (const slot of this.#openSlots(hours)) {
      const cell = this.#cells[slot] ?? 0;
      const sum = sums[slot] ?? 0;
      openMinutes += this.#minutes[slot] ?? 0;
      if (fullest < 0 || sum > peak) [peak, fullest] = [sum, cell];
      if (sum > (cells[cell] ?? NEVER)) cells[cell] = sum;
    }
    const peakAt = fullest < 0 ? null : { weekday: Math.floor(fullest / HOURS_A_DAY) + 1, hour: fullest % HOURS_A_DAY };
    const week = Array.from({ length: DAYS_A_WEEK }, (_, day) =>
      Array.from(cells.subarray(day * HOURS_A_DAY, (day + 1) * HOURS_A_DAY), (sum) => (sum === NEVER ? null : sum)),
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
