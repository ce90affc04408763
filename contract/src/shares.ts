import { z } from 'zod';
import { PageQuery, pageOf } from './kernel/page.ts';
import { Id, IdParams, Nothing, raw, routeTable } from './kernel/route.ts';
import { GroupName } from './groups.ts';
import { ReportQuery } from './reports.ts';
import { DeviceFilter } from './rules/filter.ts';
import { isPeriod, PERIOD_ORDER, StatementPeriod } from './statements.ts';
import { UserRef } from './users.ts';

/** How long a link can be opened, in days. */
export const SHARE_DAYS = { default: 30, min: 1, max: 366 };

/** The page of a link for people without an account. Each kind has its page on the server. */
export const ShareSubject = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('report'),
    /** A number of days ends with the day that each device had when the link was made. */
    report: ReportQuery,
  }),
  z.object({
    kind: z.literal('wall'),
    /** Heading of the page. */
    title: GroupName,
    /** The devices: those in the maker's scope that match it at each reading. */
    filter: DeviceFilter,
  }),
  StatementPeriod.extend({ kind: z.literal('statement'), campaignId: Id }).refine(isPeriod, PERIOD_ORDER),
]);
export type ShareSubject = z.output<typeof ShareSubject>;
export type ShareKind = ShareSubject['kind'];

export const ShareState = z.enum(['active', 'expired', 'revoked']);

export const Share = z.object({
  id: z.uuid(),
  kind: z.enum(['report', 'wall', 'statement'] satisfies ShareKind[]),
  /** Its subject, with the names at its creation. */
  title: z.string(),
  state: ShareState,
  createdBy: UserRef,
  createdAt: z.iso.datetime(),
  /** Null: valid until it is revoked. */
  expiresAt: z.iso.datetime().nullable(),
});
export type Share = z.output<typeof Share>;

export const CreateShareBody = z.object({
  subject: ShareSubject,
  /** Null: until it is revoked. */
  days: z.number().int().min(SHARE_DAYS.min).max(SHARE_DAYS.max).nullable().default(SHARE_DAYS.default),
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
    summary:
      'Make a link that shows a report, a statement or a live wall of devices to anybody who has it, until it expires or is revoked',
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
    summary:
      'The page that a link shows: a report or a statement to be printed, or a wall of devices that renews itself',
    params: z.object({ token: z.string() }),
    response: raw('text/html'),
  },
  proof: {
    method: 'GET',
    url: '/share/:token/proof',
    access: 'open',
    perMinute: 10,
    summary: 'The verification file of the campaign whose statement a link shows',
    params: z.object({ token: z.string() }),
    errors: ['NOT_FOUND'],
    response: raw('application/json'),
  },
  verify: {
    method: 'GET',
    url: '/share/verify',
    access: 'open',
    summary: 'The page that checks verification files; it loads and sends nothing and works without a network',
    errors: ['NOT_FOUND'],
    response: raw('text/html'),
  },
  picture: {
    method: 'GET',
    url: '/share/:token/pictures/:name',
    access: 'open',
    perMinute: 1200,
    summary: 'A picture on the wall of devices that a link shows',
    params: z.object({ token: z.string(), name: z.string().regex(/^[0-9a-f]{64}$/) }),
    errors: ['NOT_FOUND'],
    response: raw('image/jpeg'),
  },
});
