export const MINUTES_A_DAY = 24 * 60;

/** A part of a day by the wall clock, `HH:MM` each. Half-open; `24:00` is the end of the day. */
export interface ClockSpan {
  from: string;
  to: string;
}

/** Of `HH:MM`. */
const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Minutes since the midnight that begins a span's day. A span that ends before it starts ends on the next day. */
export function spanMinutes(span: ClockSpan): { from: number; to: number } {
  const from = minutesOf(span.from);
  const to = minutesOf(span.to);
  return { from, to: from < to ? to : to + MINUTES_A_DAY };
}

const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Whether a span ends on the day after it starts. Clocks are compared as they are written. */
export const runsOverMidnight = ({ from, to }: ClockSpan): boolean => to <= from;

/**
 * Whether spans cover a minute of a day (0–1439). `spansOn` gives those of the day itself and, for the part of a span
 * that runs over midnight, those of the day before.
 */
export function spansCover(spansOn: (day: 'today' | 'before') => readonly ClockSpan[], minutes: number): boolean {
  const now = clockOf(minutes);
  return (
    spansOn('today').some((span) => span.from <= now && (now < span.to || runsOverMidnight(span))) ||
    spansOn('before').some((span) => runsOverMidnight(span) && now < span.to)
  );
}
