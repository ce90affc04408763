import { z } from 'zod';
import type { Deps } from '../platform/process/deps.ts';
import type { LaneTask, Task } from '../platform/jobs/jobs.ts';
import { deleteUnusedBlob, findUnnamed, findUnusedBlobs } from './blobs.queries.ts';
import { cleanUploads } from './clean-uploads.ts';
import { lockForCleaning } from './content.ts';
import { forgetTurns } from './turns.queries.ts';
import { WantedWork } from './wanted.ts';
import { FileJobs, queueAnew } from './work.ts';
import { findForgotten, findLeftBehind, LONG_TASK } from './work.queries.ts';

const BLOBS_A_RUN = 1000;
const DAY_MS = 86_400_000;

/** graphile-worker crontab: unfinished uploads and contents that nobody needs go every hour, strays every night. */
export const FILES_CRON = `
7 * * * * files_clean_uploads ?max=1
37 * * * * files_clean_blobs ?max=1
47 3 * * * files_clean_strays ?max=1
`.trim();

/** Removes one content and what was made of it, unless somebody needs it by now. */
async function cleanBlob({ db, blobs }: Deps, sha256: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Somebody is storing something just now: the next run finds it again.
    if (!(await lockForCleaning(tx))) return;
    const names = await deleteUnusedBlob(tx, sha256);
    // Different originals can have the same still, and a converted video can be uploaded again.
    for (const name of await findUnnamed(tx, names)) await blobs.remove(name);
  });
}

/** Removes what a process put into its place and did not live to name, or named no more and did not live to remove. */
export async function cleanStrays({ db, blobs }: Deps, before: Date): Promise<void> {
  for await (const names of blobs.names(before)) {
    if ((await findUnnamed(db, names)).length === 0) continue;
    await db.transaction().execute(async (tx) => {
      // Without anybody storing, what has no row gets none. Otherwise the next run finds it again.
      if (!(await lockForCleaning(tx))) return;
      for (const name of await findUnnamed(tx, names)) await blobs.remove(name);
    });
  }
}

async function cleanBlobs(deps: Deps): Promise<void> {
  for (const { sha256 } of await findUnusedBlobs(deps.db, BLOBS_A_RUN)) await cleanBlob(deps, sha256);
  for (const forgotten of await findForgotten(deps.db)) await queueAnew(deps.db, forgotten);
  await forgetTurns(deps.db);
}

const Content = z.object({ sha256: z.string() });

/** A job of an earlier version, which named a content instead of a file. */
async function takeOver({ db }: Deps, payload: unknown): Promise<void> {
  for (const file of await findLeftBehind(db, Content.parse(payload).sha256)) await queueAnew(db, file);
}

/** The jobs of this feature by name. */
export function filesTasks(deps: Deps): Record<string, Task | LaneTask> {
  const jobs = new FileJobs(deps, new WantedWork(deps));
  return {
    files_examine_pictures: { lane: 'pictures', run: (...job) => jobs.examine('pictures', ...job) },
    files_examine_videos: { lane: 'videos', run: (...job) => jobs.examine('videos', ...job) },
    files_convert_short: { lane: 'short', run: (...job) => jobs.convert('short', ...job) },
    [LONG_TASK]: { lane: 'long', run: (...job) => jobs.convert('long', ...job) },
    files_process: (payload) => takeOver(deps, payload),
    files_convert: (payload) => takeOver(deps, payload),
    files_clean_blobs: () => cleanBlobs(deps),
    files_clean_strays: () => cleanStrays(deps, new Date(Date.now() - DAY_MS)),
    files_clean_uploads: () => cleanUploads(deps),
  };
}
