import { earliestDate, type Flight, flightFrom, utcDate } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

/**
 * The part of a flight that is left on the devices `d` (`devices_now`) of a condition at `now` (milliseconds since 1970):
 * it begins today by the clock that is behind all others. Undefined: it is over on all of them.
 */
export async function flightLeft<T extends Flight>(
  db: Db,
  chosen: RawBuilder<boolean>,
  flight: T,
  now = Date.now(),
): Promise<T | undefined> {
  // No clock is more than a day ahead of that of UTC.
  if (flight.from > utcDate(now)) return flight;
  const { rows } = await sql<{ timeZone: string }>`
    select distinct d.time_zone as "timeZone" from devices_now d where ${chosen}`.execute(db);
  const today = earliestDate(
    now,
    rows.map(({ timeZone }) => timeZone),
  );
  return today <= flight.to ? flightFrom(flight, today) : undefined;
}
