import { addDays, type Flight, flightFrom, type FlightLeft, flightLeft, flightMinutes, utcDate } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { findClasses } from './capacity.queries.ts';
import type { DeviceClass } from './classes.ts';

/** Devices in classes, and the part of a flight that is left on them. */
export interface FlightPart extends FlightLeft {
  /** Nothing is left. */
  isOver: boolean;
  classes: DeviceClass[];
}

/**
 * The rest of a flight on the devices `d` (`devices_now`) of a condition at `now` (milliseconds since 1970), in parts: their
 * clocks differ.
 */
export async function findParts(
  db: Db,
  chosen: RawBuilder<boolean>,
  flight: Flight,
  now = Date.now(),
): Promise<FlightPart[]> {
  const recent = flightFrom(flight, addDays(utcDate(now), -2));
  const classes = await findClasses(db, chosen, recent, sql<string>`d.time_zone`);
  const zones = Array.from(
    Map.groupBy(classes, ({ group }) => group ?? 'UTC'),
    ([timeZone, alike]) => ({ left: flightLeft(flight, now, timeZone), alike }),
  );
  return [...Map.groupBy(zones, ({ left }) => JSON.stringify(left)).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { left } = first;
    // A flight whose days contain none of its weekdays is never over.
    const isOver = flightMinutes(left.flight, left.passed) === 0 && flightMinutes(flight) > 0;
    return { ...left, isOver, classes: same.flatMap(({ alike }) => alike) };
  });
}
