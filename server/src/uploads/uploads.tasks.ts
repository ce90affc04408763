import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { addJob, type Task } from '../platform/jobs/jobs.ts';
import { cleanUploads } from './clean-uploads.ts';

const CLEAN_UPLOADS = 'files_clean_uploads';

/** graphile-worker crontab: unfinished uploads go every hour. */
export const UPLOADS_CRON = `7 * * * * ${CLEAN_UPLOADS} ?max=1`;

/** The jobs of this room by name. */
export const uploadsTasks = (deps: Deps): Record<typeof CLEAN_UPLOADS, Task> => ({
  [CLEAN_UPLOADS]: () => cleanUploads(deps),
});

/** Has the uploads of a deleted user removed by a job. */
export const cleanUploadsSoon = (tx: Db): Promise<void> => addJob(tx, CLEAN_UPLOADS, {}, { key: CLEAN_UPLOADS });
