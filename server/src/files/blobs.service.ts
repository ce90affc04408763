import type { Db } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import { insertKnownBlob, type KnownContent } from './blobs.queries.ts';
import { lockForStoring } from './content.ts';

export type { KnownContent };

/**
 * Stores a content of another feature, so that its address opens once the transaction commits. Cleaning
 * spares it for as long as a row that `isUnused` knows of names it.
 * @param file where the bytes are on the local disk; they are taken over
 */
export async function storeContent(tx: Db, { blobs }: Deps, content: KnownContent, file: string): Promise<void> {
  await lockForStoring(tx);
  await insertKnownBlob(tx, content);
  if ((await blobs.size(content.sha256)) !== content.bytes) await blobs.adopt(content.sha256, file);
}
