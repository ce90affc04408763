import type { Schedule } from '../player.ts';
import { type CalendarRules, plannedSlots } from './calendar.ts';
import type { Span } from './working-time.ts';

const WEEK_MS = 7 * 86_400_000;
/** A clock that jumps years ahead must not make a device compute for minutes. */
const HORIZON_MS = 800 * 86_400_000;

/** A span of open time, with all open time before it, in milliseconds. */
interface OpenSpan extends Span {
  before: number;
}

/** The open spans of a schedule within the working hours and the device's lifetime, in order. */
export const openSpans = (schedule: Schedule | null, rules: CalendarRules, from: number, to: number): Span[] =>
  plannedSlots([{ schedule, priority: 'normal', replace: false, playMode: 'sequence' }], rules, from, to).filter(
    ({ state }) => state === 'plays',
  );

/**
 * Measures open time: the milliseconds since `from` in which a schedule and the rules of a device let it play. Instants
 * before `from` are negative. Days are computed once, as they are asked for.
 */
export function makeOpenTime(schedule: Schedule | null, rules: CalendarRules, from: number): (at: number) => number {
  const spans: OpenSpan[] = [];
  let computed = { until: from, open: 0 };
  const extend = ({ until, open }: typeof computed): typeof computed => {
    let sum = open;
    for (const span of openSpans(schedule, rules, until, until + WEEK_MS)) {
      spans.push({ from: span.from, to: span.to, before: sum });
      sum += span.to - span.from;
    }
    return { until: until + WEEK_MS, open: sum };
  };
  return (at) => {
    if (at < from) return at - from;
    const needed = Math.min(at, from + HORIZON_MS);
    while (computed.until <= needed) computed = extend(computed);
    const span = lastBegun(spans, at);
    return span ? span.before + Math.min(at, span.to) - span.from : 0;
  };
}

/** The last span that has begun at an instant. */
function lastBegun(spans: readonly OpenSpan[], at: number): OpenSpan | undefined {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.from ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return spans[low - 1];
}
