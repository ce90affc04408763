import { type ClockSpan, MINUTES_A_DAY, spanMinutes } from './clock.ts';
import type { ClockJump, Flight } from './flight.ts';
import { spansOf, type WeeklyHours } from './hours.ts';
import { addDays, daysBetween, isoWeekday } from './zone.ts';

/** The share of open time (0–1) that a campaign takes on a screen throughout its flight. */
export interface Load {
  flight: Flight;
  share: number;
  /** Where the grid that measured it last has it: a load is on dozens of screens, and looking it up would take half the time. */
  placed?: PlacedLoad;
}

interface PlacedLoad {
  grid: FlightGrid;
  /** First slot, end, first slot, end … */
  ranges: readonly number[];
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
  /** Minutes of the flight within the screen's hours and lifetime; an hour that the clock skips has none. */
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
const NO_RANGES: readonly number[] = [];

const hoursOf = ({ hours }: Pick<Flight, 'hours'>): readonly ClockSpan[] =>
  hours && hours.length > 0 ? hours : WHOLE_DAY;

/** Minutes of a day at which anything may begin or end: full hours, `now`, and those of the spans. */
function cutsOf(spans: readonly ClockSpan[], now: number): number[] {
  const cuts = new Set(Array.from({ length: HOURS_A_DAY }, (_, hour) => hour * MINUTES_AN_HOUR)).add(now);
  for (const span of spans) {
    const { from, to } = spanMinutes(span);
    cuts.add(from % MINUTES_A_DAY).add(to % MINUTES_A_DAY);
  }
  return [...cuts].toSorted((a, b) => a - b);
}

/** Minutes that pass while a clock shows a part of a day: none if it skips it, twice as many if it repeats it. */
const lengthOf = (from: number, to: number, jump: ClockJump = { date: '', from: MINUTES_A_DAY, to: MINUTES_A_DAY }) =>
  Math.max(Math.min(to, jump.from) - from, 0) + Math.max(to - Math.max(from, jump.to), 0);

/** Adds a range to others (first, end, first, end …), none of which begins later: those that overlap or touch are one. */
function append(ranges: number[], from: number, to: number): void {
  const end = ranges[ranges.length - 1] ?? -1;
  if (from > end) ranges.push(from, to);
  else if (to > end) ranges[ranges.length - 1] = to;
}

/** The part of ranges from a slot on. */
function rangesFrom(ranges: readonly number[], first: number): number[] {
  const rest: number[] = [];
  eachRange(ranges, (from, to) => {
    if (to > first) rest.push(Math.max(from, first), to);
  });
  return rest;
}

function eachRange(ranges: readonly number[], act: (from: number, to: number) => void): void {
  for (let index = 0; index < ranges.length; index += 2) act(ranges[index] ?? 0, ranges[index + 1] ?? 0);
}

/**
 * Shares are multiples of this: sums of them below 8 are exact, in any order. A share that begins and ends leaves exactly
 * the sum that was there before.
 */
const SHARE_STEP = 2 ** -50;

const inSteps = (share: number): number => Math.round(share / SHARE_STEP) * SHARE_STEP;

/** Adds a share where ranges begin, and takes it away where they end. */
function addChanges(changes: Float64Array, ranges: readonly number[], share: number): void {
  for (let index = 0; index < ranges.length; index += 2) {
    const from = ranges[index] ?? 0;
    const to = ranges[index + 1] ?? 0;
    changes[from] = (changes[from] ?? 0) + share;
    changes[to] = (changes[to] ?? 0) - share;
  }
}

/** When a screen is open during a flight. */
interface Openness {
  /** Of each slot, whether (1) it is of the flight and the screen is open. */
  slots: Uint8Array;
  /** Minutes that it is open before each slot, and before the end. */
  minutesBefore: Uint32Array;
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
  readonly #from: string;
  /** From the day before the first one on. */
  readonly #days: readonly GridDay[];
  /** The place of each date among the days. */
  readonly #dayOf: ReadonlyMap<string, number>;
  readonly #size: number;
  /** Cuts of a day by their minute. */
  readonly #cuts: ReadonlyMap<number, number>;
  readonly #own: readonly number[];
  /** Of a day, by its hours. */
  readonly #slots = new Map<readonly ClockSpan[], readonly number[]>();
  readonly #open = new Map<WeeklyHours | null, Openness>();
  /** Of each slot: its hour of the week, Monday and midnight 0, and its length. */
  readonly #cells: Uint8Array;
  readonly #minutes: Uint16Array;
  /** How much more is booked in each slot than in the one before. All 0 between two measurements. */
  readonly #changes: Float64Array;

  /**
   * `passed`: minutes that are over, from the first midnight of the flight on. They are no part of it. `jumps`: changes of
   * the clock during the flight.
   */
  constructor(
    flight: Flight,
    others: Iterable<Flight>,
    hours: Iterable<WeeklyHours | null>,
    passed = 0,
    jumps: readonly ClockJump[] = [],
  ) {
    const spans = new Set<readonly ClockSpan[]>([hoursOf(flight)]);
    for (const other of others) spans.add(hoursOf(other));
    for (const each of hours) {
      for (const worked of Object.values(each?.weekly ?? {})) spans.add(worked);
      for (const exception of each?.exceptions ?? []) spans.add(exception.hours);
    }
    const cuts = cutsOf(Array.from(spans).flat(), passed % MINUTES_A_DAY);
    this.#cuts = new Map(cuts.map((minute, index) => [minute, index]));
    const dates = Array.from({ length: daysBetween(flight.from, flight.to) + 2 }, (_, day) =>
      addDays(flight.from, day),
    );
    this.#from = flight.from;
    this.#size = dates.length * cuts.length;
    this.#days = [addDays(flight.from, -1), ...dates].map((date, index) => ({
      ...{ date, weekday: isoWeekday(date), slot: (index - 1) * cuts.length },
    }));
    this.#dayOf = new Map(this.#days.map(({ date }, index) => [date, index]));
    const lengthsOn = (jump?: ClockJump) =>
      cuts.map((cut, index) => lengthOf(cut, cuts[index + 1] ?? MINUTES_A_DAY, jump));
    const lengths = lengthsOn();
    const changed = new Map(jumps.map((jump) => [jump.date, lengthsOn(jump)]));
    const hoursOfCuts = cuts.map((cut) => Math.floor(cut / MINUTES_AN_HOUR));
    const weekdays = dates.map(isoWeekday);
    this.#cells = Uint8Array.from(
      weekdays.flatMap((weekday) => hoursOfCuts.map((hour) => (weekday - 1) * HOURS_A_DAY + hour)),
    );
    this.#minutes = Uint16Array.from(dates.flatMap((date) => changed.get(date) ?? lengths));
    this.#own = rangesFrom(this.#rangesOf(flight), this.#slotAt(passed));
    // One more: the last range may end after the last slot.
    this.#changes = new Float64Array(this.#size + 1);
  }

  /** The slots of spans after the midnight of their day (first, end, first, end …), in order. Equal spans are one object. */
  #slotsOf(spans: readonly ClockSpan[]): readonly number[] {
    const known = this.#slots.get(spans);
    if (known) return known;
    const slots = spans
      .map(spanMinutes)
      .toSorted((a, b) => a.from - b.from)
      .flatMap(({ from, to }) => [this.#slotAt(from), this.#slotAt(to)]);
    this.#slots.set(spans, slots);
    return slots;
  }

  /** The slot after the midnight of a day that begins at a minute of that day, or of the next one. */
  #slotAt(minute: number): number {
    const days = Math.floor(minute / MINUTES_A_DAY);
    return days * this.#cuts.size + (this.#cuts.get(minute % MINUTES_A_DAY) ?? 0);
  }

  /**
   * The ranges of slots that are covered on the days from one number to before another, where `slotsFrom` gives those that
   * begin on a day, counted from its midnight.
   */
  #cover(first: number, last: number, slotsFrom: (day: GridDay) => readonly number[]): number[] {
    const ranges: number[] = [];
    for (let number = first; number < last; number += 1) {
      const day = this.#days[number];
      if (!day) break;
      const slots = slotsFrom(day);
      for (let index = 0; index < slots.length; index += 2) {
        const from = Math.max(day.slot + (slots[index] ?? 0), 0);
        const end = Math.min(day.slot + (slots[index + 1] ?? 0), this.#size);
        if (from < end) append(ranges, from, end);
      }
    }
    return ranges;
  }

  /** The number of a date among the days; one that is not there is before the first day, or after the last one. */
  #numberOf(date: string): number {
    return this.#dayOf.get(date) ?? (date < (this.#days[0]?.date ?? '') ? -1 : this.#days.length);
  }

  #rangesOf({ from, to, weekdays: on, hours }: Flight): number[] {
    const slots = this.#slotsOf(hoursOf({ hours }));
    const weekdays = on && on.length > 0 ? on : undefined;
    return this.#cover(Math.max(this.#numberOf(from), 0), this.#numberOf(to) + 1, ({ weekday }) =>
      !weekdays || weekdays.includes(weekday) ? slots : NO_RANGES,
    );
  }

  #place(load: Load): PlacedLoad {
    load.placed = { grid: this, ranges: this.#rangesOf(load.flight), share: inSteps(load.share) };
    return load.placed;
  }

  /** When a screen with these hours is open during the flight. */
  #openOf(hours: WeeklyHours | null): Openness {
    const known = this.#open.get(hours);
    if (known) return known;
    const marks = new Uint8Array(this.#size);
    eachRange(
      this.#cover(0, this.#days.length, ({ date }) => this.#slotsOf(hours ? spansOf(hours, date) : WHOLE_DAY)),
      (from, to) => marks.fill(1, from, to),
    );
    const slots = new Uint8Array(this.#size);
    eachRange(this.#own, (from, to) => slots.set(marks.subarray(from, to), from));
    const minutesBefore = new Uint32Array(this.#size + 1);
    for (const [slot, isOpen] of slots.entries()) {
      const minutes = this.#minutes[slot] ?? 0;
      if (minutes === 0) slots[slot] = 0;
      minutesBefore[slot + 1] = (minutesBefore[slot] ?? 0) + isOpen * minutes;
    }
    const open = { slots, minutesBefore };
    this.#open.set(hours, open);
    return open;
  }

  /** The slot after the end of the last day. */
  #endOf(lastDay: LastDay | null): number {
    return lastDay ? (daysBetween(this.#from, lastDay.on) + 1) * this.#cuts.size : this.#size;
  }

  /** What a screen with these hours and loads is asked to show. Hours and loads are compared by identity. */
  measure(hours: WeeklyHours | null, loads: readonly Load[], lastDay: LastDay | null = null): Occupancy {
    for (const load of loads) {
      const { ranges, share } = load.placed?.grid === this ? load.placed : this.#place(load);
      addChanges(this.#changes, ranges, share);
    }
    const open = this.#openOf(hours);
    const end = Math.min(Math.max(this.#endOf(lastDay), 0), this.#size);
    const sums = this.#sumUp(open.slots, end);
    const { week } = sums;
    let { peak, fullest } = sums;
    const openMinutes = open.minutesBefore[end] ?? 0;
    if (lastDay?.after === 'full') {
      for (let slot = end; slot < this.#size; slot += 1) {
        if (open.slots[slot] !== 1) continue;
        const cell = this.#cells[slot] ?? 0;
        week[cell] = Infinity;
        if (peak < Infinity) [peak, fullest] = [Infinity, cell];
      }
    }
    const { bookedMinutes } = sums;
    if (peak === NEVER) return { openMinutes, bookedMinutes, peak: 0, peakAt: null, week };
    const peakAt = { weekday: Math.floor(fullest / HOURS_A_DAY) + 1, hour: fullest % HOURS_A_DAY };
    return { openMinutes, bookedMinutes, peak, peakAt, week };
  }

  /**
   * Adds up the changes of the open slots before the end; they are 0 afterwards. Without iterators, those of destructuring
   * included: there are thousands of slots on each of thousands of screens.
   */
  #sumUp(isOpen: Uint8Array, end: number) {
    const changes = this.#changes;
    const cells = this.#cells;
    const lengths = this.#minutes;
    const week = new Float64Array(DAYS_A_WEEK * HOURS_A_DAY).fill(NEVER);
    let bookedMinutes = 0;
    let booked = 0;
    let peak = NEVER;
    let fullest = 0;
    for (let slot = 0; slot < end; slot += 1) {
      booked += changes[slot] ?? 0;
      if (isOpen[slot] === 1) {
        bookedMinutes += booked * (lengths[slot] ?? 0);
        const cell = cells[slot] ?? 0;
        if (booked > (week[cell] ?? 0)) {
          week[cell] = booked;
          if (booked > peak) {
            peak = booked;
            fullest = cell;
          }
        }
      }
    }
    changes.fill(0);
    return { week, bookedMinutes, peak, fullest };
  }
}

const flightsOf = (loads: readonly Load[]): Flight[] => loads.map(({ flight }) => flight);

/** What a screen that is open within `hours` (null: always) shows during a flight, without its first `passed` minutes. */
export const occupancyOf = (
  flight: Flight,
  loads: readonly Load[],
  hours: WeeklyHours | null = null,
  lastDay: LastDay | null = null,
  passed = 0,
  jumps: readonly ClockJump[] = [],
): Occupancy => new FlightGrid(flight, flightsOf(loads), [hours], passed, jumps).measure(hours, loads, lastDay);

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

/** Minutes of a flight by the clock of the device, changes of the clock and the first `passed` minutes left out. */
export const flightMinutes = (flight: Flight, passed = 0): number =>
  occupancyOf(flight, [], null, null, passed).openMinutes;
