import './campaigns.tables.ts';
import { type RawBuilder, sql } from 'kysely';

/** A booked campaign `c` whose flight is not over everywhere on Earth: days end up to a day later than by the clock of the server. */
export const isOpen = sql<boolean>`(c.state = 'booked' and c.ends_on >= current_date - 1)`;

/** A campaign `c` that runs, by the clock of the server. */
export const isRunning = sql<boolean>`(c.state = 'booked' and c.starts_on <= current_date and c.ends_on >= current_date)`;

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
