import { promises as fs } from 'node:fs';
import path from 'node:path';
import {
  APP_FORMATS,
  APP_MIME,
  APP_NAME_MAX,
  hasVisible,
  APP_UPLOAD_KIND,
  AppError,
  AppUploadMetadata,
  extensionOf,
} from '@ams/contract';
import { insertKnownBlob, type KnownContent } from '../blobs/blobs.queries.ts';
import { settleContent } from '../blobs/blobs.service.ts';
import { storing } from '../blobs/content-lock.ts';
import { audit } from '../platform/auth/audit.ts';
import { requireActor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { toStorable } from '../platform/database/unstorable.ts';
import type { Deps } from '../platform/process/deps.ts';
import type { ApkFacts } from '../platform/sandbox/answers.ts';
import { parseContent } from '../platform/sandbox/parse-content.ts';
import { sha256Of } from '../platform/sandbox/unparsable.ts';
import { stagingFolder } from '../blobs/staging.ts';
import {
  type CompleteUpload,
  refuseMetadata,
  requireSize,
  type UploadPurpose,
  type SentMetadata,
} from '../blobs/purpose.ts';
import { looksLikeApk, readApk } from './apk.ts';
import { findHighest, findPinnedSigner, findUploadedApp, insertApp, lockPackage } from './apps.queries.ts';

const ICON_PIXELS = 192;
const ICON_INPUT_PIXELS_MAX = 4096 ** 2;

/** Throws `INVALID` or `UNSUPPORTED_FORMAT`. */
function parseMetadata({ name, content, forced, istype, filename }: SentMetadata): AppUploadMetadata {
  const isApk = !filename || APP_FORMATS.some((format) => format === extensionOf(filename));
  if (!isApk) throw new AppError('UNSUPPORTED_FORMAT', { t: APP_FORMATS.join(', ') });
  const given = Object.entries({ name, content, forced, istype }).filter(([, value]) => value);
  const parsed = AppUploadMetadata.safeParse(Object.fromEntries(given));
  if (!parsed.success) throw refuseMetadata(parsed.error);
  return parsed.data;
}

const encodeMetadata = ({ name, content, forced, istype }: AppUploadMetadata): Record<string, string> => ({
  ...(name && { name }),
  ...(content && { content }),
  forced: String(forced),
  istype: String(istype),
});

interface Icon {
  content: KnownContent;
  bytes: Uint8Array;
}

/** The icon as a WebP, or undefined when there is none that can be drawn. */
async function drawIcon(deps: Deps, picture: Uint8Array | null): Promise<Icon | undefined> {
  if (!picture) return undefined;
  const asked = { bytes: picture, pixelsMax: ICON_INPUT_PIXELS_MAX, side: ICON_PIXELS };
  // An app may do without its icon.
  const drawn = await parseContent(deps, 'icon', sha256Of(picture), asked);
  if (!drawn) return undefined;
  const { bytes, width, height } = drawn;
  const sha256 = sha256Of(bytes);
  const content = { sha256, bytes: bytes.length, mime: 'image/webp', width, height, poster_sha256: sha256 };
  return { content, bytes };
}

/**
 * Whether the version is to be stored: false when an earlier try inserted this very upload. Throws `OTHER_SIGNER`,
 * `VERSION_NOT_NEWER` with what is there, and what `requireActor` does.
 */
async function isNewer(tx: Db, upload: CompleteUpload, apk: ApkFacts): Promise<boolean> {
  const { uploader } = upload;
  await requireActor(tx, uploader, { role: 'leading' });
  await lockPackage(tx, apk.package);
  if ((await findUploadedApp(tx, uploader, upload.id)) !== undefined) return false;
  const pinned = await findPinnedSigner(tx, uploader, apk.package);
  if (pinned !== undefined && pinned !== apk.signer && !apk.predecessors.includes(pinned)) {
    throw new AppError('OTHER_SIGNER', { package: apk.package, signer: pinned, given: apk.signer });
  }
  const highest = await findHighest(tx, uploader, apk.package);
  if (!highest || highest.code < apk.code) return true;
  const { id, code, version } = highest;
  throw new AppError('VERSION_NOT_NEWER', { package: apk.package, id, code, version, given: apk.code });
}

/** Puts an icon into its place. */
async function settleIcon(deps: Deps, upload: CompleteUpload, icon: Icon): Promise<void> {
  const folder = stagingFolder(deps.config.data);
  await fs.mkdir(folder, { recursive: true });
  const file = path.join(folder, `${upload.id}.icon`);
  await fs.writeFile(file, icon.bytes);
  await deps.blobs.adopt(icon.content.sha256, file).finally(() => fs.rm(file, { force: true }));
}

async function insert(tx: Db, upload: CompleteUpload, apk: ApkFacts, icon: KnownContent | undefined): Promise<void> {
  const { id, sha256, bytes, uploader, person } = upload;
  const { name, content, forced, istype } = AppUploadMetadata.parse(upload.metadata);
  if (icon) await insertKnownBlob(tx, icon);
  await insertKnownBlob(tx, { sha256, bytes, mime: APP_MIME, width: null, height: null, poster_sha256: null });
  const label = apk.label && hasVisible(apk.label) ? apk.label : apk.package;
  const shownName = name ?? toStorable(label.slice(0, APP_NAME_MAX));
  await insertApp(tx, {
    ...{ id, content, forced, istype, sha256, name: shownName, uploaded_by: uploader },
    ...{ package: apk.package, code: apk.code, version: apk.version, icon_sha256: icon?.sha256 ?? null },
    ...{ signer: apk.signer, predecessors: apk.predecessors },
  });
  const details = { package: apk.package, code: apk.code, signer: apk.signer };
  await audit(tx, { id: uploader, person }, { action: 'apps.upload', targetId: id, target: shownName, details });
}

/**
 * A version that is refused is not stored. It is judged again once the bytes are in their place: nobody waits meanwhile who
 * changes the uploader or another version, for a storage may take its time. Throws what `readApk` and `isNewer` do.
 */
async function keep(deps: Deps, upload: CompleteUpload): Promise<void> {
  const { db } = deps;
  await using file = await upload.borrow();
  const apk = await readApk(deps, upload.sha256, file.path);
  const icon = await drawIcon(deps, apk.icon);
  if (!(await db.transaction().execute((tx) => isNewer(tx, upload, apk)))) return;
  await storing(db, async (tx) => {
    if (icon) await settleContent(deps, icon.content, () => settleIcon(deps, upload, icon));
    await upload.settle();
    if (await isNewer(tx, upload, apk)) await insert(tx, upload, apk, icon?.content);
  });
}

/** Uploads of device software; a new version is published by hand. */
export function appUploads(deps: Deps): UploadPurpose {
  const { maxAppBytes } = deps.config.upload;
  return {
    name: APP_UPLOAD_KIND,
    maxBytes: maxAppBytes,
    admit: async (viewer, sent, size) => {
      if (viewer.role !== 'leading') throw new AppError('LEADING_ONLY');
      const metadata = parseMetadata(sent);
      if (size === 0) throw new AppError('NOT_AN_APK');
      requireSize(size, maxAppBytes);
      return encodeMetadata(metadata);
    },
    judge: (_upload, head) => {
      if (head.length < 4 || !looksLikeApk(head)) throw new AppError('NOT_AN_APK');
    },
    keep: (upload) => keep(deps, upload),
    sizeOfKept: (uploader, id) => findUploadedApp(deps.db, uploader, id),
  };
}
