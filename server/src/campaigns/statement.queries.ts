import './campaigns.tables.ts';
import type { StatementPeriod, Terms } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { hoursInForce } from '../devices/hours.service.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { utcToday } from '../platform/database/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { type Rules, rulesOf, zoneIn } from './carriers.sql.ts';
import { bookedOn, cancelledOn, ms } from './columns.sql.ts';
import { completed } from './delivery.queries.ts';

/** The plays that a joined device adds to the order. Instants in milliseconds since 1970. */
export interface JoinedOrder {
  agreed: Rules;
  from: number;
  /** Null: until the flight ends. */
  to: number | null;
  plays: number;
}

/** A device that carries or carried a campaign. Instants in milliseconds since 1970. */
export interface CarriedBy {
  deviceId: string;
  name: string;
  area: string | null;
  /** It is in the viewer's scope; a deleted device is in nobody's. */
  isSeen: boolean;
  /** Null: it was deleted. */
  mac: string | null;
  /** Of its clock, by which its plays have their days; of a deleted device, the last one. */
  timeZone: string;
  /** The campaign was booked on it. */
  isOrdered: boolean;
  /** One for each time that it joined or its rules changed since; none if the campaign was booked on it or has a total. */
  joins: JoinedOrder[];
  everyMs: number;
  /** For the first time. */
  joinedAt: number;
  /** Null: it carries the campaign. */
  leftAt: number | null;
  /** When it did not carry the campaign any more, in order; `to` is null while it has not rejoined. */
  away: { from: number; to: number | null }[];
  /** When it was booked; of a device that joined later, when it joined for the first time. */
  agreed: Rules;
  /** Now; null: it was deleted. */
  now: Rules | null;
  /** The line that re-planning has drawn; null: it no longer carries the campaign. */
  pace: { everyMs: number; dueBefore: number; from: number } | null;
}

/** The plays that the device of a row `campaign_carriers` `k` adds to the order. */
export const joinOf = sql<
  Omit<JoinedOrder, 'agreed'>
>`jsonb_build_object('plays', k.ordered, 'from', ${ms(sql`k.joined_at`)},
  'to', case when k.order_ended then ${ms(sql`k.left_at`)} end)`;

/**
 * Of the rows `campaign_carriers` of a device in a campaign, the one that says what was agreed is the first in this order:
 * a device that rejoins changes nothing of it.
 */
export const agreedFirst = sql`is_ordered desc, joined_at`;

/**
 * All devices that carry or carried a campaign, by name; a device that rejoined it is there once. Each row has the order
 * of the campaign at the same moment: a device that joins meanwhile is in both or in neither.
 */
export async function findCarriedBy(
  db: Db,
  viewer: Scoped,
  campaignId: string,
): Promise<(CarriedBy & { orderOfAll: number })[]> {
  const { rows } = await sql<CarriedBy & { orderOfAll: number }>`
    with carrier as (
      select k.*, lead(joined_at) over (partition by device_id order by joined_at) as rejoined_at
      from campaign_carriers k where campaign_id = ${campaignId}
    ), course as (
      select device_id, min(joined_at) as joined_at, case when bool_and(left_at is not null) then max(left_at) end as left_at,
        jsonb_agg(jsonb_build_object('from', ${ms(sql`left_at`)}, 'to', ${ms(sql`rejoined_at`)}) order by joined_at)
          filter (where left_at is not null and left_at is distinct from rejoined_at) as away,
        jsonb_agg(${joinOf} || jsonb_build_object('agreed', ${rulesOf}) order by joined_at) filter (where ordered > 0) as joins
      from carrier k group by device_id
    ), agreed as (
      select distinct on (device_id) * from carrier order by device_id, ${agreedFirst}
    )
    select k.device_id as "deviceId", coalesce(d.name, k.name) as name,
      case when d.id is null then k.area else d.area end as area,
      d.id is not null and ${inScope(viewer, sql`d.owner_id`)} as "isSeen", d.mac, k.is_ordered as "isOrdered",
      coalesce(d.time_zone, k.last_zone, k.time_zone) as "timeZone",
      k.every_ms::float8 as "everyMs", ${ms(sql`course.joined_at`)} as "joinedAt", ${ms(sql`course.left_at`)} as "leftAt",
      coalesce(course.away, '[]') as away, coalesce(course.joins, '[]') as joins, ${rulesOf} as agreed,
      case when d.id is not null then jsonb_build_object('timeZone', d.time_zone, 'expiresOn', d.expires_on,
        'hours', ${hoursInForce}) end as now,
      case when cd.device_id is not null then jsonb_build_object('everyMs', cd.every_ms, 'dueBefore', cd.due_before,
        'from', ${ms(sql`cd.paced_from`)}) end as pace,
      c.ordered::float8 as "orderOfAll"
    from agreed k join course using (device_id) join campaigns c on c.id = k.campaign_id left join devices d on d.id = k.device_id
      left join campaign_devices cd on cd.campaign_id = k.campaign_id and cd.device_id = k.device_id
    order by name, k.device_id`.execute(db);
  return rows;
}

/** Plays and their time on one device, of one creative or on one day. */
export interface Delivered {
  deviceId: string | null;
  releaseId: string | null;
  /** `YYYY-MM-DD` by the clock of the device. */
  day: string | null;
  /** In the period. */
  plays: number;
  durationMs: number;
  /** Whenever. */
  allPlays: number;
}

/** The hours of campaigns `h` (`campaign_hours`) of a condition, with their days by the clocks of the devices. */
export const placed = (condition: RawBuilder<unknown>) => sql`
  select h.device_id, h.release_id, h.hour, h.spots, h.duration_ms,
    (h.hour at time zone ${zoneIn(sql`h.campaign_id`, sql`h.device_id`)})::date as day
  from campaign_hours h left join devices d on d.id = h.device_id where ${condition}`;

/**
 * The plays that a campaign has delivered, three times: by device, by release and by day. Days outside of the period have plays in
 * `allPlays` only.
 */
export async function findDelivered(db: Db, campaignId: string, { from, to }: StatementPeriod): Promise<Delivered[]> {
  const isIn = sql`(day >= ${from ?? '0001-01-01'}::date and day <= ${to ?? '9999-12-31'}::date)`;
  const { rows } = await sql<Delivered>`
    with placed as (${placed(sql`h.campaign_id = ${campaignId}`)}), cells as (
      -- By day first, so that the plays of a month are those of \`campaign_months\`.
      select *, ${completed(sql`spots`, sql`day, hour, device_id, release_id`)} as plays from placed
    )
    select device_id as "deviceId", release_id as "releaseId", day::text as day,
      coalesce(sum(plays) filter (where ${isIn}), 0) as plays,
      coalesce(sum(duration_ms) filter (where ${isIn}), 0)::float8 as "durationMs", sum(plays) as "allPlays"
    from cells group by grouping sets ((device_id), (release_id), (day)) order by day`.execute(db);
  return rows;
}

/** The days of its devices on which a campaign was booked, and cancelled; null: it was not. */
export async function findTermDays(db: Db, campaignId: string): Promise<Pick<Terms, 'bookedOn' | 'cancelledOn'>> {
  const { rows } = await sql<Pick<Terms, 'bookedOn' | 'cancelledOn'>>`
    select ${bookedOn} as "bookedOn", ${cancelledOn} as "cancelledOn" from campaigns c
    where c.id = ${campaignId}`.execute(db);
  return rows[0] ?? { bookedOn: null, cancelledOn: null };
}

/** Scans of the codes of a campaign by day of the device's clock; undefined if none of its ads carries a code. */
export async function findScans(db: Db, campaignId: string): Promise<Map<string, number> | undefined> {
  const { rows } = await sql<{ carries: boolean; day: string | null; scans: number }>`
    select bool_or(r.programme ? 'qr') as carries, coalesce(sum(s.scans), 0)::float8 as scans,
      (s.hour at time zone ${zoneIn(sql`r.campaign_id`, sql`s.device_id`)})::date::text as day
    from releases r left join scan_hours s on s.release_id = r.id left join devices d on d.id = s.device_id
    where r.campaign_id = ${campaignId} group by 3`.execute(db);
  if (!rows.some(({ carries }) => carries)) return undefined;
  return new Map(rows.flatMap(({ day, scans }) => (day === null ? [] : [[day, scans] as const])));
}

/** Names of devices that are only known by their plays, and whether the viewer has them in scope. */
export async function findOthers(db: Db, viewer: Scoped, ids: readonly string[]) {
  const { rows } = await sql<{ deviceId: string; name: string; area: string | null; mac: string; isSeen: boolean }>`
    select d.id as "deviceId", d.name, d.area, d.mac, ${inScope(viewer, sql`d.owner_id`)} as "isSeen"
    from devices d where d.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.deviceId, row]));
}

/** The creatives of a campaign in their order, and further releases of it that played. */
export async function findCreatives(db: Db, campaignId: string, releaseIds: readonly string[]) {
  const { rows } = await sql<{ adId: string | null; releaseId: string | null; name: string; isOrdered: boolean }>`
    select k.ad_id as "adId", k.release_id as "releaseId", coalesce(a.name, k.ad_name) as name, true as "isOrdered",
      k.position
    from campaign_creatives k left join ads a on a.id = k.ad_id where k.campaign_id = ${campaignId}
    union all
    select r.ad_id, played.id, coalesce(r.ad_name, ''), false, null
    from unnest(${releaseIds}::uuid[]) played(id) left join releases r on r.id = played.id
    where not exists (
      select from campaign_creatives k where k.campaign_id = ${campaignId} and k.release_id = played.id)
    order by position nulls last`.execute(db);
  return rows;
}

/** A time in which a device was offline, or its files had failed. Instants in milliseconds since 1970. */
export interface Trouble {
  deviceId: string;
  kind: 'offline' | 'failed';
  from: number;
  to: number;
}

/** When devices were offline, as far as it is recorded, and when their files had failed, in order. */
export async function findTroubles(db: Db, ids: readonly string[], from: number, to: number): Promise<Trouble[]> {
  if (ids.length === 0) return [];
  const [start, end] = [new Date(from), new Date(to)];
  const { rows } = await sql<Trouble>`
    with change as (
      select device_id, at, online, lead(at) over (partition by device_id order by at) as next_at
      from presence_changes where device_id = any(${ids}::uuid[]) and at < ${end}
    )
    select "deviceId", kind, ${ms(sql`since`)} as "from", ${ms(sql`until`)} as "to" from (
      select device_id as "deviceId", 'offline' as kind, at as since, coalesce(next_at, ${end}) as until
      from change where not online
      union all
      select device_id, 'failed', f.since, coalesce(f.until, ${end}) from device_failures f
      where f.device_id = any(${ids}::uuid[]) and f.since < ${end}
      union all
      select p.id, 'offline', coalesce(p.last_seen_at, p.created_at), ${end} from devices_now p
      where p.id = any(${ids}::uuid[]) and p.lease is not null and not p.online
    ) trouble where until > ${start} and until > since order by since`.execute(db);
  return rows;
}

/** Statements are asked for as long after the flight. */
const STATEMENT_DAYS = 400;

/** A change of presence `c` that tells why a campaign has a gap. */
export const isNeededForStatements = sql<boolean>`exists (
  select from campaign_carriers k join campaigns p on p.id = k.campaign_id
  where k.device_id = c.device_id and c.at >= k.joined_at - interval '30 days'
    and p.ends_on >= ${utcToday} - ${sql.lit(STATEMENT_DAYS)}::integer)`;
