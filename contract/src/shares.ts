import { z } from 'zod';
import { PageQuery, pageOf } from './kernel/page.ts';
import { IdParams, Nothing, raw, routeTable } from './kernel/route.ts';
import { ReportQuery } from './reports.ts';
import { UserRef } from './users.ts';

/** How long a link can be opened, in days. */
export const SHARE_DAYS = { default: 30, min: 1, max: 366 };

/** The page of a link for people without an account. Each kind has its page on the server. */
export const ShareSubject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('report'),
    /** A number of days is fixed to those days when the link is made. */
    report: ReportQuery,
  }),
]);
export type ShareSubject = z.output<typeof ShareSubject>;
export type ShareKind = ShareSubject['kind'];

export const ShareState = z.enum(['active', 'expired', 'revoked']);

export const Share = z.object({
  id: z.uuid(),
  kind: z.enum(['report'] satisfies ShareKind[]),
  /** Its subject, with the names at its creation. */
  title: z.string(),
  state: ShareState,
  createdBy: UserRef,
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});
export type Share = z.output<typeof Share>;

export const CreateShareBody = z.object({
  subject: ShareSubject,
  days: z.number().int().min(SHARE_DAYS.min).max(SHARE_DAYS.max).default(SHARE_DAYS.default),
});
export type CreateShareBody = z.input<typeof CreateShareBody>;

/** `url` is answered once: only a hash of it is stored. */
export const CreatedShare = Share.extend({ url: z.url() });
export type CreatedShare = z.output<typeof CreatedShare>;

export const shares = routeTable({
  list: {
    method: 'GET',
    url: '/api/shares',
    access: 'user',
    summary: 'Links that users in scope made for people without an account, newest first',
    query: PageQuery,
    response: pageOf(Share),
  },
  create: {
    method: 'POST',
    url: '/api/shares',
    access: 'user',
    summary: 'Make a link that shows a report to anybody who has it, until it expires or is revoked',
    body: CreateShareBody,
    response: CreatedShare,
  },
  revoke: {
    method: 'DELETE',
    url: '/api/shares/:id',
    access: 'user',
    summary: 'Revoke a link; revoking it twice changes nothing more',
    params: IdParams,
    response: Nothing,
  },
  open: {
    method: 'GET',
    url: '/share/:token',
    access: 'open',
    perMinute: 60,
    summary: 'The page that a link shows: HTML without scripts, made to be printed',
    params: z.object({ token: z.string() }),
    response: raw('text/html'),
  },
});
