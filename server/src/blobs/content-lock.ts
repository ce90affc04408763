import { sql } from 'kysely';
import pLimit from 'p-limit';
import type { Db } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';

/** The advisory lock between code that needs contents to stay and cleaning: its key is `hashtext` of this. */
export const CONTENT_LOCK = 'files.blobs';
const LOCK = sql`hashtext(${CONTENT_LOCK})`;

/** A server process lets so many transactions wait for a storage at once: requests need the other connections. */
export const STORING_AT_ONCE = 6;

export const storingLimit = pLimit(STORING_AT_ONCE);

/**
 * Held by code that stores a blob, from before the bytes until its row is committed, or that needs a stored blob again:
 * cleaning then neither sees bytes without their row nor removes a content whose use is not committed yet.
 */
export const lockForStoring = (tx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock_shared(${LOCK}) ${prepared}`.execute(tx);

/** A transaction that puts bytes into their place. Call it without a connection: it waits while others store. */
export const storing = (db: Db, work: (tx: Db) => Promise<void>): Promise<void> =>
  storingLimit(() =>
    db.transaction().execute(async (tx) => {
      await lockForStoring(tx);
      await work(tx);
    }),
  );

/** The other side: false while anybody is storing. */
export async function lockForCleaning(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(tx);
  return rows[0]?.locked === true;
}
