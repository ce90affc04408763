import './campaigns.tables.ts';
import type { FlightSchedule, WorkingHours } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { hoursInForce } from '../devices/hours.service.ts';
import type { Db } from '../platform/database/database.ts';

/** A booked campaign on a device, with the state of the device. Instants in milliseconds since 1970. */
export interface CarrierRow {
  campaignId: string;
  deviceId: string;
  everyMs: number;
  spotMs: number;
  dueBefore: number;
  pacedFrom: number;
  bookedAt: number;
  schedule: FlightSchedule;
  timeZone: string;
  expiresOn: string | null;
  hours: WorkingHours | null;
  /** The share of an hour, in percent, that may be sold. */
  sellable: number;
  online: boolean;
  lastSeenAt: number | null;
  /** Its files cannot be downloaded or played. */
  hasFailed: boolean;
  /** Spots counted so far. */
  played: number;
}

const ms = (time: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(extract(epoch from ${time}) * 1000)::float8`;

/** Campaigns `c` whose flight touches today anywhere on Earth. */
export const isInFlight = sql<boolean>`(c.state = 'booked' and c.starts_on <= current_date + 1
  and c.ends_on >= current_date - 1)`;

/** The devices that carry the campaigns `c` of a condition, in order. */
export async function findCarriers(db: Db, condition: RawBuilder<boolean>): Promise<CarrierRow[]> {
  const { rows } = await sql<CarrierRow>`
    select c.id as "campaignId", d.id as "deviceId", cd.every_ms::float8 as "everyMs", cd.spot_ms as "spotMs",
      cd.due_before as "dueBefore", ${ms(sql`cd.paced_from`)} as "pacedFrom",
      ${ms(sql`coalesce(c.decided_at, cd.paced_from)`)} as "bookedAt", c.schedule, d.time_zone as "timeZone",
      d.expires_on as "expiresOn", ${hoursInForce} as hours, sellable_share(d.owner_id) as sellable, d.online,
      ${ms(sql`d.last_seen_at`)} as "lastSeenAt", coalesce(d.download ->> 'state' = 'failed', false) as "hasFailed",
      coalesce((select sum(h.spots) from campaign_hours h where h.campaign_id = c.id and h.device_id = d.id), 0) as played
    from campaigns c join campaign_devices cd on cd.campaign_id = c.id join devices_now d on d.id = cd.device_id
    where ${condition} order by c.id, d.id`.execute(db);
  return rows;
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

/** The plays that the devices of a booked campaign have to deliver together: those of devices that left it are done. */
export async function orderedOfCarriers(db: Db, campaignId: string): Promise<number> {
  const { rows } = await sql<{ plays: number }>`
    select coalesce(c.ordered, 0) - coalesce((select sum(h.spots) from campaign_hours h
      where h.campaign_id = c.id and not exists (
        select from campaign_devices cd where cd.campaign_id = c.id and cd.device_id = h.device_id)), 0) as plays
    from campaigns c where c.id = ${campaignId}`.execute(db);
  return Math.max(Math.round(rows[0]?.plays ?? 0), 0);
}
