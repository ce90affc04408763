import './files.tables.ts';
import { AppError, IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX, type Media } from '@ams/contract';
import { audit } from '../platform/auth/audit.ts';
import { actingAs } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { unlessHarmful } from '../platform/sandbox/unparsable.ts';
import type { CompleteUpload, UploadPurpose } from '../uploads/purpose.ts';
import { upsertBlob } from '../blobs/blobs.queries.ts';
import { lockForStoring } from '../blobs/content-lock.ts';
import { publishFiles, requireOwner } from './files.service.ts';
import { sniff } from '../media/sniff.ts';
import { requireQuota } from './quota.ts';
import { queueExamination } from '../media/queue.ts';
import { checkCreation, encodeMaterial, materialOf, mediaOf, unsupported } from './upload-rules.ts';

/** Too many pixels are reported at once; other problems are found during processing. */
async function refuseHugePicture({ db, sandbox }: Deps, upload: CompleteUpload): Promise<void> {
  await using file = await upload.borrow();
  const header = { file: file.path, pixelsMax: IMAGE_PIXELS_MAX, sideMax: IMAGE_SIDE_MAX };
  const facts = await unlessHarmful(db, upload.sha256, () => sandbox.run('pictureFacts', header));
  if (facts?.kind !== 'bad' || facts.failure !== 'tooManyPixels') return;
  throw new AppError('TOO_MANY_PIXELS', { megapixels: IMAGE_PIXELS_MAX / 1e6 });
}

/** Checks of a file before its upload is answered. */
const REFUSE_EARLY: Record<Media, (deps: Deps, upload: CompleteUpload) => Promise<void>> = {
  image: refuseHugePicture,
  video: () => Promise.resolve(),
};

/** Inserts the file, to be examined; false when an earlier try did so. */
async function insertFile(tx: Db, { id, metadata, uploader, sha256 }: CompleteUpload): Promise<boolean> {
  const { name, orientation, kind, owner } = materialOf(metadata);
  const row = await tx
    .insertInto('files')
    .values({ id, owner_id: owner, uploaded_by: uploader, name, orientation, kind, sha256, step: 'examine' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Content, file, job and audit line become visible together, after the bytes are in their place. All that is the same
 * for a content that is known and for a new one: nobody learns what others have.
 * What was allowed when the upload began must be allowed when it ends.
 */
async function keep(deps: Deps, upload: CompleteUpload): Promise<void> {
  const { id, bytes, sha256, uploader } = upload;
  const material = materialOf(upload.metadata);
  const { owner } = material;
  const media = mediaOf(material);
  await REFUSE_EARLY[media](deps, upload);
  await actingAs(deps.db, { id: uploader }, { owners: [owner] }, async (tx) => {
    await lockForStoring(tx);
    await upsertBlob(tx, sha256, bytes);
    await upload.settle();
    if (await insertFile(tx, upload)) {
      await queueExamination(tx, { fileId: id, owner, media, bytes });
      await audit(tx, { id: uploader }, { action: 'files.upload', targetId: id, target: material.name });
    }
    await publishFiles(tx, [{ id, owner }]);
  });
}

async function sizeOfKept(db: Db, uploader: string, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('files as f')
    .innerJoin('blobs as b', 'b.sha256', 'f.sha256')
    .select('b.bytes')
    .where('f.id', '=', id)
    .where('f.uploaded_by', '=', uploader)
    .executeTakeFirst();
  return row?.bytes;
}

/** Uploads of videos and pictures. */
export function fileUploads(deps: Deps): UploadPurpose {
  const limits = deps.config.upload;
  return {
    name: 'file',
    maxBytes: Math.max(limits.maxImageBytes, limits.maxVideoBytes),
    admit: async (viewer, wishes, length) => {
      const metadata = checkCreation(wishes, length, limits);
      await requireOwner(deps.db, viewer, metadata.owner);
      return encodeMaterial({ ...metadata, owner: metadata.owner ?? viewer.id });
    },
    reserve: (db, metadata, bytes) => requireQuota(db, materialOf(metadata).owner, bytes, deps.config.quotaBytes),
    judge: (metadata, head) => {
      const media = mediaOf(materialOf(metadata));
      if (sniff(head) !== media) throw unsupported(media);
    },
    keep: (upload) => keep(deps, upload),
    sizeOfKept: (uploader, id) => sizeOfKept(deps.db, uploader, id),
  };
}
