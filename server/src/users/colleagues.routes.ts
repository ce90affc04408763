import type { routes } from '@ams/contract';
import type { Handlers } from '../platform/http/mount.ts';
import type { Deps } from '../platform/process/deps.ts';
import { listAudit } from './audit.queries.ts';
import { inviteColleague, revokeColleagueInvitation } from './colleague-invitations.service.ts';
import { deleteColleague, getSelf, listColleagues, updateColleague } from './colleagues.service.ts';
import type { UserLinks } from './links.ts';

export const colleaguesRoutes = ({ db }: Deps, links: UserLinks): Handlers<typeof routes.colleagues> => ({
  list: ({ viewer, query }) => listColleagues(db, viewer, query.account),
  self: ({ viewer }) => getSelf(db, viewer),
  // The own account alone, for leading users too.
  listAudit: ({ viewer, query }) => listAudit(db, { id: viewer.id, role: 'member' }, query),
  invite: ({ viewer, body }) => inviteColleague(db, viewer, body),
  revoke: async ({ viewer, params }) => {
    await revokeColleagueInvitation(db, viewer, params.code);
    return null;
  },
  update: ({ viewer, params, body }) => updateColleague(db, links, viewer, params.id, body),
  delete: async ({ viewer, params }) => {
    await deleteColleague(db, viewer, params.id);
    return null;
  },
});
