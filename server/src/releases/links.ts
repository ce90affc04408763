import type { Actor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';

/** What releases know of campaigns: given where the features are put together. */
export interface ReleaseLinks {
  /** Refuses those who may not end a booked campaign. Throws `LEADING_ONLY`. */
  requireMayEnd(trx: Db, actor: Actor, campaignId: string): Promise<void>;
}
