import type { Actor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';

/** Functions of campaigns that releases and ads call: given where the features are put together. */
export interface ReleaseLinks {
  /** Refuses those who may not end a booked campaign. Throws `LEADING_ONLY`. */
  requireMayEnd(trx: Db, actor: Actor, campaignId: string): Promise<void>;
}
