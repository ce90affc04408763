import { AppError } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { UploadLocks } from './locks.ts';
import type { CompleteUpload, UploadPurpose } from '../blobs/purpose.ts';
import { arrivalOf, type Receiver } from './receiver.ts';
import type { StoredUpload } from './uploads.queries.ts';

/** An upload whose bytes are still with it, or already where an earlier try put them. */
async function complete({ blobs, incoming }: Deps, row: StoredUpload, sha256: string): Promise<CompleteUpload> {
  const arrival = arrivalOf(row);
  const { id, size: bytes, head, metadata, uploader_id: uploader, person_id: personId } = row;
  const person = personId === null ? undefined : { id: personId };
  let isHere = (await incoming.received(arrival)) === bytes;
  return {
    ...{ id, bytes, head, sha256, metadata, uploader, person },
    borrow: () => (isHere ? incoming.borrow(arrival) : blobs.borrow(sha256)),
    settle: async () => {
      if (!isHere && (await blobs.size(sha256)) === bytes) return;
      await incoming.settle(arrival, sha256);
      // A transaction that is run again finds them in their place.
      isHere = false;
    },
  };
}

/** Whether the same upload may be kept at the next attempt: all parsers are busy, or the server stops. */
const isForNow = ({ error }: AppError): boolean => error === 'UNAVAILABLE';

/**
 * Turns complete uploads into what they were sent for. The result has the id of its upload, so that doing it again
 * (after a crash at any point, in another server process, or because the answer was lost) changes nothing.
 */
export function makeFinisher(
  deps: Deps,
  receiver: Receiver,
  locks: UploadLocks,
  purposeOf: (name: string) => UploadPurpose,
): (id: string) => Promise<void> {
  return async (id) => {
    await using _lock = await locks.take(id);
    const row = await receiver.find(id);
    // Another request was faster.
    if (!row) return;
    const upload = await complete(deps, row, await receiver.identify(row));
    try {
      await purposeOf(row.purpose).keep(upload);
    } catch (error) {
      if (error instanceof AppError && !isForNow(error)) await receiver.remove(id);
      throw error;
    }
    await receiver.remove(id);
  };
}
