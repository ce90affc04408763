import type { routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import { listAudit } from './audit.queries.ts';
import { createInvitations, listInvitations, revokeInvitation } from './invitations.service.ts';
import type { UserLinks } from './links.ts';
import { listUsers } from './users.queries.ts';
import { changePhone, changeWorkingHours, createUser, deleteUser, getUser, updateUser } from './users.service.ts';

/** Calls of users that other features answer: they are about signing in. */
type OfSession = 'changePassword' | 'resetSecondFactor';

export const usersRoutes = (deps: Deps, links: UserLinks): Omit<Handlers<typeof routes.users>, OfSession> => {
  const { db } = deps;
  return {
    list: ({ viewer, query }) => listUsers(db, viewer, query),
    create: ({ viewer, body }) => createUser(db, viewer, body),
    get: ({ viewer, params }) => getUser(db, viewer, params.id),
    update: ({ viewer, params, body }) => updateUser(deps, links, viewer, params.id, body),
    changePhone: ({ viewer, params, body }) => changePhone(deps, links, viewer, params.id, body.phone),
    changeWorkingHours: ({ viewer, params, body }) => changeWorkingHours(deps, links, viewer, params.id, body),
    delete: async ({ viewer, params }) => {
      await deleteUser(db, links, viewer, params.id);
      return null;
    },
    listInvitations: ({ viewer, query }) => listInvitations(db, viewer, query),
    createInvitations: async ({ viewer, body }) => ({ items: await createInvitations(db, viewer, body) }),
    revokeInvitation: async ({ viewer, params }) => {
      await revokeInvitation(db, viewer, params.code);
      return null;
    },
    listAudit: ({ viewer, query }) => listAudit(db, viewer, query),
  };
};
