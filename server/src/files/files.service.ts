import { AppError, type BatchResult, fileKind, type MediaFile, type UpdateFileBody } from '@ams/contract';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { invalidField } from '../platform/http/errors.ts';
import { publish } from '../platform/events/events.ts';
import { cleanContentsSoon } from '../blobs/blobs.service.ts';
import {
  adsShowing,
  deleteFiles,
  findFileInScope,
  lockFilesInScope,
  moveFile,
  type Owned,
  type OwnedFile,
  renameFile,
  userIsInScope,
} from './files.queries.ts';

/** Tells those who may see these files that they changed. */
export async function publishFiles(db: Db, changed: Owned[]): Promise<void> {
  for (const [owner, owned] of Map.groupBy(changed, (file) => file.owner)) {
    await publish(db, { topic: 'changed', kind: 'file', ids: owned.map(({ id }) => id), owners: [owner] });
  }
}

/** Throws `NOT_FOUND` for a user outside the scope. */
export async function requireOwner(db: Db, viewer: Viewer, owner: string | undefined): Promise<void> {
  if (owner !== undefined && !(await userIsInScope(db, viewer, owner))) throw new AppError('NOT_FOUND');
}

/** One file in the viewer's scope. Throws `NOT_FOUND`. */
export async function getFile({ db, signer }: Deps, viewer: Viewer, id: string): Promise<MediaFile> {
  const file = await findFileInScope(db, signer, viewer, id);
  if (!file) throw new AppError('NOT_FOUND');
  return file;
}

/**
 * Renames a file, or gives it another orientation or kind of the same media. Throws `NOT_FOUND`, `INVALID` (no such
 * kind, or one of another media), `FILE_IN_USE` (an ad shows it where its kind belongs).
 */
export async function updateFile(deps: Deps, viewer: Viewer, id: string, wanted: UpdateFileBody): Promise<MediaFile> {
  await deps.db.transaction().execute(async (tx) => {
    const [file] = await lockFilesInScope(tx, viewer, [id]);
    if (!file) throw new AppError('NOT_FOUND');
    const { name = file.name } = wanted;
    if (wanted.name !== undefined) {
      await renameFile(tx, id, name);
      await audit(tx, viewer, { action: 'files.rename', targetId: id, target: name, details: { from: file.name } });
    }
    if (await movePlace(tx, viewer, file, wanted))
      await audit(tx, viewer, { action: 'files.change', targetId: id, target: name });
    await publishFiles(tx, [file]);
  });
  return getFile(deps, viewer, id);
}

/** Gives a locked file the place that is wanted; false when it has it. */
async function movePlace(tx: Db, viewer: Viewer, file: OwnedFile, wanted: UpdateFileBody): Promise<boolean> {
  const { orientation = file.orientation, kind = file.kind } = wanted;
  if (orientation === file.orientation && kind === file.kind) return false;
  if (fileKind(orientation, kind)?.media !== file.media) throw invalidField('kind', 'file.kind');
  const ads = await adsShowing(tx, viewer, file.id);
  if (ads.length > 0) throw new AppError('FILE_IN_USE', { ads: ads.filter((name) => name !== null) });
  await moveFile(tx, file.id, { orientation, kind });
  return true;
}

/** A file that live releases show, and the names of the ads that do, as far as the viewer may know them. */
export interface FileInUse {
  fileId: string;
  ads: string[];
}

/** Callbacks of other features on files, passed in by the composition root. */
export interface FileLinks {
  /** Which of these files live releases show. */
  findReleased(db: Db, viewer: Viewer, ids: string[]): Promise<FileInUse[]>;
  /** Called before files are deleted, in the same transaction. */
  beforeDelete(db: Db, ids: string[]): Promise<unknown>;
}

interface Deletion {
  deleted: OwnedFile[];
  missing: string[];
  inUse: FileInUse[];
}

/** Deletes the files of `ids` that may be deleted and returns the reasons for the others. A job deletes contents. */
async function deleteAll(db: Db, links: FileLinks, viewer: Viewer, ids: string[]): Promise<Deletion> {
  return db.transaction().execute(async (tx) => {
    const found = await lockFilesInScope(tx, viewer, ids);
    const foundIds = found.map(({ id }) => id);
    const missing = ids.filter((id) => !foundIds.includes(id));
    if (found.length === 0) return { deleted: [], missing, inUse: [] };
    const inUse = await links.findReleased(tx, viewer, foundIds);
    const deleted = found.filter(({ id }) => !inUse.some(({ fileId }) => fileId === id));
    if (deleted.length > 0) await deleteUnused(tx, links, viewer, deleted);
    return { deleted, missing, inUse };
  });
}

async function deleteUnused(tx: Db, links: FileLinks, viewer: Viewer, unused: OwnedFile[]): Promise<void> {
  const ids = unused.map(({ id }) => id);
  await links.beforeDelete(tx, ids);
  await deleteFiles(tx, ids);
  for (const { id, name } of unused) {
    await audit(tx, viewer, { action: 'files.remove', targetId: id, target: name });
  }
  await publishFiles(tx, unused);
  await cleanContentsSoon(tx);
}

/** Deletes a file. Throws `NOT_FOUND`, or `FILE_IN_USE` with the names of the ads that show it. */
export async function deleteFile(db: Db, links: FileLinks, viewer: Viewer, id: string): Promise<void> {
  const { missing, inUse } = await deleteAll(db, links, viewer, [id]);
  if (missing.length > 0) throw new AppError('NOT_FOUND');
  if (inUse[0]) throw new AppError('FILE_IN_USE', { ads: inUse[0].ads });
}

/** Deletes many files and returns the reason for each one that stays. */
export async function deleteManyFiles(db: Db, links: FileLinks, viewer: Viewer, ids: string[]): Promise<BatchResult> {
  const unique = [...new Set(ids)];
  const { deleted, missing, inUse } = await deleteAll(db, links, viewer, unique);
  return {
    done: deleted.length,
    failed: [
      ...missing.map((id) => ({ id, error: 'NOT_FOUND' })),
      ...inUse.map(({ fileId, ads }) => ({ id: fileId, error: 'FILE_IN_USE', details: { ads } })),
    ],
  };
}

/** Gives all files of a user to another one. */
export const handOverFiles = (trx: Db, from: string, to: string): Promise<unknown> =>
  trx.updateTable('files').set({ owner_id: to }).where('owner_id', '=', from).execute();
