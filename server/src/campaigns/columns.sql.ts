import type { CampaignPrice } from '@ams/contract';
import { sql } from 'kysely';

/** The price of a campaign `c`. */
export const priceOf = sql<CampaignPrice>`
  jsonb_build_object('kind', c.price_kind, 'amount', c.price_amount::text, 'currency', c.price_currency)`;

/** The day in UTC on which a campaign `c` was cancelled. */
export const cancelledOn = sql<string | null>`(c.cancelled_at at time zone 'UTC')::date`;
