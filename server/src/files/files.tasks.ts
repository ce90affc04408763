import type { Deps } from '../platform/deps.ts';
import type { SlowTask, Task } from '../platform/jobs.ts';
import { deleteUnusedBlob, findForgottenBlobs, findUnusedBlobs, isNamed, queueProcessing } from './blobs.queries.ts';
import { cleanUploads } from './clean-uploads.ts';
import { lockForCleaning } from './content.ts';
import { convertBlob, giveUpBlob, processBlob } from './processing.ts';

const BLOBS_A_RUN = 1000;

/** graphile-worker crontab: unfinished uploads and contents that nobody needs go every hour. */
export const FILES_CRON = `
7 * * * * files_clean_uploads ?max=1
37 * * * * files_clean_blobs ?max=1
`.trim();

/** Removes one content and what was made of it, unless somebody needs it by now. */
async function cleanBlob({ db, blobs }: Deps, sha256: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Somebody is storing something just now: the next run finds it again.
    if (!(await lockForCleaning(tx))) return;
    for (const name of await deleteUnusedBlob(tx, sha256)) {
      // Different originals can have the same still, and a converted video can be uploaded again.
      if (!(await isNamed(tx, name))) await blobs.remove(name);
    }
  });
}

async function cleanBlobs(deps: Deps): Promise<void> {
  for (const { sha256 } of await findUnusedBlobs(deps.db, BLOBS_A_RUN)) await cleanBlob(deps, sha256);
  for (const { sha256, deadly } of await findForgottenBlobs(deps.db)) {
    await (deadly ? giveUpBlob(deps, sha256) : queueProcessing(deps.db, sha256));
  }
}

/** The jobs of this feature by name. */
export const filesTasks = (deps: Deps): Record<string, Task | SlowTask> => ({
  files_process: (payload, stopping) => processBlob(deps, payload, stopping),
  files_convert: { slow: (payload, stopping) => convertBlob(deps, payload, stopping) },
  files_clean_blobs: () => cleanBlobs(deps),
  files_clean_uploads: () => cleanUploads(deps),
});
