import './campaigns.tables.ts';
import type { CampaignConflict, Flight, WorkingHours } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { type Alike, type Carried, classesOf, type DeviceClass } from './classes.ts';

const UNGROUPED = sql<null>`null::text`;

/** Campaigns `c` that may run during a flight, with a day on each side for hours over midnight. */
const isRunning = ({ from, to }: Flight) => sql<boolean>`(
  c.state = 'booked' and c.starts_on <= ${to}::date + 1 and c.ends_on >= ${from}::date - 1)`;

/** Campaigns at one pace each: entries at the same place of each list belong together. */
interface CarriedRow {
  flights: Flight[] | null;
  everyMs: number[] | null;
  spotMs: number[] | null;
  /** Lists of places as JSON, without the brackets around them all. */
  places: string | null;
}

interface ChosenRow extends CarriedRow {
  /** In order. */
  ids: string[] | null;
  alike: Alike[] | null;
}

/**
 * The devices `d` (`devices_now`) of a condition in classes, with what is booked on them during a flight. `group`: a
 * property of `d` that is the same in a class. Thousands of devices with dozens of campaigns each are one row, in which
 * each id and each flight is written once. Schedules are joined last: they would be sorted with each carrier. Lists by
 * column take PostgreSQL a fraction of the time of an object for each campaign.
 */
export async function findClasses(
  db: Db,
  chosen: RawBuilder<boolean>,
  flight: Flight,
  group: RawBuilder<string | null> = UNGROUPED,
): Promise<DeviceClass[]> {
  const { rows } = await sql<ChosenRow>`
    with chosen as materialized (
      select row_number() over (order by d.id)::integer - 1 as place, d.id, d.owner_id, d.working_hours, ${group} as "group",
        case when d.expires_on <= ${flight.to}::date then d.expires_on end as expires_on
      from devices_now d where ${chosen}
    ), owner as materialized (
      select o.owner_id, default_hours(o.owner_id) as hours, sellable_share(o.owner_id) / 100.0 as sellable
      from (select distinct owner_id from chosen) o
    ), alike as (
      select coalesce(d.working_hours, o.hours) as hours, d.expires_on as "expiresOn", o.sellable, d."group",
        array_agg(d.place) as places
      from chosen d join owner o on o.owner_id = d.owner_id
      group by coalesce(d.working_hours, o.hours), d.expires_on, o.sellable, d."group"
    ), carried as (
      select c.id, cd.every_ms, cd.spot_ms, array_agg(d.place) as places
      from chosen d join campaign_devices cd on cd.device_id = d.id join campaigns c on c.id = cd.campaign_id
      where ${isRunning(flight)} group by c.id, cd.every_ms, cd.spot_ms
    )
    select (select json_agg(id order by place) from chosen) as ids, (select json_agg(alike) from alike) as alike, k.*
    from (
      select json_agg(c.schedule) as flights, to_json(array_agg(every_ms)) as "everyMs",
        to_json(array_agg(spot_ms)) as "spotMs", string_agg(to_json(places)::text, ',') as places
      from carried join campaigns c on c.id = carried.id) k`.execute(db);
  const [row] = rows;
  return row ? classesOf(row.ids ?? [], withSharedHours(row.alike ?? []), carriedOf(row)) : [];
}

/** Equal hours are one object: what depends on them is computed once. */
function withSharedHours(alike: readonly Alike[]): Alike[] {
  const known = new Map<string, WorkingHours | null>();
  return alike.map((each) => {
    const key = JSON.stringify(each.hours);
    const hours = known.get(key) ?? each.hours;
    known.set(key, hours);
    return { ...each, hours };
  });
}

/** Campaigns with their places. Equal hours of flights are one object, too. */
function carriedOf({ flights, everyMs, spotMs, places }: CarriedRow): Carried[] {
  const known = new Map<string, NonNullable<Flight['hours']>>();
  const placesOf: number[][] = JSON.parse(`[${places ?? ''}]`);
  return (flights ?? []).map((flight, nth): Carried => {
    const { hours } = flight;
    if (hours && hours.length > 0) {
      const key = hours.map(({ from, to }) => from + to).join(' ');
      const same = known.get(key);
      if (same) flight.hours = same;
      else known.set(key, hours);
    }
    return [flight, everyMs?.[nth] ?? 1, spotMs?.[nth] ?? 0, placesOf[nth] ?? []];
  });
}

type DeviceRef = NonNullable<CampaignConflict['device']>;

/** Names of devices by id. */
export async function nameDevices(db: Db, ids: readonly string[]): Promise<Map<string, DeviceRef>> {
  const { rows } = await sql<DeviceRef>`
    select d.id, d.mac, d.name from devices d where d.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** The campaigns in scope that run on devices during a flight, by device. */
export async function nameCampaigns(
  db: Db,
  viewer: Scoped | Viewer,
  ids: readonly string[],
  flight: Flight,
): Promise<Map<string, CampaignConflict['campaigns']>> {
  const { rows } = await sql<{ deviceId: string; campaigns: CampaignConflict['campaigns'] }>`
    select cd.device_id as "deviceId",
      jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.created_at) as campaigns
    from campaign_devices cd join campaigns c on c.id = cd.campaign_id
    where cd.device_id = any(${ids}::uuid[]) and ${isRunning(flight)} and ${inScope(viewer, sql`c.customer_id`)}
    group by cd.device_id`.execute(db);
  return new Map(rows.map(({ deviceId, campaigns }) => [deviceId, campaigns]));
}
