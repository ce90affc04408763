import { promises as fs } from 'node:fs';
import path from 'node:path';
import type { Deps } from '../platform/process/deps.ts';
import { stagingFolder } from '../platform/storage.ts';
import { UPLOAD_EXPIRY_MS } from './upload-store.ts';
import { cleanLocks, deleteUpload, findExpiredUploads, knownUploads } from './uploads.queries.ts';

const UPLOADS_A_ROUND = 500;

/** What a program was still working on when its process was killed. */
async function cleanStaging(data: string, before: Date): Promise<void> {
  const folder = stagingFolder(data);
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const stat = await fs.stat(file).catch(() => undefined);
    if (stat && stat.mtime < before) await fs.rm(file, { force: true });
  }
}

/** Removes uploads that nothing was added to for a day or whose uploader is gone, and bytes that no upload knows of. */
export async function cleanUploads({ db, incoming, config }: Deps): Promise<void> {
  const before = new Date(Date.now() - UPLOAD_EXPIRY_MS);
  for (;;) {
    const expired = await findExpiredUploads(db, before, UPLOADS_A_ROUND);
    for (const upload of expired) {
      await incoming.discard(upload);
      await deleteUpload(db, upload.id);
    }
    if (expired.length < UPLOADS_A_ROUND) break;
  }
  const abandoned = await incoming.abandoned(before);
  const known = await knownUploads(
    db,
    abandoned.map(({ id }) => id),
  );
  for (const arrival of abandoned) if (!known.has(arrival.id)) await incoming.discard(arrival);
  await cleanLocks(db);
  await cleanStaging(config.data, before);
}
