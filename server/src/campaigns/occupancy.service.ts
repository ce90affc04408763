import { addDays, type AreaOccupancy, isoWeekday, OCCUPANCY_WEEKS, utcDate } from '@ams/contract';
import { sql } from 'kysely';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { findClasses, nameDevices } from './capacity.queries.ts';
import { type Measured, measureInTurns } from './pledge.ts';

const DAYS_A_WEEK = 7;

/** The share of the sellable time of devices that is booked; null where none is open. */
function bookedShare(measured: readonly Measured[]): number | null {
  let [booked, sellable] = [0, 0];
  for (const { ids, occupancy, sellable: share } of measured) {
    booked += occupancy.bookedMinutes * ids.length;
    sellable += occupancy.openMinutes * share * ids.length;
  }
  return sellable === 0 ? null : booked / sellable;
}

/** The class with the least room. */
const fullestOf = (measured: readonly Measured[]): Measured | undefined =>
  measured.filter(({ openMs }) => openMs > 0).toSorted((a, b) => a.free - b.free)[0];

const byArea = (measured: readonly Measured[]) => Map.groupBy(measured, ({ group }) => group);

/** How much of the devices in scope is booked, by area and week: by the rule by which campaigns are booked. */
export async function getOccupancy(db: Db, viewer: Scoped, now = Date.now()): Promise<AreaOccupancy> {
  const today = utcDate(now);
  const monday = addDays(today, 1 - isoWeekday(today));
  const { past, ahead } = OCCUPANCY_WEEKS;
  const weeks = Array.from({ length: past + 1 + ahead }, (_, week) => addDays(monday, (week - past) * DAYS_A_WEEK));
  const flightOf = (from: string, length: number) => ({ from, to: addDays(from, length * DAYS_A_WEEK - 1) });
  const flight = flightOf(weeks[0] ?? monday, weeks.length);
  const classes = await findClasses(db, inScope(viewer, sql`d.owner_id`), flight, sql<string | null>`d.area`);
  const measuredOf: ReturnType<typeof byArea>[] = [];
  for (const from of weeks) {
    measuredOf.push(byArea(await measureInTurns([{ flight: flightOf(from, 1), classes }], 'closed')));
  }
  const fullest = new Map(
    [...byArea(await measureInTurns([{ flight: flightOf(monday, ahead + 1), classes }], 'closed'))].map(
      ([area, own]) => [area, fullestOf(own)],
    ),
  );
  const names = await nameDevices(
    db,
    [...fullest.values()].flatMap((each) => each?.ids.slice(0, 1) ?? []),
  );
  const areas = [...Map.groupBy(classes, ({ group }) => group)].map(([area, own]) => {
    const least = fullest.get(area);
    const device = names.get(least?.ids[0] ?? '');
    return {
      area,
      devices: own.reduce((sum, { ids }) => sum + ids.length, 0),
      booked: measuredOf.map((measured) => bookedShare(measured.get(area) ?? [])),
      bottleneck: least && device ? { device, free: least.sellable === 0 ? 0 : least.free / least.sellable } : null,
    };
  });
  return {
    ...{ weeks, current: past },
    areas: areas.toSorted(
      (a, b) => Number(a.area === null) - Number(b.area === null) || (a.area ?? '').localeCompare(b.area ?? ''),
    ),
  };
}
