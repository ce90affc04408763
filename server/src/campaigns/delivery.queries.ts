import './campaigns.tables.ts';
import type { FlightSchedule, WorkingHours } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { areBack } from '../devices/devices.service.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { utcToday } from '../platform/database/clock.ts';
import { type Db, iso } from '../platform/database/database.ts';
import { zoneIn } from './carriers.sql.ts';
import { ms } from './columns.sql.ts';
import { isOpen } from './short.ts';

/** A booked campaign on a device, with the state of the device. Instants in milliseconds since 1970. */
export interface CarrierRow {
  campaignId: string;
  deviceId: string;
  everyMs: number;
  spotMs: number;
  dueBefore: number;
  pacedFrom: number;
  /** If it joined later and adds to the order, when it joined. */
  bookedAt: number;
  schedule: FlightSchedule;
  timeZone: string;
  expiresOn: string | null;
  hours: WorkingHours | null;
  /** Hours without contact after which the device is not expected to play. */
  silentHours: number;
  online: boolean;
  lastSeenAt: number | null;
  expired: boolean;
  /** It lacks a creative, because its files cannot be downloaded or played. */
  hasFailed: boolean;
  /** Spots counted so far. */
  played: number;
}

/** Booked campaigns `c` whose flight is not over everywhere on Earth. */
export const isPlanned = sql<boolean>`(${isOpen} and c.ends_on <= '9999-10-31')`;

/** Campaigns `c` whose flight touches today anywhere on Earth. */
export const isInFlight = sql<boolean>`(${isPlanned} and c.starts_on <= ${utcToday} + 1)`;

/** Booked campaigns `c` whose flight has begun nowhere on Earth. */
export const isAhead = sql<boolean>`(${isPlanned} and c.starts_on > ${utcToday} + 1)`;

/**
 * When the device of an open row `campaign_carriers` `k` joined; null without a row. Rows of a device whose rules changed
 * follow each other without a time between them.
 */
const joinedSince = sql`case when k.joined_at is not null then (
  select max(f.joined_at) from campaign_carriers f
  where f.campaign_id = k.campaign_id and f.device_id = k.device_id and not exists (
    select from campaign_carriers b
    where b.campaign_id = f.campaign_id and b.device_id = f.device_id and b.left_at = f.joined_at)) end`;

type RawCarrier = Omit<CarrierRow, 'schedule' | 'hours'> & { schedule: string; hours: string | null };

/** A device `d` on which a creative of a campaign `c` has not arrived: until then it plays what it had before. */
const lacksCreative = sql<boolean>`exists (
  select from releases r join release_devices rd on rd.release_id = r.id
  where r.campaign_id = c.id and r.withdrawn_at is null and rd.device_id = d.id and rd.withdrawn_at is null
    and rd.revision > d.done_revision)`;

/**
 * A device `d` whose downloads have failed for ten minutes. One that tries again downloads for a moment, and up to an hour
 * passes between two tries: it fails until it succeeds, or until two hours without a failure.
 */
const isFailing = sql<boolean>`coalesce((
  select max(coalesce(f.until, now())) - min(f.since) >= interval '10 minutes' from device_failures f
  where f.device_id = d.id and coalesce(f.until, now()) > now() - interval '2 hours'), false)`;

/** The devices that carry the campaigns `c` of a condition, in order. Equal schedules and hours are one object. */
export async function findCarriers(db: Db, condition: RawBuilder<boolean>): Promise<CarrierRow[]> {
  const { rows } = await sql<RawCarrier>`
    with owner as materialized (
      select o.id, silent_hours(o.id) as silent, default_hours(o.id) as hours from (
        select distinct d.owner_id as id from campaigns c join campaign_devices cd on cd.campaign_id = c.id
          join devices d on d.id = cd.device_id where ${condition}) o
    )
    select c.id as "campaignId", d.id as "deviceId", cd.every_ms::float8 as "everyMs", cd.spot_ms as "spotMs",
      cd.due_before as "dueBefore", ${ms(sql`cd.paced_from`)} as "pacedFrom",
      ${ms(sql`coalesce(${joinedSince}, c.decided_at, cd.paced_from)`)} as "bookedAt", c.schedule::text, d.time_zone as "timeZone",
      d.expires_on as "expiresOn", coalesce(d.working_hours, o.hours)::text as hours, o.silent as "silentHours",
      d.online, d.expired, ${ms(sql`case when ${areBack} then d.last_seen_at else now() end`)} as "lastSeenAt",
      case when d.done then false else ${lacksCreative} and ${isFailing} end as "hasFailed", coalesce(s.spots, 0) as played
    from campaigns c join campaign_devices cd on cd.campaign_id = c.id join devices_now d on d.id = cd.device_id
      join owner o on o.id = d.owner_id
      left join campaign_sums s on s.campaign_id = c.id and s.device_id = d.id
      left join campaign_carriers k
        on k.campaign_id = c.id and k.device_id = d.id and k.left_at is null and k.ordered is not null
    where ${condition} order by c.id, d.id`.execute(db);
  const schedules = new Map<string, FlightSchedule>();
  const hours = new Map<string, WorkingHours>();
  return rows.map((row) => ({
    ...row,
    schedule: parsedOnce(schedules, row.schedule),
    hours: row.hours === null ? null : parsedOnce(hours, row.hours),
  }));
}

/** Parses JSON that the database made; equal texts are the same object. */
function parsedOnce<T>(known: Map<string, T>, text: string): T {
  const value: T = known.get(text) ?? JSON.parse(text);
  known.set(text, value);
  return value;
}

/**
 * Plays of a campaign by hour, oldest first, on all devices, deleted ones too. Parts of spots count in the hour that
 * completes them, so that the hours add up to the sum.
 */
export async function findHours(db: Db, campaignId: string): Promise<{ hour: Date; delivered: number }[]> {
  const { rows } = await sql<{ hour: Date; delivered: number }>`
    select hour, ${completed(sql`sum(spots)`, sql`hour`)} as delivered
    from campaign_hours where campaign_id = ${campaignId} group by hour order by hour`.execute(db);
  return rows;
}

/** Sums of thirds are floats. */
const TOLERANCE = sql`1e-6`;

/** The whole spots that parts of spots complete, in an order of rows: they add up, however rows are summed. */
export const completed = (spots: RawBuilder<unknown>, order: RawBuilder<unknown>): RawBuilder<number> => {
  const until = sql`sum(${spots}) over (order by ${order} rows unbounded preceding) + ${TOLERANCE}`;
  return sql<number>`(floor(${until}) - floor(${until} - ${spots}))::float8`;
};

/** Plays of a campaign by day of the device's clock, oldest first; a deleted device has the clock that it carried it by. */
export async function findDays(db: Db, campaignId: string): Promise<{ day: string; delivered: number }[]> {
  const { rows } = await sql<{ day: string; delivered: number }>`
    select day, ${completed(sql`spots`, sql`day`)} as delivered from (
      select to_char(h.hour at time zone ${zoneIn(sql`h.campaign_id`, sql`h.device_id`)}, 'YYYY-MM-DD') as day,
        sum(h.spots) as spots
      from campaign_hours h left join devices d on d.id = h.device_id
      where h.campaign_id = ${campaignId} group by 1) days order by day`.execute(db);
  return rows;
}

export interface NamedDevice {
  id: string;
  mac: string;
  name: string;
  area: string | null;
  lastSeenAt: string | null;
}

/** Those of the devices that the viewer has in scope, by id. */
export async function findNamed(db: Db, viewer: Scoped, ids: readonly string[]): Promise<Map<string, NamedDevice>> {
  const { rows } = await sql<NamedDevice>`
    select d.id, d.mac, d.name, d.area, ${iso(sql`d.last_seen_at`)} as "lastSeenAt" from devices d
    where d.id = any(${ids}::uuid[]) and ${inScope(viewer, sql`d.owner_id`)}`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

/** What the devices of a campaign have to deliver. */
export interface Order {
  id: string;
  ordered: number;
  /** Plays so far, and those of them on devices that carry it no more. */
  delivered: number;
  left: number;
  /** Devices that carry it. */
  carriers: number;
}

/** The orders of the campaigns `c` of a condition. */
export async function findOrders(db: Db, condition: RawBuilder<boolean>): Promise<Order[]> {
  const { rows } = await sql<Order>`
    select c.id, coalesce(c.ordered, 0)::float8 as ordered, coalesce(floor(sum(s.spots) + ${TOLERANCE}), 0)::float8 as delivered,
      coalesce(sum(s.spots) filter (where cd.device_id is null), 0)::float8 as left,
      (select count(*) from campaign_devices k where k.campaign_id = c.id) as carriers
    from campaigns c left join campaign_sums s on s.campaign_id = c.id
      left join campaign_devices cd on cd.campaign_id = c.id and cd.device_id = s.device_id
    where ${condition} group by c.id order by c.id`.execute(db);
  return rows;
}

/** The plays that the devices which carry a campaign now have to deliver together. */
export const orderedOfCarriers = ({ ordered, left }: Order): number => Math.max(Math.round(ordered - left), 0);
