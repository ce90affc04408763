import { AppError, IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX, type Media } from '@ams/contract';
import { audit } from '../platform/auth/audit.ts';
import { requireActor } from '../platform/auth/authority.ts';
import type { Deps } from '../platform/process/deps.ts';
import { parseContent } from '../platform/sandbox/parse-content.ts';
import type { CompleteUpload, UploadPurpose } from '../blobs/purpose.ts';
import { upsertBlob } from '../blobs/blobs.queries.ts';
import { storing } from '../blobs/content-lock.ts';
import { publishFiles, requireOwner } from './files.service.ts';
import { sniff } from '../media/sniff.ts';
import { findUploadedFile, insertFile } from './files.queries.ts';
import { requireQuota } from './quota.ts';
import { queueExamination } from '../media/queue.ts';
import { checkContent, checkCreation, encodeOrder, type Order, orderOf, placeOf, type Size } from './upload-rules.ts';

/** Too many pixels are reported while the person still looks; what else is wrong is found when it is processed. */
async function sizeOfPicture(deps: Deps, upload: CompleteUpload): Promise<Size> {
  await using file = await upload.borrow();
  const header = { file: file.path, pixelsMax: IMAGE_PIXELS_MAX, sideMax: IMAGE_SIDE_MAX };
  const facts = await parseContent(deps, 'pictureFacts', upload.sha256, header);
  if (facts?.kind !== 'bad') return facts;
  if (facts.failure !== 'tooManyPixels') return undefined;
  throw new AppError('TOO_MANY_PIXELS', { megapixels: IMAGE_PIXELS_MAX / 1e6 });
}

/** The size of a video is needed only for its orientation. */
async function sizeOfVideo(deps: Deps, upload: CompleteUpload, order: Order): Promise<Size> {
  if (order.orientation) return undefined;
  await using file = await upload.borrow();
  const input = { file: file.path, pixelsMax: IMAGE_PIXELS_MAX };
  const facts = await parseContent(deps, 'videoFacts', upload.sha256, input);
  return facts?.kind === 'video' ? facts : undefined;
}

/** Checks that run before an upload is answered. Throws `TOO_MANY_PIXELS`. */
const SIZE_OF: Record<Media, (deps: Deps, upload: CompleteUpload, order: Order) => Promise<Size>> = {
  image: sizeOfPicture,
  video: sizeOfVideo,
};

/**
 * Content, file, job and audit line become visible together, after the bytes are in their place. All that is the same
 * for a content that is known and for a new one: nobody learns what others have.
 * The permissions are checked at the end of an upload as at its beginning, and after the bytes are in their place: nobody
 * waits meanwhile who changes the uploader, the owner or the same content, for a storage may take its time.
 */
async function keep(deps: Deps, upload: CompleteUpload): Promise<void> {
  const { id, bytes, sha256, uploader, person, head } = upload;
  const order = orderOf(upload.metadata);
  const { owner, name } = order;
  const media = checkContent(order, bytes, sniff(head), deps.config.upload);
  const place = placeOf(order, media, await SIZE_OF[media](deps, upload, order));
  await storing(deps.db, async (tx) => {
    await upload.settle();
    await requireActor(tx, uploader, { owners: [owner] });
    await upsertBlob(tx, sha256, bytes);
    const file = { id, owner_id: owner, uploaded_by: uploader, name, ...place, sha256, step: 'examine' } as const;
    if (await insertFile(tx, file)) {
      await queueExamination(tx, { fileId: id, owner, media, bytes });
      await audit(tx, { id: uploader, person }, { action: 'files.upload', targetId: id, target: name });
    }
    await publishFiles(tx, [{ id, owner }]);
  });
}

/** Uploads of videos and pictures. */
export function fileUploads(deps: Deps): UploadPurpose {
  const { upload: limits, quotaBytes } = deps.config;
  return {
    name: 'file',
    maxBytes: Math.max(limits.maxImageBytes, limits.maxVideoBytes),
    admit: async (viewer, sent, size) => {
      const metadata = checkCreation(sent, size, limits);
      await requireOwner(deps.db, viewer, metadata.owner);
      return encodeOrder({ ...metadata, owner: metadata.owner ?? viewer.id });
    },
    reserve: (db, metadata, bytes) => requireQuota(db, orderOf(metadata).owner, bytes, quotaBytes),
    judge: ({ metadata, size }, head) => void checkContent(orderOf(metadata), size, sniff(head), limits),
    keep: (upload) => keep(deps, upload),
    sizeOfKept: (uploader, id) => findUploadedFile(deps.db, uploader, id),
  };
}
