import type { Actor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';

/** Functions of other features that ads call: given where the features are put together. */
export interface AdLinks {
  /** Refuses those who may not end a booked campaign. Throws `LEADING_ONLY`. */
  requireMayEnd(trx: Db, actor: Actor, campaignId: string): Promise<void>;
}
