import type { Deps } from '../platform/process/deps.ts';
import { cleanStaging } from '../blobs/staging.ts';
import { UPLOAD_EXPIRY_MS } from './receiver.ts';
import { cleanLocks, deleteUpload, findExpiredUploads, knownUploads } from './uploads.queries.ts';

const UPLOADS_A_ROUND = 500;

/** Removes uploads that nothing was added to for a day or whose uploader is gone, and bytes that no upload knows of. */
export async function cleanUploads({ db, incoming, config }: Deps): Promise<void> {
  await cleanLocks(db);
  for (;;) {
    const expired = await findExpiredUploads(db, UPLOADS_A_ROUND);
    for (const upload of expired) {
      await incoming.discard(upload);
      await deleteUpload(db, upload.id);
    }
    if (expired.length < UPLOADS_A_ROUND) break;
  }
  const before = new Date(Date.now() - UPLOAD_EXPIRY_MS);
  const abandoned = await incoming.abandoned(before);
  const known = await knownUploads(
    db,
    abandoned.map(({ id }) => id),
  );
  for (const arrival of abandoned) if (!known.has(arrival.id)) await incoming.discard(arrival);
  await incoming.giveUpCopies(before);
  await cleanStaging(config.data, before);
}
