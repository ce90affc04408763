import type { routes } from '@ams/contract';
import type { Handlers } from '../platform/http/mount.ts';
import type { Deps } from '../platform/process/deps.ts';
import { getTakeover, listTakeoverDevices, listTakeovers, requireTakeover } from '../releases/takeover.service.ts';
import { beginTakeover, createTakeover, stopTakeover } from './takeovers.service.ts';

export const takeoversRoutes = (deps: Deps): Handlers<typeof routes.takeovers> => ({
  list: ({ viewer, query }) => listTakeovers(deps.db, viewer, query),
  create: ({ viewer, body }) => createTakeover(deps, viewer, body),
  get: ({ viewer, params }) => getTakeover(deps.db, viewer, params.id),
  listDevices: async ({ viewer, params, query }) => {
    await requireTakeover(deps.db, viewer, params.id);
    return listTakeoverDevices(deps.db, viewer, params.id, query);
  },
  start: ({ viewer, params, body }) => beginTakeover(deps, viewer, params.id, body),
  end: ({ viewer, params }) => stopTakeover(deps, viewer, params.id),
});
