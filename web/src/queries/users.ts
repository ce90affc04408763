import { type AuditEntry, type Invitation, type User, users } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient, refreshListed, removeListed, restartLists } from '../platform/query.ts';

export const calls = callsOf(users);
const quiet = callsOf(users, { quiet: true });

const USERS = ['users'] as const;
const INVITATIONS = ['invitations'] as const;
const AUDIT = ['audit'] as const;

export interface UserListFilter {
  q?: string | undefined;
  state?: 'enabled' | 'disabled' | undefined;
}

export const usersQuery = (filter: UserListFilter) =>
  pageQuery<User>([...USERS, 'list', filter], (page) => calls.list({ query: { ...filter, ...page } }));

/** Users that something may be given to, by a part of their name. */
export const pickableUsersQuery = (q: string) =>
  pageQuery<User>([...USERS, 'pick', q], (page) => calls.list({ query: { ...page, q, state: 'enabled' } }));

export const userQuery = (id: string) =>
  queryOptions({ queryKey: [...USERS, 'one', id], queryFn: () => unwrap(calls.get({ params: { id } })) });

export const invitationsQuery = (state: Invitation['state'] | undefined) =>
  pageQuery([...INVITATIONS, state], (page) => calls.listInvitations({ query: { ...page, state } }).then(withIds));

/** Lists key their rows by `id`; an invitation's is its code. */
const withIds = (answer: Awaited<ReturnType<typeof calls.listInvitations>>) =>
  answer.error === undefined
    ? { ...answer, data: { ...answer.data, items: answer.data.items.map((item) => ({ ...item, id: item.code })) } }
    : answer;

/** Audit in scope, or of one user. */
export const auditQuery = (actor: string | undefined) =>
  pageQuery<AuditEntry>([...AUDIT, actor], (page) => calls.listAudit({ query: { ...page, actor } }));

/** After a user was changed: its rows, its details, and the numbers of the home page. */
export async function userChanged(id: string): Promise<void> {
  await Promise.all([
    refreshListed([...USERS, 'list'], [id], (one) => quiet.get({ params: { id: one } })),
    queryClient.invalidateQueries({ queryKey: [...USERS, 'one', id] }),
    queryClient.invalidateQueries({ queryKey: ['home'] }),
  ]);
}

/** After a user was deleted. */
export async function userDeleted(id: string): Promise<void> {
  removeListed([...USERS, 'list'], [id]);
  await queryClient.invalidateQueries({ queryKey: ['home'] });
}

/** After a user was added. */
export async function userAdded(): Promise<void> {
  await Promise.all([restartLists(USERS), queryClient.invalidateQueries({ queryKey: ['home'] })]);
}

export const invitationsChanged = (): Promise<void> => restartLists(INVITATIONS);

/** Sets whether everybody below a leading user needs a second factor. True when the server did it. */
export async function demandBelow(user: User, secondFactorBelow: boolean): Promise<boolean> {
  const answer = await calls.update({ params: { id: user.id }, body: { secondFactorBelow } });
  if (answer.error !== undefined) return false;
  await userChanged(user.id);
  return true;
}
