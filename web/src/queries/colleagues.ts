import { type AuditEntry, colleagues, type InviteColleagueBody, type UpdateColleagueBody } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery } from '../platform/query.ts';
import { applied, AUDIT, COLLEAGUES, invalidate } from './keys.ts';

const calls = callsOf(colleagues);

/** The colleagues of an account in scope; the holder also gets the open invitations. */
export const colleaguesQuery = (account: string) =>
  queryOptions({ queryKey: [...COLLEAGUES, account], queryFn: () => unwrap(calls.list({ query: { account } })) });

/** The person who is signed in. */
export const selfQuery = queryOptions({ queryKey: [...COLLEAGUES, 'self'], queryFn: () => unwrap(calls.self()) });

/** What the people of the own account did, newest first. */
export const ownAuditQuery = pageQuery<AuditEntry>([...AUDIT, 'own'], (page) => calls.listAudit({ query: page }));

const changed = () => invalidate(COLLEAGUES, AUDIT);

export const inviteColleague = (body: InviteColleagueBody) => applied(calls.invite({ body }), changed);

export const revokeColleague = (code: string) => applied(calls.revoke({ params: { code } }), changed);

export const updateColleague = (id: string, body: UpdateColleagueBody) =>
  applied(calls.update({ params: { id }, body }), changed);

export const deleteColleague = (id: string) => applied(calls.delete({ params: { id } }), changed);
