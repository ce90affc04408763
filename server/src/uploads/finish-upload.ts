import { AppError } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { CompleteUpload, UploadPurpose } from './purpose.ts';
import type { UploadLocks } from './upload-locks.ts';
import { arrivalOf, type UploadStore } from './upload-store.ts';
import type { StoredUpload } from './uploads.queries.ts';

/** An upload whose bytes are here still, or already where an earlier try put them. */
async function complete({ blobs, incoming }: Deps, row: StoredUpload, sha256: string): Promise<CompleteUpload> {
  const arrival = arrivalOf(row);
  const { id, size: bytes, metadata, uploader_id: uploader } = row;
  const isHere = (await incoming.received(arrival)) === bytes;
  return {
    ...{ id, bytes, sha256, metadata, uploader },
    borrow: () => (isHere ? incoming.borrow(arrival) : blobs.borrow(sha256)),
    settle: async () => {
      if (isHere || (await blobs.size(sha256)) !== bytes) await incoming.settle(arrival, sha256);
    },
  };
}

/**
 * Turns complete uploads into what they were sent for. That has the id of its upload, so that doing it
 * again — after a crash at any point, in another server process, or because the answer was lost — changes
 * nothing.
 */
export function makeFinisher(
  deps: Deps,
  store: UploadStore,
  locks: UploadLocks,
  kindOf: (name: string) => UploadPurpose,
): (id: string) => Promise<void> {
  const finish = async (id: string): Promise<void> => {
    const row = await store.find(id);
    // Somebody else was faster.
    if (!row) return;
    const upload = await complete(deps, row, await store.identify(row));
    try {
      await kindOf(row.purpose).keep(upload);
    } catch (error) {
      if (error instanceof AppError) await store.remove(id);
      throw error;
    }
    await store.remove(id);
  };
  return (id) => locks.during(id, () => finish(id));
}
