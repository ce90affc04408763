import type { RawBuilder } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';

/** How a user loses the right to act. */
export type Loss = 'disabled' | 'demoted' | 'deleted';

/**
 * Functions of other features that run when a user changes, in the same transaction: given where the features
 * are put together.
 */
export interface UserLinks {
  /**
   * A user has lost the right to act: what it began and is not done ends. Call it as soon as people are held: it holds what
   * changes later in the transaction, too.
   */
  authorityEnded(trx: Db, viewer: Viewer, id: string, loss: Loss): Promise<void>;
  /** A person who signs in may no longer act, or may do less: the sessions of this person end. */
  endSessions(trx: Db, personId: string): Promise<void>;
  /** A user was disabled or enabled, or has another role: what it may do, and for whom, has changed. */
  authorityChanged(trx: Db, id: string): Promise<void>;
  /** Devices of these owners (a query of ids) name another merchant, or another phone of theirs. */
  merchantChanged(trx: Db, owners: RawBuilder<unknown>): Promise<void>;
  /** The default working hours of these owners (a query of ids) have changed. */
  defaultHoursChanged(trx: Db, owners: RawBuilder<unknown>): Promise<void>;
  /** A user is about to be deleted, and those below it still are: what depends on the tree goes to its heir. */
  handOverPublished(trx: Db, id: string, heir: string): Promise<void>;
  /** The users below belong to the heir by now: all else that belongs to the user follows. */
  handOver(trx: Db, viewer: Viewer, id: string, heir: string): Promise<void>;
}
