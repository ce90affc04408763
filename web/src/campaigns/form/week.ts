import { type Flight, flightLeft, occupancyOf } from '@ams/contract';

/**
 * What is free in each hour of the week, Monday and midnight first, as a share of the hour; null where the campaign does
 * not run any more by a clock of this zone at `now` (milliseconds since 1970). The server answers 0 there as well as where
 * nothing is free, and more where clocks of devices are behind.
 */
export function weekOf(
  flight: Flight,
  free: readonly (readonly number[])[],
  now: number,
  timeZone: string,
): (number | null)[][] {
  const left = flightLeft(flight, now, timeZone);
  const { week } = occupancyOf(left.flight, [], null, null, left.passed, left.jumps);
  return free.map((day, weekday) =>
    day.map((share, hour) => (share === 0 && (week[weekday * day.length + hour] ?? -1) < 0 ? null : share)),
  );
}

export type Level = 'off' | 'none' | 'little' | 'some' | 'much';

/** How full an hour is: the steps of the heat map. */
export function levelOf(free: number | null): Level {
  if (free === null) return 'off';
  if (free < 0.005) return 'none';
  if (free < 0.2) return 'little';
  return free < 0.5 ? 'some' : 'much';
}
