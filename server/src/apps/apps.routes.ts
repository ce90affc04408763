import type { apps as routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { listApps } from './apps.queries.ts';
import { changeApp, removeApp, requireApp } from './apps.service.ts';

export const appsRoutes = (deps: Deps): Handlers<typeof routes> => ({
  list: ({ viewer, query }) => listApps(deps.db, deps.signer, viewer, query),
  get: ({ viewer, params }) => requireApp(deps, viewer, params.id),
  patch: ({ viewer, params, body }) => changeApp(deps, viewer, params.id, body),
  remove: async ({ viewer, params }) => {
    await removeApp(deps, viewer, params.id);
    return null;
  },
});
