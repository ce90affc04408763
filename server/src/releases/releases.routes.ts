import type { routes } from '@ams/contract';
import type { Deps } from '../platform/deps.ts';
import type { Handlers } from '../platform/mount.ts';
import { listReleaseDevices, listReleases } from './releases.queries.ts';
import { getRelease, withdrawRelease } from './releases.service.ts';

export const releasesRoutes = ({ db }: Deps): Handlers<typeof routes.releases> => ({
  list: ({ viewer, query }) => listReleases(db, viewer, query),
  get: ({ viewer, params }) => getRelease(db, viewer, params.id),
  devices: async ({ viewer, params, query }) => {
    await getRelease(db, viewer, params.id);
    return listReleaseDevices(db, params.id, query);
  },
  withdraw: ({ viewer, params }) => withdrawRelease(db, viewer, params.id),
});
