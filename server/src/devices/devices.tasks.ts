import { z } from 'zod';
import type { Deps } from '../platform/process/deps.ts';
import type { Task } from '../platform/jobs/jobs.ts';
import { runSteps } from '../platform/jobs/steps.ts';
import { deleteOld, findForgotten } from './batch.queries.ts';
import { continueBatch, queueBatch } from './batch.service.ts';
import type { DeviceLinks } from './links.ts';

/** A batch without progress for this long was abandoned by a dead server. */
const FORGOTTEN_SECONDS = 30;
const RESULTS_KEPT_DAYS = 7;

const Payload = z.object({ id: z.uuid() });

/** graphile-worker crontab: resumes batches of dead servers, deletes old results. */
export const DEVICES_CRON = '* * * * * devices_batches ?max=1';

/** The jobs of this feature by name. */
export const devicesTasks = (deps: Deps, links: DeviceLinks): Record<'devices_batch' | 'devices_batches', Task> => ({
  devices_batch: (payload, stopping) => continueBatch({ ...deps, links }, Payload.parse(payload).id, stopping),
  devices_batches: () =>
    runSteps([
      async () => {
        for (const id of await findForgotten(deps.db, FORGOTTEN_SECONDS)) await queueBatch(deps.db, id);
      },
      () => deleteOld(deps.db, RESULTS_KEPT_DAYS),
    ]),
});
