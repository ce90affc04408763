import type { routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { getBatch, startBatch, undoBatch } from './batch.service.ts';
import type { DeviceLinks } from './links.ts';

export const batchRoutes = (deps: Deps, links: DeviceLinks): Handlers<typeof routes.batches> => ({
  start: ({ viewer, body }) => startBatch({ ...deps, links }, viewer, body),
  undo: ({ viewer, body }) => undoBatch({ ...deps, links }, viewer, body.undo),
  get: ({ viewer, params }) => getBatch(deps.db, viewer, params.id),
});
