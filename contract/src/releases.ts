import { z } from 'zod';
import { DeviceFilter } from './devices.ts';
import { PageQuery, QueryFlag, pageOf } from './kernel/page.ts';
import { IdParams, routeTable } from './kernel/route.ts';
import { Priority, Schedule, ScreenName } from './player.ts';
import { UserRef } from './users.ts';

export const RELEASE_DEVICES_MAX = 100_000;

/** Machines by id, or all in scope that a filter of the device list shows. */
export const DeviceChoice = z.union([
  z.object({ ids: z.array(z.uuid()).max(RELEASE_DEVICES_MAX) }),
  z.object({ filter: DeviceFilter }),
]);
export type DeviceChoice = z.output<typeof DeviceChoice>;

export const CreateReleaseBody = z.object({
  devices: DeviceChoice,
  /** Which screen of the machine; needed for an ad made for dual screens. */
  screen: ScreenName.nullish(),
  replace: z.boolean().default(true),
  priority: Priority.default('normal'),
  schedule: Schedule.nullish(),
});
export type CreateReleaseBody = z.input<typeof CreateReleaseBody>;

export const ReleaseState = z.enum(['waiting', 'downloading', 'done', 'failed']);
export type ReleaseState = z.output<typeof ReleaseState>;

export const Release = z.object({
  id: z.uuid(),
  ad: z.object({ id: z.uuid(), name: z.string() }),
  operator: UserRef.nullable(),
  screen: ScreenName.nullable(),
  replace: z.boolean(),
  priority: Priority,
  schedule: Schedule.nullable(),
  releasedAt: z.iso.datetime(),
  withdrawnAt: z.iso.datetime().nullable(),
  counts: z.object({
    total: z.number().int(),
    waiting: z.number().int(),
    downloading: z.number().int(),
    done: z.number().int(),
    failed: z.number().int(),
  }),
});
export type Release = z.output<typeof Release>;

/** One machine of a release. */
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

export const releases = routeTable({
  list: {
    method: 'GET',
    url: '/api/releases',
    access: 'user',
    summary: 'Releases in scope, newest first',
    query: PageQuery.extend({
      ad: z.uuid().optional(),
      device: z.uuid().optional(),
      active: QueryFlag.optional(),
    }),
    response: pageOf(Release),
  },
  get: {
    method: 'GET',
    url: '/api/releases/:id',
    access: 'user',
    summary: 'One release with its sums',
    params: IdParams,
    response: Release,
  },
  devices: {
    method: 'GET',
    url: '/api/releases/:id/devices',
    access: 'user',
    summary: 'The machines of a release, each with its state',
    params: IdParams,
    query: PageQuery.extend({ state: ReleaseState.optional() }),
    response: pageOf(ReleaseDevice),
  },
  withdraw: {
    method: 'POST',
    url: '/api/releases/:id/withdraw',
    access: 'user',
    summary: 'Take a release back; what played before comes back',
    params: IdParams,
    response: Release,
  },
});
