import { type Invitation, type User, users } from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, queryClient } from '../platform/query.ts';

export const calls = callsOf(users);

const USERS = ['users'] as const;
const INVITATIONS = ['invitations'] as const;

export interface UserListFilter {
  q?: string | undefined;
  state?: 'enabled' | 'disabled' | undefined;
}

export const usersQuery = (filter: UserListFilter) =>
  pageQuery<User>([...USERS, 'list', filter], (page) => calls.list({ query: { ...filter, ...page } }));

export const userQuery = (id: string) =>
  queryOptions({ queryKey: [...USERS, 'one', id], queryFn: () => unwrap(calls.get({ params: { id } })) });

export const invitationsQuery = (state: Invitation['state'] | undefined) =>
  pageQuery([...INVITATIONS, state], (page) => calls.invitations({ query: { ...page, state } }).then(withIds));

/** Lists key their rows by `id`; an invitation's is its code. */
const withIds = (answer: Awaited<ReturnType<typeof calls.invitations>>) =>
  answer.error === undefined
    ? { ...answer, data: { ...answer.data, items: answer.data.items.map((item) => ({ ...item, id: item.code })) } }
    : answer;

/** After a user changed: lists, details, and the numbers of the home page. */
export const usersChanged = (): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: USERS }),
    queryClient.invalidateQueries({ queryKey: ['home'] }),
  ]);

export const invitationsChanged = (): Promise<unknown> => queryClient.invalidateQueries({ queryKey: INVITATIONS });
