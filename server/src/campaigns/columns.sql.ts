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

/** The day of an instant, by the clock of most devices of a campaign `c`: its flight is in days of devices. */
const dayOf = (time: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`case when ${time} is not null then (${time} at time zone ${itsZone})::date::text end`;

/** The day on which a campaign `c` was booked. */
export const bookedOn = dayOf(sql`c.decided_at`);
/** The day on which a campaign `c` was cancelled. */
export const cancelledOn = dayOf(sql`c.cancelled_at`);
