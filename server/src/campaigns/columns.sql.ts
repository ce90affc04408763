import type { CampaignPrice } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';

/** An instant in milliseconds since 1970. */
export const ms = (time: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(extract(epoch from ${time}) * 1000)::float8`;

/** The price of a campaign `c`. */
export const priceOf = sql<CampaignPrice>`
  jsonb_build_object('kind', c.price_kind, 'amount', c.price_amount::text, 'currency', c.price_currency)`;

/** The zone that most of the devices had on which a campaign `c` was booked, or which joined it. */
const itsZone = sql`coalesce((
  select k.time_zone from campaign_carriers k where k.campaign_id = c.id
  group by k.time_zone order by count(distinct k.device_id) desc, k.time_zone limit 1), 'UTC')`;

/** The day on which a campaign `c` was cancelled, by the clock of most of its devices: its flight is in days of devices. */
export const cancelledOn = sql<string | null>`
  case when c.cancelled_at is not null then (c.cancelled_at at time zone ${itsZone})::date end`;
