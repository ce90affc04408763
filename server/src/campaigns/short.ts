import './campaigns.tables.ts';
import { type RawBuilder, sql } from 'kysely';
import { utcToday } from '../platform/database/clock.ts';

/** A booked campaign `c` whose flight is not over everywhere on Earth: days end up to a day later than by the clock of the server. */
export const isOpen = sql<boolean>`(c.state = 'booked' and c.ends_on >= ${utcToday} - 1)`;

const itsDevices = sql`campaign_devices cd join devices d on d.id = cd.device_id where cd.campaign_id = c.id`;

/**
 * A campaign `c` whose first day has begun on one of its devices, which may be up to a day behind the server; where days
 * begin before that of the server, the job that re-plans notes it.
 */
export const hasBegun = sql<boolean>`(c.due > 0 or c.starts_on < ${utcToday} or (c.starts_on = ${utcToday} and (
  exists (select from ${itsDevices} and now() at time zone d.time_zone >= c.starts_on)
  or not exists (select from ${itsDevices}))))`;

/** When the last hours of a campaign `c` end by the wall clock: on its last day, or in the night after it. */
const lastEnd = sql`(c.ends_on + 1 + coalesce((
  select max((h ->> 'to')::time) from jsonb_path_query(c.schedule, '$.hours[*]') h
  where h ->> 'to' <= h ->> 'from'), '00:00'))`;

/** A campaign `c` whose last hours are over on each of its devices, which may be up to a day behind the server. */
export const isPast = sql<boolean>`(c.ends_on < ${utcToday} and (c.ends_on < ${utcToday} - 1 or not exists (
  select from ${itsDevices} and now() at time zone d.time_zone < ${lastEnd})))`;

/** A campaign `c` that runs, by the clocks of its devices. */
export const isRunning = sql<boolean>`(c.state = 'booked' and ${hasBegun} and not ${isPast})`;

/** An open campaign `c` that will end with fewer plays than ordered. */
export const isShort = sql<boolean>`(${isOpen} and c.short_since is not null)`;

/**
 * A query of the campaigns that cannot be delivered in full any more: `id`, `name`, `customer_id`, `ordered`, `short`
 * (plays that will be missing), and `since` when that is known.
 */
export const shortCampaigns: RawBuilder<unknown> = sql`
  select c.id, c.name, c.customer_id, coalesce(c.ordered, 0) as ordered, c.short, c.short_since as since
  from campaigns c where ${isShort}`;

/** A query of the ids of the devices that carry a campaign. */
export const carriersOf = (campaignId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`select cd.device_id from campaign_devices cd where cd.campaign_id = ${campaignId}`;
