import type { routes } from '@ams/contract';
import type { Handlers } from '../platform/http/mount.ts';
import type { Deps } from '../platform/process/deps.ts';
import { createGroup, deleteGroup, getGroup, listGroups, updateGroup } from './groups.service.ts';
import type { GroupLinks } from './links.ts';

export const groupsRoutes = ({ db }: Deps, links: GroupLinks): Handlers<typeof routes.groups> => ({
  list: ({ viewer, query }) => listGroups(db, links, viewer, query),
  create: ({ viewer, body }) => createGroup(db, links, viewer, body),
  get: ({ viewer, params }) => getGroup(db, links, viewer, params.id),
  update: ({ viewer, params, body }) => updateGroup(db, links, viewer, params.id, body),
  delete: async ({ viewer, params }) => {
    await deleteGroup(db, links, viewer, params.id);
    return null;
  },
});
