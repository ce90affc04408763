import type { routes } from '@ams/contract';
import type { Deps } from '../platform/process/deps.ts';
import type { Handlers } from '../platform/http/mount.ts';
import type { Guesses } from '../session/guesses.service.ts';
import { browserOf } from '../session/known-browsers.service.ts';
import { listAudit } from './audit.queries.ts';
import { createInvitations, listInvitations, revokeInvitation } from './invitations.service.ts';
import { listUsers } from './users.queries.ts';
import { createUser, changePassword, deleteUser, getUser, updateUser, resetSecondFactor } from './users.service.ts';

export const usersRoutes = (deps: Deps, guesses: Guesses): Handlers<typeof routes.users> => {
  const { db } = deps;
  return {
    list: ({ viewer, query }) => listUsers(db, viewer, query),
    create: ({ viewer, body }) => createUser(db, viewer, body),
    get: ({ viewer, params }) => getUser(db, viewer, params.id),
    update: ({ viewer, params, body }) => updateUser(deps, viewer, params.id, body),
    changePassword: ({ viewer, params, body, request }) =>
      guesses.watch(request, () => changePassword(db, viewer, params.id, { ...body, browser: browserOf(request) })),
    resetSecondFactor: ({ viewer, params }) => resetSecondFactor(db, viewer, params.id),
    delete: async ({ viewer, params }) => {
      await deleteUser(db, viewer, params.id);
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
