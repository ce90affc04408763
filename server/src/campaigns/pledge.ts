import { setImmediate } from 'node:timers/promises';
import {
  type CampaignGoal,
  type Flight,
  FlightGrid,
  type LastDay,
  type Occupancy,
  PLAYS_PER_HOUR_MAX,
  PLAYS_TOTAL_MAX,
} from '@ams/contract';
import type { DeviceClass } from './classes.ts';
import type { FlightPart } from './flight.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const PERCENT = 100;
/** Sums of shares are floats. */
const TOLERANCE = 1e-9;
/** Classes that are measured at a time: some milliseconds. */
const CLASSES_AT_ONCE = 500;

/** Devices of a class with what is free on them during a flight. */
export interface Measured extends DeviceClass {
  occupancy: Occupancy;
  /** Open time that is left of the flight, in milliseconds. */
  openMs: number;
  /** The share (0–1) that is free at the fullest moment; 0 where it is never open. */
  free: number;
}

/** The pace of a campaign on devices: open time between two of its spots. */
export interface Paced {
  ids: readonly string[];
  everyMs: number;
}

/** What a goal means for the devices of a flight. */
export interface Pledge {
  isFeasible: boolean;
  paced: Paced[];
  /** Plays over the flight. */
  plays: number;
}

/**
 * How hours after the last day of a device count: a total is distributed over the hours before it; other goals need every
 * hour of a flight.
 */
type AfterLastDay = LastDay['after'];

export const afterLastDay = ({ kind }: Pick<CampaignGoal, 'kind'>): AfterLastDay =>
  kind === 'total' ? 'closed' : 'full';

const measureOn = (grid: FlightGrid, each: DeviceClass, after: AfterLastDay): Measured => {
  const occupancy = grid.measure(
    each.hours,
    each.loads,
    each.expiresOn === null ? null : { on: each.expiresOn, after },
  );
  const openMs = occupancy.openMinutes * MINUTE_MS;
  const free = openMs === 0 ? 0 : Math.max(each.sellable - occupancy.peak, 0);
  return { ...each, occupancy, openMs, free };
};

/** Classes that are measured together during a flight, or the part of it that is left on them. */
type Part = Pick<FlightPart, 'flight' | 'classes'> & Partial<Pick<FlightPart, 'passed' | 'jumps'>>;

const gridOf = ({ flight, passed, jumps, classes }: Part, others: Iterable<Flight>): FlightGrid =>
  new FlightGrid(flight, others, new Set(classes.map(({ hours }) => hours)), passed, jumps);

/** Measures classes of devices; never open ones have no part in what follows. */
export const measure = (parts: readonly Part[], after: AfterLastDay): Measured[] =>
  parts.flatMap((part) => {
    const grid = gridOf(part, new Set(part.classes.flatMap(({ loads }) => loads.map((load) => load.flight))));
    return part.classes.map((each) => measureOn(grid, each, after));
  });

async function inTurns(classes: readonly DeviceClass[], visit: (each: DeviceClass) => void): Promise<void> {
  for (const [index, each] of classes.entries()) {
    if (index % CLASSES_AT_ONCE === 0) await setImmediate();
    visit(each);
  }
}

/** The same for as many classes as there are devices: the process answers others in between. */
export async function measureInTurns(parts: readonly Part[], after: AfterLastDay): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const part of parts) {
    const flights = new Set<Flight>();
    await inTurns(part.classes, ({ loads }) => {
      for (const load of loads) flights.add(load.flight);
    });
    const grid = gridOf(part, flights);
    await inTurns(part.classes, (each) => {
      measured.push(measureOn(grid, each, after));
    });
  }
  return measured;
}

/** Whether any hour of the flight is asked of a device: one that is expired by then has no room for it. */
export const isAsked = ({ occupancy }: Measured): boolean => occupancy.peakAt !== null;

const sumOf = (measured: readonly Measured[], value: (each: Measured) => number): number =>
  measured.reduce((sum, each) => sum + value(each) * each.ids.length, 0);

/** The period of a goal that is the same on every device. */
function periodOf(goal: Exclude<CampaignGoal, { kind: 'total' }>, spotMs: number): number {
  switch (goal.kind) {
    case 'perHour':
      return Math.ceil(HOUR_MS / goal.value);
    case 'share':
      return Math.ceil((spotMs * PERCENT) / goal.value);
  }
}

/** The plays that fit on a device beside what is booked. */
const roomFor = ({ free, openMs }: Pick<Measured, 'free' | 'openMs'>, spotMs: number): number =>
  Math.floor(((free + TOLERANCE) * openMs) / spotMs);

/**
 * Distributes a number of plays in proportion to open time, in whole plays: what is left over goes to devices with room,
 * those with the largest remainder first, one on each at a time. The period of n plays is open time / n, so that n begin
 * within it.
 */
function distribute(total: number, spotMs: number, measured: readonly Measured[]): Pledge {
  const openMs = sumOf(measured, (each) => each.openMs);
  const parts = measured.map(({ ids, ...each }) => {
    const quota = openMs === 0 ? 0 : (total * each.openMs) / openMs;
    const room = ids.length * roomFor(each, spotMs);
    return { ids, openMs: each.openMs, remainder: quota % 1, plays: ids.length * Math.floor(quota), room };
  });
  parts.sort((a, b) => b.remainder - a.remainder);
  let left = parts.reduce((rest, { plays }) => rest - plays, total);
  for (let before = Infinity; left > 0 && left < before;) {
    before = left;
    for (const part of parts) {
      const more = Math.max(Math.min(left, part.ids.length, part.room - part.plays), 0);
      part.plays += more;
      left -= more;
    }
  }
  const isFeasible = openMs > 0 && left === 0 && parts.every(({ plays, room }) => plays <= room);
  return { isFeasible, paced: parts.flatMap(pacesOf), plays: total };
}

/** The paces of devices that share a number of plays: one more on the first of them, if it is not a multiple. */
function pacesOf({ ids, openMs, plays }: Pick<Measured, 'ids' | 'openMs'> & { plays: number }): Paced[] {
  const each = Math.floor(plays / ids.length);
  const more = plays % ids.length;
  return [
    { ids: ids.slice(0, more), plays: each + 1 },
    { ids: ids.slice(more), plays: each },
  ].flatMap((part) =>
    part.ids.length > 0 && part.plays > 0 ? [{ ids: part.ids, everyMs: Math.ceil(openMs / part.plays) }] : [],
  );
}

/** What a goal means on devices. Devices that are never open during the flight carry it if their hours change. */
export function pledge(goal: CampaignGoal, spotMs: number, measured: readonly Measured[]): Pledge {
  const asked = measured.filter(isAsked);
  if (goal.kind === 'total') return distribute(goal.value, spotMs, asked);
  const everyMs = periodOf(goal, spotMs);
  const isFeasible = asked.length > 0 && asked.every(({ free }) => spotMs / everyMs <= free + TOLERANCE);
  const plays = sumOf(asked, (each) => Math.floor(each.openMs / everyMs));
  return { isFeasible, paced: measured.map(({ ids }) => ({ ids, everyMs })), plays };
}

/**
 * The pace at which devices join a campaign whose plays are distributed already: an even part of those that are left, as
 * far as the devices have room. Re-planning takes what is then too many from all of them.
 */
export function evenPart(
  plays: number,
  spotMs: number,
  carrying: readonly Measured[],
  joining: readonly Measured[],
): Paced[] {
  if (plays <= 0) return [];
  const openMs = sumOf([...carrying, ...joining], (each) => each.openMs);
  return joining
    .filter(({ free }) => free > TOLERANCE)
    .map(({ ids, free }) => ({ ids, everyMs: Math.ceil(Math.max(openMs / plays, spotMs / (free + TOLERANCE))) }));
}

/** The share (0–1) of an hour that a goal takes on a device; without open time it would take all of it. */
export function shareNeeded(goal: CampaignGoal, spotMs: number, measured: readonly Measured[]): number {
  if (goal.kind !== 'total') return spotMs / periodOf(goal, spotMs);
  const openMs = sumOf(measured, (each) => each.openMs);
  return openMs === 0 ? 1 : (goal.value * spotMs) / openMs;
}

const floored = (value: number, decimals: number): number =>
  Math.floor((value + TOLERANCE) * 10 ** decimals) / 10 ** decimals;

/** The largest value that a kind of goal can have and that fits on all devices; 0: none. */
export function largest(kind: CampaignGoal['kind'], spotMs: number, measured: readonly Measured[]): number {
  const asked = measured.filter(isAsked);
  const free = Math.min(...asked.map((each) => each.free));
  if (asked.length === 0 || free <= TOLERANCE) return 0;
  const everyMs = Math.ceil(spotMs / (free + TOLERANCE));
  switch (kind) {
    case 'perHour':
      return Math.min(floored(HOUR_MS / everyMs, 2), PLAYS_PER_HOUR_MAX);
    case 'share':
      return floored((spotMs * PERCENT) / everyMs, 2);
    case 'total':
      return Math.min(
        sumOf(asked, ({ openMs }) => roomFor({ free, openMs }, spotMs)),
        PLAYS_TOTAL_MAX,
      );
  }
}
