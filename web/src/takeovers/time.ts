const MINUTE_MS = 60_000;

/** Lengths of a takeover that are offered, in minutes. */
export const LENGTHS = [15, 60, 240] as const;

/** How long a takeover lasts: minutes, or until a moment that somebody chooses. */
export type Length = (typeof LENGTHS)[number] | 'until';

export const inMs = (minutes: number): number => minutes * MINUTE_MS;

/** The end as the API takes it; undefined while the chosen moment is no date. `chosen` is by the clock of this computer. */
export function endOf(length: Length, chosen: string, now: number): string | undefined {
  const end = length === 'until' ? Date.parse(chosen) : now + inMs(length);
  return Number.isNaN(end) ? undefined : new Date(end).toISOString();
}
