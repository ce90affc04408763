import type { Programme } from '../player.ts';
import { MINUTES_A_DAY, spanMinutes } from './clock.ts';
import { isExpired } from './expiry.ts';
import { playingNow, reachable } from './programme.ts';
import { addDays, localTime } from './zone.ts';

type Scheduled = Pick<Programme, 'schedule' | 'priority' | 'replace' | 'playMode'>;

/** The time zone of a device, and its last day (`YYYY-MM-DD`, null: none). */
export interface CalendarRules {
  timeZone: string;
  expiresOn: string | null;
}

/** A part of an interval, half-open, in milliseconds since 1970, in which the same programmes play in the same order. */
export interface PlannedSlot<P> {
  from: number;
  to: number;
  /** `nothing`: no release covers this time. */
  state: 'plays' | 'nothing' | 'expired';
  /** Empty unless something plays. */
  playing: P[];
}

const MINUTE_MS = 60_000;
const DAY_MS = MINUTES_A_DAY * MINUTE_MS;
/** No zone changes its offset twice within this time. */
const OFFSET_STEP_MS = DAY_MS / 4;

/** Local time minus UTC, in milliseconds. */
function offsetAt(instant: number, timeZone: string): number {
  const { date, minutes } = localTime(instant, timeZone);
  const whole = Math.floor(instant / MINUTE_MS) * MINUTE_MS;
  return Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS - whole;
}

/** The first whole minute after `before` with the offset of `after`. */
function offsetChange(before: number, after: number, timeZone: string): number {
  const old = offsetAt(before, timeZone);
  let low = Math.floor(before / MINUTE_MS);
  let high = Math.ceil(after / MINUTE_MS);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * MINUTE_MS, timeZone) === old) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}

/** The parts of an interval in which the clocks of a zone run on without a jump. */
function* evenParts(
  from: number,
  to: number,
  timeZone: string,
): Generator<{ from: number; to: number; offset: number }> {
  let start = from;
  let offset = offsetAt(from, timeZone);
  for (let at = from; at < to; at += OFFSET_STEP_MS) {
    const next = Math.min(at + OFFSET_STEP_MS, to);
    const after = offsetAt(next, timeZone);
    if (after === offset) continue;
    const change = offsetChange(at, next, timeZone);
    yield { from: start, to: change, offset };
    start = change;
    offset = after;
  }
  if (start < to) yield { from: start, to, offset };
}

/**
 * All instants within an interval at which the local clock shows one of these minutes of a day (0–1439) or jumps, in
 * order, beginning with the start of the interval.
 */
export function clockInstants(minutes: readonly number[], timeZone: string, from: number, to: number): number[] {
  const found: number[] = [];
  const marks = [...new Set(minutes)].toSorted((a, b) => a - b);
  for (const part of evenParts(from, to, timeZone)) {
    found.push(part.from);
    const lastDay = new Date(part.to + part.offset).toISOString().slice(0, 10);
    for (
      let day = new Date(part.from + part.offset).toISOString().slice(0, 10);
      day <= lastDay;
      day = addDays(day, 1)
    ) {
      for (const mark of marks) {
        const at = Date.parse(`${day}T00:00:00Z`) + mark * MINUTE_MS - part.offset;
        if (at > part.from && at < part.to) found.push(at);
      }
    }
  }
  return found;
}

/** The minutes of a day at which any of these programmes can begin or end, midnight included. */
function marksOf(programmes: readonly Scheduled[]): number[] {
  const spans = programmes.flatMap(({ schedule }) => schedule?.hours ?? []).map(spanMinutes);
  return [0, ...spans.flatMap(({ from, to }) => [from % MINUTES_A_DAY, to % MINUTES_A_DAY])];
}

const isSame = <P>(a: PlannedSlot<P>, b: PlannedSlot<P>): boolean =>
  a.state === b.state && a.playing.length === b.playing.length && a.playing.every((each, i) => each === b.playing[i]);

/**
 * What plays from one instant to another (milliseconds since 1970) by the rule that devices use: slots that follow each
 * other without a gap and differ from their neighbours. `programmes` are in release order, oldest first; those that play
 * once count as long as their schedule lasts, unless `isFinished` at an instant.
 */
export function plannedSlots<P extends Scheduled>(
  programmes: readonly P[],
  { timeZone, expiresOn }: CalendarRules,
  from: number,
  to: number,
  isFinished: (programme: P, at: number) => boolean = () => false,
): PlannedSlot<P>[] {
  const able = reachable(programmes);
  const slots: PlannedSlot<P>[] = [];
  const instants = clockInstants(marksOf(able), timeZone, from, to);
  for (const [index, at] of instants.entries()) {
    const isOver = isExpired(expiresOn, timeZone, at);
    const open = able.filter((programme) => !isFinished(programme, at));
    const playing = isOver ? [] : playingNow(open, at, timeZone);
    const state = playing.length > 0 ? 'plays' : isOver ? 'expired' : 'nothing';
    const slot: PlannedSlot<P> = { from: at, to: instants[index + 1] ?? to, state, playing };
    const last = slots.at(-1);
    if (last && isSame(last, slot)) last.to = slot.to;
    else slots.push(slot);
  }
  return slots;
}
