import { AppError } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { Task } from '../platform/jobs/jobs.ts';
import { Failures } from '../platform/jobs/steps.ts';
import { readApk } from './apk.ts';
import { findUnread, recordSignature } from './apps.queries.ts';
import type { AppLinks } from './links.ts';
import { publisherChanged } from './apps.service.ts';

const APPS_A_RUN = 50;
const NOBODY = { signer: '', predecessors: [] };

/** graphile-worker crontab: APKs that a version before 0.2 stored are read, after which they are offered again. */
export const APPS_CRON = '* * * * * apps_read_signers ?max=1';

type Unread = Awaited<ReturnType<typeof findUnread>>[number];

/** Reads who signed a stored APK. One that Android would not install has no signer and is not offered. */
async function readSigner(deps: Deps, links: AppLinks, { id, sha256, publisher }: Unread): Promise<void> {
  const { db, blobs, log } = deps;
  // An unreachable storage is no fault of the APK.
  if ((await blobs.size(sha256)) === undefined) return;
  await using file = await blobs.borrow(sha256);
  const signature = await readApk(deps, sha256, file.path).catch((error: unknown) => {
    // A server that stops is no fault of the APK.
    if (!(error instanceof AppError) || error.error === 'UNAVAILABLE') throw error;
    log.warn({ app: id, reason: error.error }, 'the signer of an app cannot be determined; the app is not offered');
    return NOBODY;
  });
  await recordSignature(db, id, signature);
  if (publisher !== null) await publisherChanged(links, db, publisher);
}

/** @throws the first error, after the others were read */
async function readSigners(deps: Deps, links: AppLinks): Promise<void> {
  const failures = new Failures();
  for (const app of await findUnread(deps.db, APPS_A_RUN)) await readSigner(deps, links, app).catch(failures.note);
  failures.end();
}

/** The jobs of this feature by name. */
export const appsTasks = (deps: Deps, links: AppLinks): Record<'apps_read_signers', Task> => ({
  apps_read_signers: () => readSigners(deps, links),
});
