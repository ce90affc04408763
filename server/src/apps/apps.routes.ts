import type { apps as routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { listApps } from './apps.queries.ts';
import type { AppLinks } from './links.ts';
import { updateApp, deleteApp, requireApp } from './apps.service.ts';

export const appsRoutes = (deps: Deps, links: AppLinks): Handlers<typeof routes> => ({
  list: ({ viewer, query }) => listApps(deps.db, deps.signer, viewer, query),
  get: ({ viewer, params }) => requireApp(deps, viewer, params.id),
  update: ({ viewer, params, body }) => updateApp(deps, links, viewer, params.id, body),
  delete: async ({ viewer, params }) => {
    await deleteApp(deps, links, viewer, params.id);
    return null;
  },
});
