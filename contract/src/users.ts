import { z } from 'zod';
import { ShownHours, WorkingHours } from './hours.ts';
import { givenName } from './kernel/name.ts';
import { PageQuery, pageOf, sortOf } from './kernel/page.ts';
import { Id, IdParams, Nothing, routeTable } from './kernel/route.ts';

export const USERNAME_LENGTH = { min: 4, max: 20 };
export const PASSWORD_LENGTH = { min: 8, max: 72 };
export const REMARK_MAX = 200;
export const INVITATION_DAYS = { default: 30, max: 365 };
export const INVITATIONS_AT_ONCE_MAX = 500;

export const Role = z.enum(['leading', 'member']);
export type Role = z.output<typeof Role>;

export const Username = z
  .string('username.required')
  .trim()
  .min(1, 'username.required')
  .min(USERNAME_LENGTH.min, 'username.length')
  .max(USERNAME_LENGTH.max, 'username.length')
  .regex(/^[A-Za-z0-9]*$/, 'username.alphanumeric');

export const Password = z
  .string('password.required')
  .min(1, 'password.required')
  .min(PASSWORD_LENGTH.min, 'password.length')
  .max(PASSWORD_LENGTH.max, 'password.length');

export const Phone = z
  .string()
  .trim()
  .regex(/^\+?[\d ()-]{5,25}$/, 'phone.invalid');

export const UserRef = z.object({ id: z.uuid(), username: z.string(), phone: z.string().nullable() });
export type UserRef = z.output<typeof UserRef>;

/** `mp4`, `img`, `ad_num` and `devices` count what the user owns itself. */
export const User = z.object({
  id: z.uuid(),
  username: z.string(),
  role: Role,
  phone: z.string().nullable(),
  superior: UserRef.nullable(),
  disabled: z.boolean(),
  remark: z.string().nullable(),
  mp4: z.number().int(),
  img: z.number().int(),
  ad_num: z.number().int(),
  devices: z.number().int(),
  /** Invitation codes that it made and that can still be used. */
  invitations: z.number().int(),
  /** How many bytes of files the user may own: null for the default of the installation, 0 for any number. */
  quotaBytes: z.number().int().nullable(),
  /** How many bytes of files it owns, as they were uploaded. */
  usedBytes: z.number().int(),
  /** Whether logging in asks for a code besides the password. */
  secondFactor: z.boolean(),
  /** Whether this leading user demands a second factor of everybody below. */
  secondFactorBelow: z.boolean(),
  /** Whether releases of this customer wait until somebody above approves them. */
  releasesNeedApproval: z.boolean(),
  /** Default working hours of its devices and of those of users below; null: those of the user above. */
  workingHours: ShownHours.nullable(),
  createdAt: z.iso.datetime(),
  lastLoginAt: z.iso.datetime().nullable(),
});
export type User = z.output<typeof User>;

export const UserFilter = z.object({
  q: z.string().trim().max(100).optional(),
  state: z.enum(['enabled', 'disabled']).optional(),
});

/** Users that never logged in come first. */
export const USER_SORTS = ['username', 'lastLoginAt', 'createdAt'] as const;

export const CreateUserBody = z.object({
  username: Username,
  password: Password,
  role: Role,
  phone: Phone.nullish(),
});
export type CreateUserBody = z.input<typeof CreateUserBody>;

export const Remark = givenName({ max: REMARK_MAX, required: 'remark.required', tooLong: 'remark.length' });

export const QuotaBytes = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

export const UpdateUserBody = z.object({
  disabled: z.boolean().optional(),
  remark: Remark.nullish(),
  phone: Phone.nullish(),
  role: Role.optional(),
  secondFactorBelow: z.boolean().optional(),
  /** For members only. What waits already stays waiting when it is turned off. */
  releasesNeedApproval: z.boolean().optional(),
  quotaBytes: QuotaBytes.nullish(),
});
export type UpdateUserBody = z.input<typeof UpdateUserBody>;

export const ChangePasswordBody = z.object({
  password: Password,
  confirm: z.string('confirm.required').min(1, 'confirm.required').max(200),
  /** Required for the user's own password. */
  current: z.string().max(200).optional(),
});
export type ChangePasswordBody = z.input<typeof ChangePasswordBody>;

export const Invitation = z.object({
  code: z.string(),
  role: Role,
  state: z.enum(['unused', 'used', 'expired', 'revoked']),
  createdBy: UserRef,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  usedBy: UserRef.nullable(),
});
export type Invitation = z.output<typeof Invitation>;

export const CreateInvitationsBody = z.object({
  count: z.number().int().min(1).max(INVITATIONS_AT_ONCE_MAX).default(1),
  role: Role.default('member'),
  days: z.number().int().min(1).max(INVITATION_DAYS.max).default(INVITATION_DAYS.default),
});
export type CreateInvitationsBody = z.input<typeof CreateInvitationsBody>;

/** One audit entry. `action` is for example `devices.pair`; `target` is the object's name at that time. */
export const AuditEntry = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  /** Null once the user was deleted; the name stays. */
  actor: UserRef.nullable(),
  actorName: z.string(),
  /** The colleague who acted for the user; null for the account's holder. */
  person: z.object({ name: z.string(), username: z.string() }).nullable(),
  action: z.string(),
  targetId: z.string().nullable(),
  target: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
});
export type AuditEntry = z.output<typeof AuditEntry>;

export const users = routeTable({
  list: {
    method: 'GET',
    url: '/api/users',
    access: 'user',
    summary: 'Users in scope, newest first unless `sort` says otherwise',
    query: PageQuery.extend({ ...UserFilter.shape, sort: sortOf(USER_SORTS).optional() }),
    response: pageOf(User),
  },
  create: {
    method: 'POST',
    url: '/api/users',
    access: 'leading',
    summary: 'Create a user below the viewer',
    body: CreateUserBody,
    errors: ['USERNAME_TAKEN'],
    response: User,
  },
  get: {
    method: 'GET',
    url: '/api/users/:id',
    access: 'user',
    summary: 'One user in scope',
    params: IdParams,
    response: User,
  },
  update: {
    method: 'PATCH',
    url: '/api/users/:id',
    access: 'leading',
    summary: 'Disable with a remark, enable, or change phone number or role',
    params: IdParams,
    body: UpdateUserBody,
    errors: ['NOT_YOURSELF', 'ROOT_PROTECTED', 'HOLDER_ONLY'],
    response: User,
  },
  changePassword: {
    method: 'PUT',
    url: '/api/users/:id/password',
    access: 'user',
    // Everybody changes their own; the handler refuses a read-only person any other.
    people: 'all',
    summary: 'Set the password of a user, or of the person who is signed in; ends the other sessions of this person',
    params: IdParams,
    body: ChangePasswordBody,
    errors: ['PASSWORD_DIFFERENT', 'WRONG_PASSWORD', 'READ_ONLY', 'HOLDER_ONLY'],
    response: User,
  },
  changePhone: {
    method: 'PUT',
    url: '/api/users/:id/phone',
    access: 'user',
    summary: 'Set the own phone number, or that of a user below; null removes it',
    params: IdParams,
    body: z.object({ phone: Phone.nullable() }),
    response: User,
  },
  changeWorkingHours: {
    method: 'PUT',
    url: '/api/users/:id/working-hours',
    access: 'user',
    summary:
      'Set the default working hours of the own devices and those below, or those of a user below; null removes them. Refused if the user has neither these nor the hours that were `seen`',
    params: IdParams,
    body: z.object({ workingHours: WorkingHours.nullable(), seen: ShownHours.nullable().optional() }),
    errors: ['CHANGED_MEANWHILE'],
    response: User,
  },
  resetSecondFactor: {
    method: 'DELETE',
    url: '/api/users/:id/second-factor',
    access: 'leading',
    summary: 'Remove the lost second factor of a user below; ends the sessions of this user',
    params: IdParams,
    errors: ['NOT_YOURSELF'],
    response: User,
  },
  delete: {
    method: 'DELETE',
    url: '/api/users/:id',
    access: 'leading',
    summary: "Delete a user and pass the user's belongings to the user above",
    params: IdParams,
    errors: ['NOT_YOURSELF', 'ROOT_PROTECTED'],
    response: Nothing,
  },
  listInvitations: {
    method: 'GET',
    url: '/api/invitations',
    access: 'leading',
    // A code creates a user: whoever sees it could act.
    people: 'operators',
    summary: 'Invitation codes in scope, newest first',
    query: PageQuery.extend({
      state: Invitation.shape.state.optional(),
      /** Made by this user. */
      owner: Id.optional(),
    }),
    response: pageOf(Invitation),
  },
  createInvitations: {
    method: 'POST',
    url: '/api/invitations',
    access: 'leading',
    summary: 'Create invitation codes',
    body: CreateInvitationsBody,
    response: z.object({ items: z.array(Invitation) }),
  },
  revokeInvitation: {
    method: 'DELETE',
    url: '/api/invitations/:code',
    access: 'leading',
    summary: 'Revoke an unused invitation code',
    params: z.object({ code: z.string().max(50) }),
    response: Nothing,
  },
  listAudit: {
    method: 'GET',
    url: '/api/audit',
    access: 'leading',
    summary: 'Audit of changes in scope, newest first',
    query: PageQuery.extend({ actor: Id.optional() }),
    response: pageOf(AuditEntry),
  },
});
