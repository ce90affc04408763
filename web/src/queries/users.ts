import {
  type AuditEntry,
  type ChangePasswordBody,
  type CreateInvitationsBody,
  type CreateUserBody,
  type Invitation,
  type UpdateUserBody,
  type SecondFactorProof,
  type User,
  session,
  users,
} from '@ams/contract';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { callsOf, unwrap } from '../platform/api.ts';
import { pageQuery, refreshListed, removeListed, restartLists } from '../platform/query.ts';
import { applied, AUDIT, COLLEAGUES, DEVICES, HOME, INVITATIONS, invalidate, USERS } from './keys.ts';

const calls = callsOf(users);
const quiet = callsOf(users, { quiet: true });
const own = callsOf(session);

const LIST = [...USERS, 'list'] as const;

export interface UserListFilter {
  q?: string | undefined;
  state?: 'enabled' | 'disabled' | undefined;
}

/** Newest first unless `sort` says otherwise. */
export const usersQuery = (filter: UserListFilter, sort?: z.input<typeof users.list.query>['sort']) =>
  pageQuery<User>([...LIST, filter, sort], (page) => calls.list({ query: { ...filter, ...page, sort } }));

/** Users in scope with their numbers of videos, pictures and ads. */
export const ownersQuery = (q: string | undefined) =>
  pageQuery<User>([...USERS, 'owners', q], (page) => calls.list({ query: { ...page, q } }));

/** Users that something may be given to, by a part of their name. */
export const pickableUsersQuery = (q: string) =>
  pageQuery<User>([...USERS, 'pick', q], (page) => calls.list({ query: { ...page, q, state: 'enabled' } }));

export const userQuery = (id: string) =>
  queryOptions({ queryKey: [...USERS, 'one', id], queryFn: () => unwrap(calls.get({ params: { id } })) });

export const readUser = (id: string) => calls.get({ params: { id } });

export interface InvitationFilter {
  state?: Invitation['state'] | undefined;
  /** Made by this user. */
  owner?: string | undefined;
}

export const invitationsQuery = (filter: InvitationFilter) =>
  pageQuery([...INVITATIONS, filter], (page) => calls.listInvitations({ query: { ...page, ...filter } }).then(withIds));

/** Lists key their rows by `id`; an invitation's is its code. */
const withIds = (answer: Awaited<ReturnType<typeof calls.listInvitations>>) =>
  answer.error === undefined
    ? { ...answer, data: { ...answer.data, items: answer.data.items.map((item) => ({ ...item, id: item.code })) } }
    : answer;

/** Audit in scope, or of one user. */
export const auditQuery = (actor: string | undefined) =>
  pageQuery<AuditEntry>([...AUDIT, actor], (page) => calls.listAudit({ query: { ...page, actor } }));

/** After a user was changed: its rows, its details, and the numbers of the home page. */
const userChanged = (id: string): Promise<unknown> =>
  Promise.all([refreshListed<User>(LIST, [id], quiet), invalidate([...USERS, 'one', id], HOME)]);

export const createUser = (body: CreateUserBody) =>
  applied(calls.create({ body }), () => Promise.all([restartLists(USERS), invalidate(HOME)]));

export const updateUser = (id: string, body: UpdateUserBody) =>
  applied(calls.update({ params: { id }, body }), () => userChanged(id));

/** Sets the own phone number, or that of a user below. */
export const updatePhone = (id: string, phone: string | null) =>
  applied(calls.changePhone({ params: { id }, body: { phone } }), () => userChanged(id));

/** Sets the own default working hours, or those of a user below; they reach its devices. */
export const updateWorkingHours = (
  id: string,
  body: z.input<typeof users.changeWorkingHours.body>,
  reload: () => Promise<void>,
) =>
  applied(
    calls.changeWorkingHours({ params: { id }, body }),
    () => Promise.all([userChanged(id), invalidate(DEVICES)]),
    reload,
  );

export const deleteUser = (id: string) =>
  applied(calls.delete({ params: { id } }), () => {
    removeListed(LIST, [id]);
    return invalidate(HOME);
  });

export const changePassword = (id: string, body: ChangePasswordBody) => calls.changePassword({ params: { id }, body });

/** Their lists, and the numbers on the pages of those who made them. */
const invitationsChanged = (): Promise<unknown> =>
  Promise.all([restartLists(INVITATIONS), invalidate([...USERS, 'one'])]);

export const createInvitations = (body: CreateInvitationsBody) =>
  applied(calls.createInvitations({ body }), () => void invitationsChanged());

export const revokeInvitation = (code: string) =>
  applied(calls.revokeInvitation({ params: { code } }), () => invitationsChanged());

/** Takes the second factor off another account. */
export const resetSecondFactor = (id: string) =>
  applied(calls.resetSecondFactor({ params: { id } }), () => userChanged(id));

type Proof = z.input<typeof SecondFactorProof>;

/** Begins to set up one's own second factor: the answer shows the key. */
export const beginSecondFactor = (body: Proof) => own.beginSecondFactor({ body });

const ownFactorChanged = (id: string): Promise<unknown> => Promise.all([userChanged(id), invalidate(COLLEAGUES)]);

/** Sets it up with the first code. `id` is one's own. */
export const confirmSecondFactor = (id: string, body: { challenge: string; code: string }) =>
  applied(own.confirmSecondFactor({ body }), () => void ownFactorChanged(id));

export const endSecondFactor = (id: string, body: Proof) =>
  applied(own.endSecondFactor({ body }), () => void ownFactorChanged(id));
