import type { JobName } from '@ams/contract';
import { z } from 'zod';
import type { Deps } from '../platform/process/deps.ts';
import type { LaneTask, Task } from '../platform/jobs/jobs.ts';
import { runSteps } from '../platform/jobs/steps.ts';
import { forgetAttempts } from '../platform/sandbox/attempts.ts';
import { CLEAN_CONTENTS, cleanContents, cleanStrays } from '../blobs/blobs.service.ts';
import type { ContentUse } from '../blobs/content-use.ts';
import { checkContent, queueOlder } from '../media/checks.ts';
import { LONG_TASK } from '../media/queue.ts';
import { forgetTurns } from '../media/turns.queries.ts';
import { WantedWork } from './wanted.ts';
import { FileJobs, queueAnew } from './work.ts';
import { findForgotten, findLeftBehind } from './work.queries.ts';

const DAY_MS = 86_400_000;

/** graphile-worker crontab: contents that nobody needs go every hour, strays every night. */
export const FILES_CRON = `
37 * * * * files_clean_blobs ?max=1
47 3 * * * files_clean_strays ?max=1&fill=1d
`.trim();

/** Contents that nobody needs go; files that no job is left for get one, as do contents that were never checked. */
async function clean(deps: Deps, uses: readonly ContentUse[]): Promise<void> {
  await runSteps([
    () => cleanContents(deps, uses),
    async () => {
      for (const forgotten of await findForgotten(deps.db)) await queueAnew(deps.db, forgotten);
    },
    () => queueOlder(deps),
    () => forgetTurns(deps.db),
    () => forgetAttempts(deps.db, deps.processId),
  ]);
}

const Content = z.object({ sha256: z.string() });

/** A job of an earlier version, which named a content instead of a file. */
async function takeOver({ db }: Deps, payload: unknown): Promise<void> {
  for (const file of await findLeftBehind(db, Content.parse(payload).sha256)) await queueAnew(db, file);
}

/** All jobs of files but the one that cleans uploads. */
type FilesJob = Exclude<Extract<JobName, `files_${string}`>, 'files_clean_uploads'>;

/** The jobs of this feature by name; `uses`: everything that needs stored contents. */
export function filesTasks(deps: Deps, uses: readonly ContentUse[]): Record<FilesJob, Task | LaneTask> {
  const jobs = new FileJobs(deps, new WantedWork(deps));
  return {
    files_examine_pictures: { lane: 'pictures', run: (...job) => jobs.examine('pictures', ...job) },
    files_examine_videos: { lane: 'videos', run: (...job) => jobs.examine('videos', ...job) },
    files_convert_short: { lane: 'short', run: (...job) => jobs.convert('short', ...job) },
    [LONG_TASK]: { lane: 'long', run: (...job) => jobs.convert('long', ...job) },
    files_process: (payload) => takeOver(deps, payload),
    files_convert: (payload) => takeOver(deps, payload),
    files_check: { lane: 'checks', run: (...job) => checkContent(deps, ...job) },
    [CLEAN_CONTENTS]: () => clean(deps, uses),
    files_clean_strays: () => cleanStrays(deps, new Date(Date.now() - DAY_MS)),
  };
}
