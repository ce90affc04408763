import { z } from 'zod';
import { PageQuery, QueryFlag, pageOf } from './kernel/page.ts';
import { Id, IdParams, routeTable } from './kernel/route.ts';
import { GivenTime } from './kernel/time.ts';
import { CHOICE_MAX_BYTES, DeviceChoice } from './releases.ts';
import { SecondFactorCode } from './session.ts';
import { UserRef } from './users.ts';
import { Screen } from './vocabulary.ts';

/** A takeover that lasts longer is a release. */
export const TAKEOVER_DAYS_MAX = 7;

/** `prepared`: its devices download the files and play nothing of it until it starts. */
export const TakeoverState = z.enum(['prepared', 'running', 'ended']);
export type TakeoverState = z.output<typeof TakeoverState>;

/** An ad that plays alone on its devices, above everything else, until an instant. */
export const Takeover = z.object({
  /** It is a release: `GET releases/:id` answers it, too. */
  id: z.uuid(),
  ad: z.object({ id: z.uuid(), name: z.string() }),
  operator: UserRef.nullable(),
  state: TakeoverState,
  createdAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  /** When it ends by itself; null before it starts. */
  endsAt: z.iso.datetime().nullable(),
  /** When it ended, by itself or by a person. */
  endedAt: z.iso.datetime().nullable(),
  /** Null while it runs and when it ended by itself. */
  endedBy: UserRef.nullable(),
  /**
   * Its devices in scope; those that hold all its files, that know that it has started, and that show it now. `shown`: once
   * it ended, those that reported plays of it.
   */
  counts: z.object({
    total: z.number().int(),
    ready: z.number().int(),
    told: z.number().int(),
    showing: z.number().int(),
    shown: z.number().int(),
  }),
});
export type Takeover = z.output<typeof Takeover>;

/** One device of a takeover. */
export const TakeoverDevice = z.object({
  id: z.uuid(),
  mac: z.string(),
  name: z.string(),
  online: z.boolean(),
  expired: z.boolean(),
  ready: z.boolean(),
  told: z.boolean(),
  showing: z.boolean(),
  shown: z.boolean(),
});
export type TakeoverDevice = z.output<typeof TakeoverDevice>;

/** The end of a takeover: an instant, or the minutes that it lasts, for callers whose clock may be wrong. */
const End = {
  until: GivenTime.optional(),
  minutes: z
    .int('takeover.until')
    .min(1, 'takeover.until')
    .max(TAKEOVER_DAYS_MAX * 24 * 60, 'takeover.days')
    .optional(),
};
const hasOneEnd = ({ until, minutes }: { until?: unknown; minutes?: unknown }): boolean =>
  (until === undefined) !== (minutes === undefined);

/** Takes over now until an instant, or prepares the devices for a takeover that starts later. */
export const CreateTakeoverBody = z
  .object({
    adId: Id,
    devices: DeviceChoice,
    /** Which screen of the device; needed for an ad made for dual screens. */
    screen: Screen.nullish(),
    /** The version of the ad that the operator saw; refused when it is another by now. */
    updatedAt: GivenTime.optional(),
    prepare: z.boolean().default(false),
    ...End,
    /** A code of the second factor; required where it is on, unless this only prepares. */
    code: SecondFactorCode.optional(),
  })
  .refine((body) => body.prepare || hasOneEnd(body), { path: ['until'], error: 'takeover.until' });
export type CreateTakeoverBody = z.input<typeof CreateTakeoverBody>;

export const StartTakeoverBody = z
  .object({
    ...End,
    /** A code of the second factor; required where it is on. */
    code: SecondFactorCode.optional(),
  })
  .refine(hasOneEnd, { path: ['until'], error: 'takeover.until' });
export type StartTakeoverBody = z.input<typeof StartTakeoverBody>;

export const takeovers = routeTable({
  list: {
    method: 'GET',
    url: '/api/takeovers',
    access: 'user',
    summary: 'Takeovers in scope, newest first',
    query: PageQuery.extend({ ad: Id.optional(), state: TakeoverState.optional() }),
    response: pageOf(Takeover),
  },
  create: {
    method: 'POST',
    url: '/api/takeovers',
    access: 'leading',
    summary:
      'Show an ad on devices at once, above everything else, until `until` or for some `minutes`; or, with `prepare`, have the devices download it for a later start',
    maxBytes: CHOICE_MAX_BYTES,
    body: CreateTakeoverBody,
    errors: ['EMPTY_AD', 'FILE_NOT_READY', 'NO_DEVICES', 'SCREEN_REQUIRED', 'BAD_CODE', 'TOO_MANY'],
    response: Takeover,
  },
  get: {
    method: 'GET',
    url: '/api/takeovers/:id',
    access: 'user',
    summary: 'One takeover with its totals',
    params: IdParams,
    response: Takeover,
  },
  listDevices: {
    method: 'GET',
    url: '/api/takeovers/:id/devices',
    access: 'user',
    summary: 'The devices of a takeover, each with what it reports of it',
    params: IdParams,
    query: PageQuery.extend({ showing: QueryFlag.optional() }),
    response: pageOf(TakeoverDevice),
  },
  start: {
    method: 'POST',
    url: '/api/takeovers/:id/start',
    access: 'leading',
    summary: 'Start a prepared takeover now; devices that left the scope are left out',
    params: IdParams,
    body: StartTakeoverBody,
    errors: ['CHANGED_MEANWHILE', 'NO_DEVICES', 'BAD_CODE', 'TOO_MANY'],
    response: Takeover,
  },
  end: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/takeovers/:id/end',
    access: 'leading',
    summary: 'End a takeover now, or discard a prepared one; what played before resumes',
    params: IdParams,
    response: Takeover,
  },
});
