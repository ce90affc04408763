import type { routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { deviceCalendar, groupCalendar } from './calendar.service.ts';
import type { ReleaseLinks } from './links.ts';
import { programmeAt } from './programme.service.ts';
import { listReleaseDevices, listReleases } from './releases.queries.ts';
import { getRelease } from './releases.service.ts';
import { restoreRelease } from './restore.service.ts';
import { withdrawRelease } from './withdraw.service.ts';
import { listRequests, rejectRequest } from './requests.service.ts';
import { retryRelease } from './retry.service.ts';
import { resumeRollout, pauseRollout } from './rollout.service.ts';

export const releasesRoutes = ({ db }: Deps, links: ReleaseLinks): Handlers<typeof routes.releases> => ({
  list: ({ viewer, query: { approval, ...query } }) =>
    approval === undefined ? listReleases(db, viewer, query) : listRequests(db, viewer, { ...query, approval }),
  get: ({ viewer, params }) => getRelease(db, viewer, params.id),
  listDevices: async ({ viewer, params, query }) => {
    await getRelease(db, viewer, params.id);
    return listReleaseDevices(db, viewer, params.id, query);
  },
  withdraw: ({ viewer, params }) => withdrawRelease(db, links, viewer, params.id),
  reject: ({ viewer, params, body }) => rejectRequest(db, viewer, params.id, body.remark),
  restore: ({ viewer, params }) => restoreRelease(db, viewer, params.id),
  pause: ({ viewer, params }) => pauseRollout(db, viewer, params.id),
  resume: ({ viewer, params, body }) => resumeRollout(db, viewer, params.id, body.stage),
  retry: ({ viewer, params, body }) => retryRelease(db, viewer, params.id, body.ids),
  deviceCalendar: ({ viewer, params, query }) => deviceCalendar(db, viewer, params.id, query),
  groupCalendar: ({ viewer, params, query }) => groupCalendar(db, viewer, params.id, query),
  programme: ({ viewer, params, query }) =>
    programmeAt(db, viewer, params.id, query.at === undefined ? undefined : Date.parse(query.at)),
});
