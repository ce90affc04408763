import { AppError, IMAGE_PIXELS_MAX } from '@ams/contract';
import { audit } from '../platform/audit.ts';
import type { Db } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import { filesOfBlob, queueProcessing, type StoredBlob, upsertBlob } from './blobs.queries.ts';
import { lockForStoring } from './content.ts';
import { publishFiles } from './files.service.ts';
import { probePicture } from './picture.ts';
import { encodeMetadata, mediaOf, type StoredMetadata, storedMetadata } from './upload-rules.ts';
import type { UploadStore } from './upload-store.ts';

/** A complete upload on its way to becoming a file. */
interface Complete {
  id: string;
  size: number;
  metadata: StoredMetadata & { sha256: string };
}

/** Notes the hash with the upload: from here on its bytes may be in either place. */
async function identify(store: UploadStore, id: string): Promise<Complete> {
  const upload = await store.configstore.get(id);
  if (upload?.size === undefined) throw new AppError('NOT_FOUND');
  const metadata = storedMetadata(upload.metadata);
  if (metadata.sha256) return { id, size: upload.size, metadata: { ...metadata, sha256: metadata.sha256 } };
  if (mediaOf(upload.metadata) === 'image') await refuseHugePicture(store, id);
  const known = { ...metadata, sha256: await store.hash(id, upload.size) };
  upload.metadata = encodeMetadata(known);
  await store.configstore.set(id, upload);
  return { id, size: upload.size, metadata: known };
}

/** Too many pixels are told while the person still looks; what else is wrong is found when processing. */
async function refuseHugePicture(store: UploadStore, id: string): Promise<void> {
  const facts = await probePicture(store.pathOf(id));
  if (facts.kind !== 'bad' || facts.failure !== 'tooManyPixels') return;
  await store.remove(id);
  throw new AppError('TOO_MANY_PIXELS', { megapixels: IMAGE_PIXELS_MAX / 1e6 });
}

/** Whether a content that is known already has to be examined again. */
async function needsProcessing({ blobs }: Deps, blob: StoredBlob): Promise<boolean> {
  if (blob.inserted || blob.state === 'failed') return true;
  if (blob.state === 'processing') return false;
  const products = [blob.play_sha256, blob.poster_sha256].filter((sha256) => sha256 !== null);
  const sizes = await Promise.all(products.map((sha256) => blobs.size(sha256)));
  return sizes.includes(undefined);
}

/** Inserts the file; false when an earlier try did so. */
async function insertFile(tx: Db, { id, metadata }: Complete): Promise<boolean> {
  const { name, screen, type, owner, uploader, sha256 } = metadata;
  const row = await tx
    .insertInto('files')
    .values({ id, owner_id: owner, uploaded_by: uploader, name, screen, type, sha256 })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Content, file, job and audit line become visible together, after the bytes are in their place. */
async function keep(deps: Deps, uploads: UploadStore, complete: Complete): Promise<void> {
  const { id, size, metadata } = complete;
  const { sha256 } = metadata;
  await deps.db.transaction().execute(async (tx) => {
    await lockForStoring(tx);
    const blob = await upsertBlob(tx, sha256, size);
    if ((await deps.blobs.size(sha256)) !== size) await deps.blobs.adopt(sha256, uploads.pathOf(id));
    const process = await needsProcessing(deps, blob);
    if (process) await queueProcessing(tx, sha256);
    if (await insertFile(tx, complete)) {
      await audit(tx, { id: metadata.uploader }, { action: 'files.upload', targetId: id, target: metadata.name });
    }
    await publishFiles(tx, process ? await filesOfBlob(tx, sha256) : [{ id, owner: metadata.owner }]);
  });
}

/**
 * Turns complete uploads into files. A file has the id of its upload, so that doing it again — after a
 * crash at any point, or because the answer was lost — changes nothing.
 */
export function makeFinisher(deps: Deps, uploads: UploadStore): (id: string) => Promise<void> {
  const running = new Map<string, Promise<void>>();
  const finish = async (id: string): Promise<void> => {
    await keep(deps, uploads, await identify(uploads, id));
    await uploads.remove(id);
  };
  return (id) => {
    const current = running.get(id) ?? finish(id).finally(() => running.delete(id));
    running.set(id, current);
    return current;
  };
}
