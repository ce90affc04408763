import './campaigns.tables.ts';
import type { CampaignConflict, Flight, Load, WorkingHours } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';

/** Devices with equal working hours, last day, loads and sellable share: what is free on one is free on all. */
export interface DeviceClass {
  hours: WorkingHours | null;
  /** The last day (`YYYY-MM-DD`) if devices expire before the flight ends. */
  expiresOn: string | null;
  /** The share of an hour (0–1) that may be sold. */
  sellable: number;
  /** What the devices were asked to be told apart by, beside these. */
  group: string | null;
  loads: Load[];
  /** In order. */
  ids: string[];
}

type ClassRow = Omit<DeviceClass, 'loads'>;

const UNGROUPED = sql<null>`null::text`;

/** Campaigns that may run during a flight, with a day on each side for hours over midnight. */
const running = ({ from, to }: Flight) => sql`
  select c.id from campaigns c
  where c.state = 'booked' and c.starts_on <= ${to}::date + 1 and c.ends_on >= ${from}::date - 1`;

/** The devices `d` (`devices_now`) of a condition in classes. The hash of a set of loads is the same in any order. */
async function findRows(
  db: Db,
  chosen: RawBuilder<boolean>,
  flight: Flight,
  group: RawBuilder<string | null>,
): Promise<ClassRow[]> {
  const { rows } = await sql<ClassRow>`
    with chosen as materialized (
      select d.id, d.owner_id, d.working_hours, ${group} as "group",
        case when d.expires_on <= ${flight.to}::date then d.expires_on end as expires_on
      from devices_now d where ${chosen}
    ),
    owner as materialized (
      select o.owner_id, default_hours(o.owner_id) as hours, sellable_share(o.owner_id) as sellable
      from (select distinct owner_id from chosen) o
    ), load as (
      select cd.device_id, count(*) as loads,
        bit_xor(uuid_hash_extended(cd.campaign_id, cd.every_ms)) as hash,
        bit_xor(uuid_hash_extended(cd.campaign_id, cd.spot_ms::bigint)) as lengths
      from campaign_devices cd where cd.campaign_id in (${running(flight)}) and cd.device_id in (select id from chosen)
      group by cd.device_id
    )
    select coalesce(c.working_hours, o.hours) as hours, c.expires_on as "expiresOn", o.sellable, c."group", array_agg(c.id order by c.id) as ids
    from chosen c join owner o on o.owner_id = c.owner_id left join load l on l.device_id = c.id
    group by coalesce(c.working_hours, o.hours), c.expires_on, o.sellable, c."group", l.loads, l.hash, l.lengths`.execute(
    db,
  );
  return rows;
}

/** `flights`: campaigns in order of their numbers; of each device the numbers of its campaigns, and their shares. */
interface LoadsRow {
  flights: Flight[] | null;
  loads: [deviceId: string, campaigns: number[], shares: number[]][] | null;
}

/**
 * The loads of these devices during a flight. Loads of one campaign have the same flight object: thousands of devices with
 * dozens of campaigns each are one row, in which each flight is written once.
 */
async function findLoads(db: Db, deviceIds: readonly string[], flight: Flight): Promise<Map<string, Load[]>> {
  const { rows } = await sql<LoadsRow>`
    with booked as materialized (
      select c.id, c.schedule, row_number() over (order by c.id) - 1 as n from campaigns c
      where c.id in (${running(flight)})
        and c.id in (select campaign_id from campaign_devices where device_id = any(${deviceIds}::uuid[]))
    ), load as (
      select cd.device_id, json_agg(b.n) as campaigns, json_agg(cd.spot_ms::float8 / cd.every_ms) as shares
      from campaign_devices cd join booked b on b.id = cd.campaign_id
      where cd.device_id = any(${deviceIds}::uuid[]) group by cd.device_id
    )
    select (select json_agg(schedule order by n) from booked) as flights,
      (select json_agg(json_build_array(device_id, campaigns, shares)) from load) as loads`.execute(db);
  const [{ flights, loads } = { flights: null, loads: null }] = rows;
  const loadsOf = (campaigns: readonly number[], shares: readonly number[]): Load[] =>
    campaigns.flatMap((campaign, index) => {
      const known = flights?.[campaign];
      return known ? [{ flight: known, share: shares[index] ?? 0 }] : [];
    });
  return new Map(loads?.map(([deviceId, campaigns, shares]) => [deviceId, loadsOf(campaigns, shares)]));
}

/**
 * The devices of a condition on `d` (`devices_now`) in classes, with what is booked on them during a flight: two queries.
 * `group`: a property of `d` that is the same in a class.
 */
export async function findClasses(
  db: Db,
  chosen: RawBuilder<boolean>,
  flight: Flight,
  group: RawBuilder<string | null> = UNGROUPED,
): Promise<DeviceClass[]> {
  const rows = await findRows(db, chosen, flight, group);
  const loads = await findLoads(
    db,
    rows.flatMap(({ ids }) => ids.slice(0, 1)),
    flight,
  );
  // Equal hours are one object: what depends on them is computed once.
  const hours = new Map<string, WorkingHours | null>();
  return rows.map((row) => {
    const key = JSON.stringify(row.hours);
    const known = hours.get(key) ?? row.hours;
    hours.set(key, known);
    return { ...row, hours: known, sellable: row.sellable / 100, loads: loads.get(row.ids[0] ?? '') ?? [] };
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
    where cd.device_id = any(${ids}::uuid[]) and c.id in (${running(flight)}) and ${inScope(viewer, sql`c.customer_id`)}
    group by cd.device_id`.execute(db);
  return new Map(rows.map(({ deviceId, campaigns }) => [deviceId, campaigns]));
}
