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

/**
 * Whether spans cover a minute of a day (0–1439). `spansOn` gives those of the day itself and, for the part of a span
 * that runs over midnight, those of the day before.
 */
export function spansCover(spansOn: (day: 'today' | 'before') => readonly ClockSpan[], minutes: number): boolean {
  const within = (at: number) => (span: ClockSpan) => {
    const { from, to } = spanMinutes(span);
    return at >= from && at < to;
  };
  return spansOn('today').some(within(minutes)) || spansOn('before').some(within(minutes + MINUTES_A_DAY));
}
