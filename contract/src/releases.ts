import { z } from 'zod';
import { calendarRoutes } from './calendar.ts';
import { DeviceVerdict } from './devices.ts';
import { PageQuery, QueryFlag, pageOf, sortOf } from './kernel/page.ts';
import { Id, IdParams, routeTable } from './kernel/route.ts';
import { GivenOffsetTime, GivenTime } from './kernel/time.ts';
import { Schedule } from './player.ts';
import { DeviceFilter, ShownFilter } from './rules/filter.ts';
import { Remark, UserRef } from './users.ts';
import { PlayMode, Priority, Screen } from './vocabulary.ts';

/** As many ids as a body of 1 MB holds. A filter or a group may choose any number. */
export const RELEASE_DEVICES_MAX = 25_000;
/** A body that names up to four times as many devices is read, so that the answer says how many are possible. */
export const CHOICE_MAX_BYTES = 4 * 1024 * 1024;
export const RETRY_DEVICES_MAX = 1000;
export const STAGES_MAX = 10;
/** Shares of the devices of a step, in percent: done before the next begins, failed at most. */
export const GO_ON_AT_DEFAULT = 90;
export const STOP_ABOVE_DEFAULT = 10;

const Percent = z.number().int().min(1).max(100);

/** Steps of a release: each reaches this share of all its devices; the last one reaches all. */
export const Stages = z
  .array(z.object({ percent: Percent }))
  .min(2)
  .max(STAGES_MAX)
  .refine((stages) => stages.every(({ percent }, index) => percent > (stages[index - 1]?.percent ?? 0)), {
    error: 'stages.order',
  })
  .refine((stages) => stages.at(-1)?.percent === 100, { error: 'stages.all' });
export type Stages = z.output<typeof Stages>;

/** Takeovers and default content have calls of their own. */
export const ReleasePriority = Priority.exclude(['default', 'takeover']);
export type ReleasePriority = z.output<typeof ReleasePriority>;

/** Devices by id, all in scope that a filter of the device list shows, or those of a group: one of these. */
export const DeviceChoice = z
  .union([
    z.strictObject({ ids: z.array(Id).meta({ maxItems: RELEASE_DEVICES_MAX }) }),
    z.strictObject({ filter: DeviceFilter }),
    z.strictObject({ group: Id }),
  ])
  // Not in the schema of the ids: a choice that fits none of the three is refused without a reason.
  .refine((choice) => !('ids' in choice) || choice.ids.length <= RELEASE_DEVICES_MAX, {
    path: ['ids'],
    error: 'release.ids',
  });
export type DeviceChoice = z.output<typeof DeviceChoice>;

/** A choice of devices in an answer: already read, so that nothing is transformed. */
export const ShownChoice = z.union([
  z.object({ ids: z.array(z.uuid()) }),
  z.object({ filter: ShownFilter.extend({ group: z.uuid().optional() }) }),
  z.object({ group: z.uuid() }),
]) satisfies z.ZodType<DeviceChoice>;

export const CreateReleaseBody = z
  .object({
    devices: DeviceChoice,
    /** With a filter or a group: devices that match later get it, too, and those that no longer match lose it. */
    standing: z.boolean().default(false),
    /** Which screen of the device; needed for an ad made for dual screens. */
    screen: Screen.nullish(),
    replace: z.boolean().default(true),
    priority: ReleasePriority.default('normal'),
    schedule: Schedule.nullish(),
    /** Left out: all devices at once. */
    stages: Stages.nullish(),
    goOnAt: Percent.default(GO_ON_AT_DEFAULT),
    stopAbove: z.number().int().min(0).max(100).default(STOP_ABOVE_DEFAULT),
    /** The version of the ad that the operator saw; refused when it is another by now. */
    updatedAt: GivenTime.optional(),
  })
  .refine(({ standing, devices }) => !standing || !('ids' in devices), { error: 'standing.ids', path: ['standing'] });
export type CreateReleaseBody = z.input<typeof CreateReleaseBody>;

/**
 * `planned`: a device of a later step, which keeps what it had until then. `missed`: the release was withdrawn, or ended,
 * before the device reported that it had it.
 */
export const ReleaseState = z.enum(['planned', 'waiting', 'downloading', 'done', 'failed', 'missed']);
export type ReleaseState = z.output<typeof ReleaseState>;

/** Of a release that is live. */
export const LiveReleaseState = ReleaseState.exclude(['missed']);
export type LiveReleaseState = z.output<typeof LiveReleaseState>;

export const RolloutState = z.enum(['running', 'paused', 'stopped', 'complete']);
export type RolloutState = z.output<typeof RolloutState>;

/**
 * Why a rollout paused by itself: whoever is responsible for it lost the right to act, or the release was withdrawn from all
 * devices of the step under way, so that nothing shows whether it may continue.
 */
export const PauseReason = z.enum(['operatorDisabled', 'operatorDemoted', 'operatorDeleted', 'stepWithdrawn']);
export type PauseReason = z.output<typeof PauseReason>;

/**
 * A release in steps. `stage` is the index (from 0) of the last step that began; each step counts its
 * own devices. `stopped`: stopped automatically, because more than `stopAbove` percent of a step's devices failed.
 */
export const Rollout = z.object({
  state: RolloutState,
  /** Null unless it paused by itself. */
  reason: PauseReason.nullable(),
  stage: z.number().int(),
  goOnAt: z.number().int(),
  stopAbove: z.number().int(),
  stages: z.array(
    z.object({
      percent: z.number().int(),
      startedAt: z.iso.datetime().nullable(),
      total: z.number().int(),
      done: z.number().int(),
      failed: z.number().int(),
    }),
  ),
});
export type Rollout = z.output<typeof Rollout>;

/** `withdrawn`: taken back before it was decided. */
export const ApprovalState = z.enum(['requested', 'approved', 'rejected', 'withdrawn']);
export type ApprovalState = z.output<typeof ApprovalState>;

/** Days for which the customer's home page names a rejected request that was not made again. */
export const REJECTED_DAYS = 14;

/** The request of a customer whose releases need approval. */
export const ReleaseApproval = z.object({
  state: ApprovalState,
  /** Devices that it reached when it was requested. */
  devices: z.number().int(),
  /** The ad changed since it was requested: it cannot be approved and needs a new request. */
  changed: z.boolean(),
  requestedBy: UserRef.nullable(),
  requestedAt: z.iso.datetime(),
  decidedBy: UserRef.nullable(),
  decidedAt: z.iso.datetime().nullable(),
  /** Why it was rejected. */
  remark: z.string().nullable(),
});
export type ReleaseApproval = z.output<typeof ReleaseApproval>;

export const Release = z.object({
  id: z.uuid(),
  ad: z.object({ id: z.uuid(), name: z.string() }),
  operator: UserRef.nullable(),
  screen: Screen.nullable(),
  replace: z.boolean(),
  priority: Priority,
  schedule: Schedule.nullable(),
  /** The campaign whose spots it shows, null for other releases. */
  campaignId: z.uuid().nullable(),
  /** When a takeover ends; null for other releases and before it starts. */
  endsAt: z.iso.datetime().nullable(),
  releasedAt: z.iso.datetime(),
  withdrawnAt: z.iso.datetime().nullable(),
  withdrawnBy: UserRef.nullable(),
  /** Devices that begin to match get it, those that no longer match lose it. */
  standing: z.boolean(),
  /** The group or the filter of a standing release, if it is in scope. */
  target: z
    .object({
      group: z.object({ id: z.uuid(), name: z.string() }).nullable(),
      filter: ShownFilter,
      /** What devices must satisfy beside the filter of the group. */
      further: ShownFilter.nullable(),
    })
    .nullable(),
  /** Null when it went to all devices at once. */
  rollout: Rollout.nullable(),
  /** Of a release to many devices, until all of them had their turn; the others count as waiting. */
  sending: z.object({ reached: z.number().int(), total: z.number().int() }).nullable(),
  /** Null for releases that needed no approval. Until it is approved, no device has it. */
  approval: ReleaseApproval.nullable(),
  /** How far the device is for which the list was asked. */
  here: ReleaseState.nullish(),
  counts: z.object({
    total: z.number().int(),
    planned: z.number().int(),
    missed: z.number().int(),
    waiting: z.number().int(),
    downloading: z.number().int(),
    done: z.number().int(),
    failed: z.number().int(),
  }),
});
export type Release = z.output<typeof Release>;

/** One device of a release. */
export const ReleaseDevice = z.object({
  id: z.uuid(),
  mac: z.string(),
  name: z.string(),
  online: z.boolean(),
  state: ReleaseState,
  doneBytes: z.number().int(),
  totalBytes: z.number().int(),
  reason: z.string().nullable(),
});
export type ReleaseDevice = z.output<typeof ReleaseDevice>;

/** A device that has a live release of an ad: the latest one, and how far it is. `onScreen`: it reports it now. */
export const AdDevice = ReleaseDevice.pick({ id: true, mac: true, name: true, online: true }).extend({
  state: LiveReleaseState,
  releaseId: z.uuid(),
  onScreen: z.boolean(),
});
export type AdDevice = z.output<typeof AdDevice>;

/** Why a release is on screen at a moment, or why not. `by`: the release that comes before it. */
export const PlayVerdict = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('plays') }),
  z.object({ kind: z.literal('notScheduled') }),
  z.object({ kind: z.literal('outranked'), why: z.enum(['takeover', 'urgent', 'released', 'replaced']), by: z.uuid() }),
  /** Not all of its files are on the device. */
  z.object({ kind: z.literal('incomplete') }),
  /** It plays once and has done so. */
  z.object({ kind: z.literal('finished') }),
]);
export type PlayVerdict = z.output<typeof PlayVerdict>;

/** A release that a device had at a moment. */
export const ProgrammeEntry = Release.pick({
  id: true,
  ad: true,
  operator: true,
  replace: true,
  priority: true,
  schedule: true,
  endsAt: true,
  releasedAt: true,
  withdrawnAt: true,
  campaignId: true,
}).extend({
  playMode: PlayMode,
  /** Whether the release's own page is in the viewer's scope. */
  open: z.boolean(),
  verdict: PlayVerdict,
  /** How far the device is with it. */
  here: ReleaseState,
  /** The device reports that it is on this screen. */
  reported: z.boolean(),
});
export type ProgrammeEntry = z.output<typeof ProgrammeEntry>;

/**
 * Why the report of a screen differs from the rules at this moment. `stale`: the report is old;
 * `switching`: the device has not taken over the newest change yet; `failed`: it reports a failure; `unknown`: none of
 * these. `reported`: the ad that it reports, null if it reports nothing.
 */
export const ScreenDifference = z.object({
  reported: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  because: z.enum(['stale', 'switching', 'failed', 'unknown']),
});
export type ScreenDifference = z.output<typeof ScreenDifference>;

/** Content of a device's screens at a moment, newest release first, with reasons. */
export const DeviceProgramme = z.object({
  at: z.iso.datetime(),
  timeZone: z.string(),
  expired: z.boolean(),
  verdict: DeviceVerdict,
  /** Of another moment than now there is no report to compare. */
  differences: z.object({ main: ScreenDifference.nullable(), secondary: ScreenDifference.nullable() }),
  screens: z.object({ main: z.array(ProgrammeEntry), secondary: z.array(ProgrammeEntry) }),
});
export type DeviceProgramme = z.output<typeof DeviceProgramme>;

/** `name`: of the ad. */
export const RELEASE_SORTS = ['name', 'operator', 'releasedAt'] as const;

export const releases = routeTable({
  list: {
    method: 'GET',
    url: '/api/releases',
    access: 'user',
    summary: 'Releases in scope, newest first unless `sort` says otherwise',
    query: PageQuery.extend({
      ad: Id.optional(),
      device: Id.optional(),
      owner: Id.optional(),
      /** Releases that are standing on this group. */
      group: Id.optional(),
      /** Part of the ad's name. */
      q: z.string().trim().max(100).optional(),
      active: QueryFlag.optional(),
      /** Requests of customers instead of releases; of the filters above `ad`, `owner` and `q` count. */
      approval: ApprovalState.optional(),
      /**
       * Of requests: whether it was rejected within the last `REJECTED_DAYS` days and its ad was neither requested nor
       * released again since.
       */
      open: QueryFlag.optional(),
      sort: sortOf(RELEASE_SORTS).optional(),
    }),
    response: pageOf(Release),
  },
  get: {
    method: 'GET',
    url: '/api/releases/:id',
    access: 'user',
    summary: 'One release with its totals',
    params: IdParams,
    response: Release,
  },
  listDevices: {
    method: 'GET',
    url: '/api/releases/:id/devices',
    access: 'user',
    summary: 'The devices of a release, each with its state',
    params: IdParams,
    query: PageQuery.extend({ state: ReleaseState.optional() }),
    response: pageOf(ReleaseDevice),
  },
  withdraw: {
    method: 'POST',
    onFullDisk: true,
    url: '/api/releases/:id/withdraw',
    access: 'user',
    summary: 'Withdraw a release; what played before resumes',
    params: IdParams,
    response: Release,
  },
  reject: {
    method: 'POST',
    url: '/api/releases/:id/reject',
    access: 'leading',
    summary: 'Reject a release that a customer requested, with a remark for the customer',
    params: IdParams,
    body: z.object({ remark: Remark }),
    errors: ['NOT_APPROVABLE', 'CHANGED_MEANWHILE'],
    response: Release,
  },
  restore: {
    method: 'POST',
    url: '/api/releases/:id/restore',
    access: 'user',
    summary:
      'Undo a withdrawal of the caller within a minute; devices that were handed over meanwhile are left out. A request that waits for approval is taken back',
    errors: ['UNDO_OVER'],
    params: IdParams,
    response: Release,
  },
  pause: {
    method: 'POST',
    url: '/api/releases/:id/pause',
    access: 'user',
    summary: 'Pause a rollout: no further step begins until it is resumed',
    params: IdParams,
    response: Release,
  },
  resume: {
    method: 'POST',
    url: '/api/releases/:id/go-on',
    access: 'user',
    summary: 'Resume a paused rollout; otherwise begin the step after `stage` now, regardless of the required shares',
    params: IdParams,
    body: z.object({ stage: z.number().int().min(0).max(STAGES_MAX) }),
    response: Release,
  },
  retry: {
    method: 'POST',
    url: '/api/releases/:id/retry',
    access: 'user',
    summary: 'Retry failed devices: all of them, or the given ones',
    params: IdParams,
    body: z.object({ ids: z.array(Id).max(RETRY_DEVICES_MAX).optional() }),
    response: Release,
  },
  programme: {
    method: 'GET',
    url: '/api/devices/:id/programme',
    access: 'user',
    summary: 'What a device shows at a given moment, past or future (default: now), and why',
    params: IdParams,
    query: z.object({ at: GivenOffsetTime.optional() }),
    response: DeviceProgramme,
  },
  ...calendarRoutes,
});
