import { z } from 'zod';
import { givenName } from './kernel/name.ts';
import { PageQuery, pageOf } from './kernel/page.ts';
import { Id, IdParams, Nothing, PersonAccess, routeTable } from './kernel/route.ts';
import { AuditEntry } from './users.ts';

/** Colleagues and open invitations of one account together. */
export const COLLEAGUES_MAX = 50;
export const COLLEAGUE_NAME_MAX = 60;
export const COLLEAGUE_INVITATION_DAYS = 7;

export const ColleagueAccess = PersonAccess.exclude(['holder']);
export type ColleagueAccess = z.output<typeof ColleagueAccess>;

export const ColleagueName = givenName({
  max: COLLEAGUE_NAME_MAX,
  required: 'name.required',
  tooLong: 'name.length',
});

/** A person who acts for an account besides its holder. */
export const Colleague = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The name that the colleague logs in with. */
  username: z.string(),
  access: ColleagueAccess,
  disabled: z.boolean(),
  /** Disabled by somebody above the account: its holder cannot enable the colleague. */
  disabledAbove: z.boolean(),
  secondFactor: z.boolean(),
  createdAt: z.iso.datetime(),
  lastLoginAt: z.iso.datetime().nullable(),
});
export type Colleague = z.output<typeof Colleague>;

/** An invitation that is open: used and revoked ones are gone. */
export const ColleagueInvitation = z.object({
  code: z.string(),
  name: z.string(),
  access: ColleagueAccess,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type ColleagueInvitation = z.output<typeof ColleagueInvitation>;

/** The person who is signed in. */
export const SignedInPerson = z.object({
  id: z.uuid(),
  name: z.string(),
  username: z.string(),
  access: PersonAccess,
  secondFactor: z.boolean(),
});
export type SignedInPerson = z.output<typeof SignedInPerson>;

export const InviteColleagueBody = z.object({ name: ColleagueName, access: ColleagueAccess });
export type InviteColleagueBody = z.input<typeof InviteColleagueBody>;

export const UpdateColleagueBody = z.object({
  name: ColleagueName.optional(),
  access: ColleagueAccess.optional(),
  disabled: z.boolean().optional(),
});
export type UpdateColleagueBody = z.input<typeof UpdateColleagueBody>;

export const colleagues = routeTable({
  list: {
    method: 'GET',
    url: '/api/colleagues',
    access: 'user',
    summary:
      "Colleagues of the viewer's account, or of an account below; the holder of the own account also gets its open invitations",
    query: z.object({ account: Id.optional() }),
    errors: ['NOT_FOUND'],
    response: z.object({ colleagues: z.array(Colleague), invitations: z.array(ColleagueInvitation) }),
  },
  self: {
    method: 'GET',
    url: '/api/colleagues/self',
    access: 'user',
    summary: 'The person who is signed in: the holder of the account or a colleague',
    response: SignedInPerson,
  },
  listAudit: {
    method: 'GET',
    url: '/api/colleagues/audit',
    access: 'user',
    people: 'holder',
    summary: 'Changes by the people of the own account, newest first',
    query: PageQuery,
    response: pageOf(AuditEntry),
  },
  invite: {
    method: 'POST',
    url: '/api/colleagues/invitations',
    access: 'user',
    people: 'holder',
    summary: 'Create a one-use invitation for a colleague; `POST /api/register` accepts its code',
    body: InviteColleagueBody,
    errors: ['TOO_MANY_COLLEAGUES'],
    response: ColleagueInvitation,
  },
  revoke: {
    method: 'DELETE',
    url: '/api/colleagues/invitations/:code',
    access: 'user',
    people: 'holder',
    summary: 'Revoke an open invitation for a colleague',
    params: z.object({ code: z.string().max(50) }),
    response: Nothing,
  },
  update: {
    method: 'PATCH',
    url: '/api/colleagues/:id',
    access: 'user',
    people: 'operators',
    summary:
      'Rename, disable or enable a colleague, or change the access; ends the sessions of a colleague who may do less. Only the holder of the account changes its colleagues; users above it disable and enable them',
    params: IdParams,
    body: UpdateColleagueBody,
    errors: ['DISABLED_ABOVE', 'HOLDER_ONLY'],
    response: Colleague,
  },
  delete: {
    method: 'DELETE',
    url: '/api/colleagues/:id',
    access: 'user',
    people: 'operators',
    summary: 'Delete a colleague: by the holder of the account, or by a user above it',
    params: IdParams,
    errors: ['HOLDER_ONLY'],
    response: Nothing,
  },
});
