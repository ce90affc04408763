const MINUTE_MS = 60_000;

/** Lengths of a takeover that are offered, in minutes. */
export const LENGTHS = [15, 60, 240] as const;

/** How long a takeover lasts: minutes, or until a moment that somebody chooses. */
export type Length = (typeof LENGTHS)[number] | 'until';

export const inMs = (minutes: number): number => minutes * MINUTE_MS;

/**
 * The end as the API takes it: minutes, which the server counts by its own clock, or the chosen moment in the time zone
 * of this computer. Undefined while that is no date.
 */
export function endOf(length: Length, chosen: string): { minutes: number } | { until: string } | undefined {
  if (length !== 'until') return { minutes: length };
  const end = Date.parse(chosen);
  return Number.isNaN(end) ? undefined : { until: new Date(end).toISOString() };
}
