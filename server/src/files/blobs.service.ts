import type { ClientBase } from 'pg';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { findUses, insertKnownBlob, type KnownContent } from './blobs.queries.ts';
import { CONTENT_LOCK, lockForStoring } from './content.ts';

export type { KnownContent };
export { findUses as usesOf };

/**
 * Stores a content of another feature, so that its address opens once the transaction commits. Cleaning
 * spares it for as long as a row that `isUnused` knows of names it.
 * @param settle puts the bytes into their place
 */
export async function storeContent(
  tx: Db,
  { blobs }: Deps,
  content: KnownContent,
  settle: () => Promise<void>,
): Promise<void> {
  await lockForStoring(tx);
  await insertKnownBlob(tx, content);
  if ((await blobs.size(content.sha256)) !== content.bytes) await settle();
}

/** Cleaning removes nothing for as long as this connection lives. */
export const holdContents = (client: ClientBase): Promise<unknown> =>
  client.query('select pg_advisory_lock_shared(hashtext($1))', [CONTENT_LOCK]);

/** The name of every stored content that a row needs. */
export async function contentNames(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct name from blobs, lateral (values (sha256), (play_sha256), (poster_sha256)) named (name)
     where name is not null order by name`,
  );
  return rows.map(({ name }) => name);
}
