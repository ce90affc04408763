import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

const READ_BYTES = 2 ** 20;

/** SHA-256 of a local file, in lower-case hexadecimal, and its size. */
export async function hashFile(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** The advisory lock between those who need contents to stay and cleaning: its key is `hashtext` of this. */
export const CONTENT_LOCK = 'files.blobs';
const LOCK = sql`hashtext(${CONTENT_LOCK})`;

/**
 * Held by whoever stores a blob, from before the bytes until its row is committed: cleaning, which
 * removes bytes without a row, then never sees the one without the other.
 */
export const lockForStoring = (tx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(tx);

/** The other side: false while anybody is storing. */
export async function lockForCleaning(tx: Db): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as locked`.execute(tx);
  return rows[0]?.locked === true;
}
