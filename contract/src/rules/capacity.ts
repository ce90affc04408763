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

/**
 * The last day (`YYYY-MM-DD`) of a screen, by its own clock. Its hours after that are either `closed`, or `full`, that is,
 * without room for anything that is needed in every hour of a flight.
 */
export interface LastDay {
  on: string;
  after: 'closed' | 'full';
}

/** What a screen is asked to show during a flight while it is open. */
export interface Occupancy {
  /** Minutes of the flight within the screen's hours and lifetime, changes of the clock left out. */
  openMinutes: number;
  /** The sum of the loads over those minutes: minutes that are booked. */
  bookedMinutes: number;
  /** The highest sum of the loads at any open moment of the flight, 0 without any; Infinity if a part of it is `full`. */
  peak: number;
  /** When the peak is first reached; null if the screen is never open, nor `full`. */
  peakAt: WeekHour | null;
  /** The highest sum in each of the 168 hours of the week, Monday and midnight first; negative where it is never open. */
  week: Float64Array;
}

const DAYS_A_WEEK = 7;
const HOURS_A_DAY = 24;
const MINUTES_AN_HOUR = 60;
/** No sum is below it. */
const NEVER = -1;
const WHOLE_DAY: readonly ClockSpan[] = [{ from: '00:00', to: '24:00' }];
const NO_SLOTS: readonly Range[] = [];

const hoursOf = ({ hours }: Flight): readonly ClockSpan[] => (hours && hours.length > 0 ? hours : WHOLE_DAY);

/** Minutes of a day at which anything may begin or end: full hours, and the given ones. */
function cutsOf(spans: readonly ClockSpan[]): number[] {
  const cuts = new Set(Array.from({ length: HOURS_A_DAY }, (_, hour) => hour * MINUTES_AN_HOUR));
  for (const span of spans) {
    const { from, to } = spanMinutes(span);
    cuts.add(from % MINUTES_A_DAY).add(to % MINUTES_A_DAY);
  }
  return [...cuts].toSorted((a, b) => a - b);
}

/** A range of slots: the first, and the one after the last. */
type Range = readonly [from: number, to: number];

/** Adds a range to others (first, end, first, end …), none of which begins later: those that overlap or touch are one. */
function append(ranges: number[], from: number, to: number): void {
  const end = ranges.at(-1) ?? -1;
  if (from > end) ranges.push(from, to);
  else if (to > end) ranges[ranges.length - 1] = to;
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

/** The slots of a flight in which a screen is open, and their minutes. */
interface OpenSlots {
  slots: Int32Array;
  minutes: number;
}

/**
 * The days of a flight, cut into slots (date × part of the day) within which neither the flight nor any of `others` nor
 * `hours` begin or end; with a day more, for hours that run over midnight. It measures any number of screens whose loads
 * and hours are among those: what they have in common is computed once.
 */
export class FlightGrid {
  readonly #from: string;
  /** From the day before the first one on. */
  readonly #days: readonly GridDay[];
  readonly #size: number;
  /** Cuts of a day by their minute. */
  readonly #cuts: ReadonlyMap<number, number>;
  readonly #own: Int32Array;
  readonly #ranges = new Map<Flight, Int32Array>();
  readonly #open = new Map<WeeklyHours | null, OpenSlots>();
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
    this.#from = flight.from;
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

  /** The slots of spans after the midnight of their day, in order. */
  #slotsOf(spans: readonly ClockSpan[]): Range[] {
    return spans
      .map(spanMinutes)
      .map(({ from, to }): Range => [this.#slotAt(from), this.#slotAt(to)])
      .toSorted((a, b) => a[0] - b[0]);
  }

  /** The slot after the midnight of a day that begins at a minute of that day, or of the next one. */
  #slotAt(minute: number): number {
    const days = Math.floor(minute / MINUTES_A_DAY);
    return days * this.#cuts.size + (this.#cuts.get(minute % MINUTES_A_DAY) ?? 0);
  }

  /** The ranges of slots that are covered, where `slotsFrom` gives those that begin on a day. */
  #cover(slotsFrom: (day: GridDay) => readonly Range[]): Int32Array {
    const ranges: number[] = [];
    for (const day of this.#days) {
      for (const [from, to] of slotsFrom(day)) {
        const first = Math.max(day.slot + from, 0);
        const end = Math.min(day.slot + to, this.#size);
        if (first < end) append(ranges, first, end);
      }
    }
    return Int32Array.from(ranges);
  }

  #rangesOf(flight: Flight): Int32Array {
    const known = this.#ranges.get(flight);
    if (known) return known;
    const slots = this.#slotsOf(hoursOf(flight));
    const weekdays = flight.weekdays && flight.weekdays.length > 0 ? flight.weekdays : undefined;
    const ranges = this.#cover(({ date, weekday }) =>
      date >= flight.from && date <= flight.to && (!weekdays || weekdays.includes(weekday)) ? slots : NO_SLOTS,
    );
    this.#ranges.set(flight, ranges);
    return ranges;
  }

  /** The slots of the flight in which a screen with these hours is open. */
  #openSlots(hours: WeeklyHours | null): OpenSlots {
    const known = this.#open.get(hours);
    if (known) return known;
    const marks = new Uint8Array(this.#size);
    eachRange(
      this.#cover(({ date }) => this.#slotsOf(hours ? spansOf(hours, date) : WHOLE_DAY)),
      (from, to) => marks.fill(1, from, to),
    );
    const slots: number[] = [];
    eachRange(this.#own, (from, to) => {
      for (let slot = from; slot < to; slot += 1) if (marks[slot] === 1) slots.push(slot);
    });
    const minutes = slots.reduce((sum, slot) => sum + (this.#minutes[slot] ?? 0), 0);
    const open = { slots: Int32Array.from(slots), minutes };
    this.#open.set(hours, open);
    return open;
  }

  /** How many of these slots begin before the end of the last day. */
  #lasting(slots: Int32Array, { on }: LastDay): number {
    const end = (daysBetween(this.#from, on) + 1) * this.#cuts.size;
    let lasting = slots.length;
    while (lasting > 0 && (slots[lasting - 1] ?? 0) >= end) lasting -= 1;
    return lasting;
  }

  /** What a screen with these hours and loads is asked to show. Hours and flights are compared by identity. */
  measure(hours: WeeklyHours | null, loads: readonly Load[], lastDay: LastDay | null = null): Occupancy {
    const sums = this.#sums.fill(0);
    for (const { flight, share } of loads) add(sums, this.#rangesOf(flight), share);
    const week = new Float64Array(DAYS_A_WEEK * HOURS_A_DAY).fill(NEVER);
    const { slots, minutes } = this.#openSlots(hours);
    const isFull = lastDay?.after === 'full';
    const lasting = lastDay ? this.#lasting(slots, lastDay) : slots.length;
    let [openMinutes, bookedMinutes, peak, fullest] = [minutes, 0, NEVER, 0];
    // Without an iterator: there are thousands of slots on each of thousands of screens.
    for (let index = 0; index < lasting; index += 1) {
      const slot = slots[index] ?? 0;
      const cell = this.#cells[slot] ?? 0;
      const sum = sums[slot] ?? 0;
      bookedMinutes += sum * (this.#minutes[slot] ?? 0);
      if (sum > peak) [peak, fullest] = [sum, cell];
      if (sum > (week[cell] ?? 0)) week[cell] = sum;
    }
    for (let index = lasting; index < slots.length; index += 1) {
      const slot = slots[index] ?? 0;
      const cell = this.#cells[slot] ?? 0;
      openMinutes -= this.#minutes[slot] ?? 0;
      if (isFull) week[cell] = Infinity;
    }
    if (isFull && lasting < slots.length) [peak, fullest] = [Infinity, this.#cells[slots[lasting] ?? 0] ?? 0];
    if (peak === NEVER) return { openMinutes, bookedMinutes, peak: 0, peakAt: null, week };
    const peakAt = { weekday: Math.floor(fullest / HOURS_A_DAY) + 1, hour: fullest % HOURS_A_DAY };
    return { openMinutes, bookedMinutes, peak, peakAt, week };
  }
}

const flightsOf = (loads: readonly Load[]): Flight[] => loads.map(({ flight }) => flight);

/** What a screen that is open within `hours` (null: always) shows during a flight. */
export const occupancyOf = (
  flight: Flight,
  loads: readonly Load[],
  hours: WeeklyHours | null = null,
  lastDay: LastDay | null = null,
): Occupancy => new FlightGrid(flight, flightsOf(loads), [hours]).measure(hours, loads, lastDay);

/** The highest sum of the loads at any moment of a flight, 0 without any. */
export const peakLoad = (...screen: Parameters<typeof occupancyOf>): number => occupancyOf(...screen).peak;

/** The hours of a week in days, Monday first. */
const inDays = (week: readonly number[]): number[][] =>
  Array.from({ length: DAYS_A_WEEK }, (_, day) => week.slice(day * HOURS_A_DAY, (day + 1) * HOURS_A_DAY));

/**
 * The share that is free in each hour of the week, Monday and midnight first, on all screens that are open then; 0 where
 * none is. `sellable`: the share of an hour that may be sold.
 */
export function freeByHour(screens: readonly { occupancy: Occupancy; sellable: number }[]): number[][] {
  const free = new Float64Array(DAYS_A_WEEK * HOURS_A_DAY).fill(Infinity);
  for (const { occupancy, sellable } of screens) {
    for (let cell = 0; cell < free.length; cell += 1) {
      const sum = occupancy.week[cell] ?? NEVER;
      if (sum > NEVER) free[cell] = Math.min(free[cell] ?? Infinity, Math.max(sellable - sum, 0));
    }
  }
  return inDays(Array.from(free, (share) => (share === Infinity ? 0 : share)));
}

/** Minutes of a flight by the clock of the device, changes of the clock left out. */
export const flightMinutes = (flight: Flight, hours: WeeklyHours | null = null): number =>
  occupancyOf(flight, [], hours).openMinutes;
