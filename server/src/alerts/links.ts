import type { RawBuilder } from 'kysely';

/** What alerts know of campaigns: given where the features are put together. */
export interface AlertLinks {
  /**
   * A query of the campaigns that cannot be delivered in full any more: `id`, `name`, `customer_id`, `ordered`, `short`
   * (plays that will be missing), and `since` when that is known.
   */
  shortCampaigns: RawBuilder<unknown>;
  /** A query of the ids of the devices that carry a campaign. */
  carriersOf(campaignId: RawBuilder<unknown>): RawBuilder<unknown>;
}
