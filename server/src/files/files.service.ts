import { AppError, type BatchResult, type MediaFile } from '@ams/contract';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { publish } from '../platform/events/events.ts';
import { addJob } from '../platform/jobs/jobs.ts';
import {
  adsInUse,
  deleteFiles,
  findFileInScope,
  lockFilesInScope,
  type OwnedFile,
  renameFile,
  userIsInScope,
} from './files.queries.ts';

/** Tells those who may see these files that they changed. */
export async function publishFiles(db: Db, changed: Pick<OwnedFile, 'id' | 'owner'>[]): Promise<void> {
  for (const [owner, owned] of Map.groupBy(changed, (file) => file.owner)) {
    await publish(db, { topic: 'changed', kind: 'file', ids: owned.map(({ id }) => id), owners: [owner] });
  }
}

/** Throws `NOT_FOUND` for a user outside the scope. */
export async function requireOwner(db: Db, viewer: Viewer, owner: string | undefined): Promise<void> {
  if (owner !== undefined && !(await userIsInScope(db, viewer, owner))) throw new AppError('NOT_FOUND');
}

export async function requireFile({ db, signer }: Deps, viewer: Viewer, id: string): Promise<MediaFile> {
  const file = await findFileInScope(db, signer, viewer, id);
  if (!file) throw new AppError('NOT_FOUND');
  return file;
}

export async function rename(deps: Deps, viewer: Viewer, id: string, name: string): Promise<MediaFile> {
  await deps.db.transaction().execute(async (tx) => {
    const [file] = await lockFilesInScope(tx, viewer, [id]);
    if (!file) throw new AppError('NOT_FOUND');
    await renameFile(tx, id, name);
    await audit(tx, viewer, { action: 'files.rename', targetId: id, target: name, details: { from: file.name } });
    await publishFiles(tx, [file]);
  });
  return requireFile(deps, viewer, id);
}

/** Deletes what may be deleted of `ids`; says of the others why not. Their contents go later, by a job. */
async function removeFiles(
  db: Db,
  viewer: Viewer,
  ids: string[],
): Promise<{ removed: OwnedFile[]; missing: string[]; inUse: { fileId: string; ads: string[] }[] }> {
  return db.transaction().execute(async (tx) => {
    const found = await lockFilesInScope(tx, viewer, ids);
    const inUse =
      found.length > 0
        ? await adsInUse(
            tx,
            found.map(({ id }) => id),
          )
        : [];
    const removed = found.filter(({ id }) => !inUse.some(({ fileId }) => fileId === id));
    if (removed.length > 0) {
      await deleteFiles(
        tx,
        removed.map(({ id }) => id),
      );
      for (const { id, name } of removed)
        await audit(tx, viewer, { action: 'files.remove', targetId: id, target: name });
      await publishFiles(tx, removed);
      await addJob(tx, 'files_clean_blobs', {}, { key: 'files_clean_blobs' });
    }
    const known = new Set(found.map(({ id }) => id));
    return { removed, missing: ids.filter((id) => !known.has(id)), inUse };
  });
}

/** Deletes a file. Throws `NOT_FOUND`, or `FILE_IN_USE` with the names of the ads that show it. */
export async function remove(db: Db, viewer: Viewer, id: string): Promise<void> {
  const { missing, inUse } = await removeFiles(db, viewer, [id]);
  if (missing.length > 0) throw new AppError('NOT_FOUND');
  if (inUse[0]) throw new AppError('FILE_IN_USE', { ads: inUse[0].ads });
}

export async function removeMany(db: Db, viewer: Viewer, ids: string[]): Promise<BatchResult> {
  const { removed, missing, inUse } = await removeFiles(db, viewer, [...new Set(ids.map((id) => id.toLowerCase()))]);
  return {
    done: removed.length,
    failed: [
      ...missing.map((id) => ({ id, error: 'NOT_FOUND' })),
      ...inUse.map(({ fileId, ads }) => ({ id: fileId, error: 'FILE_IN_USE', details: { ads } })),
    ],
  };
}
