import { addDays, type Flight, flightFrom, localTime, utcDate } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { findClasses } from './capacity.queries.ts';
import type { DeviceClass } from './classes.ts';

/** Devices in classes, and the part of a flight that is left on them. */
export interface FlightPart {
  /** At least its last day: hours can run over midnight. */
  flight: Flight;
  /** The last day has passed. */
  isOver: boolean;
  classes: DeviceClass[];
}

/**
 * The rest of a flight on the devices `d` (`devices_now`) of a condition at `now` (milliseconds since 1970). It begins today
 * by the clock of each device, so that there are up to three parts.
 */
export async function findParts(
  db: Db,
  chosen: RawBuilder<boolean>,
  flight: Flight,
  now = Date.now(),
): Promise<FlightPart[]> {
  // No clock is more than a day from that of UTC.
  const isAhead = flight.from > utcDate(now);
  const recent = flightFrom(flight, addDays(utcDate(now), -1));
  const classes = await findClasses(db, chosen, recent, isAhead ? undefined : sql<string>`d.time_zone`);
  const byZone = Map.groupBy(classes, ({ group }) => group ?? 'UTC');
  const byDay = Map.groupBy(byZone, ([timeZone]) => localTime(now, timeZone).date);
  return [...byDay].map(([today, zones]) => ({
    flight: flightFrom(flight, today),
    isOver: today > flight.to,
    classes: zones.flatMap(([, alike]) => alike),
  }));
}
