import { z } from 'zod';
import { DEVICE_NAME_MAX, DeviceIds, DeviceName, ExpiryDate } from './devices.ts';
import { GivenLevels, LEVEL_KEYS, ShownHours, WorkingHours } from './hours.ts';
import { BatchResult } from './kernel/page.ts';
import { Id, IdParams, routeTable } from './kernel/route.ts';
import { TimeZone } from './player.ts';
import { DeviceFilter } from './rules/filter.ts';
import { Tags } from './rules/tags.ts';

/** Failures that an answer lists; `job.failed` counts all of them. */
export const BATCH_FAILURES_MAX = 1000;
/** Kinds of change that a preview and the audit list; the most frequent come first. */
export const BATCH_CHANGES_MAX = 50;
export const EXTEND_MONTHS_MAX = 120;
/** Time in which a finished batch can be undone. The web app offers it for 10 s. */
export const UNDO_SECONDS = 60;
/** Placeholder in the name of a batch for the position of the device. */
export const NAME_NUMBER = '{n}';

/** The name of the device at a place, from 1 on, of `total`: its number has as many digits as the last one. */
export const numberedName = (name: string, place: number, total: number): string =>
  name.replaceAll(NAME_NUMBER, String(place).padStart(String(total).length, '0'));

/** Whether the numbered names of `total` devices have the length of a name: all of them are equally long. */
export const fitsNumbered = (name: string, total: number): boolean =>
  numberedName(name, total, total).length <= DEVICE_NAME_MAX;

/** Devices by id, all in scope that a filter of the device list shows, or those of a group. */
const Chosen = {
  ids: DeviceIds.optional(),
  filter: DeviceFilter.optional(),
  group: Id.optional(),
  /** How many devices the person saw: when there are more by then, `CHANGED_MEANWHILE`, and none is changed. */
  expected: z.number().int().min(0).optional(),
  /** Answers what would change, and changes nothing. */
  dryRun: z.boolean().optional(),
};

/** Operation on each device. */
export const BatchOrder = z.discriminatedUnion('action', [
  z.object({ action: z.literal('reassign'), ownerId: Id }),
  /** The same date for all; null: they never expire. */
  z.object({ action: z.literal('expire'), date: ExpiryDate.nullable() }),
  /** Each device from its own date, or from today when that is past; one that never expires stays so. */
  z.object({ action: z.literal('extend'), months: z.number().int().min(1).max(EXTEND_MONTHS_MAX) }),
  /** Null: each device's own, as its player reports it. */
  z.object({ action: z.literal('timeZone'), timeZone: TimeZone.nullable() }),
  z.object({ action: z.literal('rename'), name: DeviceName }),
  /** A tag that is added and removed at once is added. */
  z
    .object({ action: z.literal('tag'), add: Tags.optional(), remove: Tags.optional() })
    .refine(({ add, remove }) => (add?.length ?? 0) + (remove?.length ?? 0) > 0, {
      path: ['add'],
      error: 'tag.choice',
    }),
  /** Null: the default of its owner. A device that has neither these nor the hours that were `seen` stays as it is. */
  z.object({
    action: z.literal('hours'),
    workingHours: WorkingHours.nullable(),
    seen: ShownHours.nullable().optional(),
  }),
  /** What is left out stays as it is. */
  z
    .object({ action: z.literal('levels'), ...GivenLevels })
    .refine((order) => LEVEL_KEYS.some((key) => order[key] !== undefined), { path: ['volume'], error: 'level.choice' }),
  z.object({ action: z.literal('clear') }),
  z.object({ action: z.literal('restart') }),
  z.object({ action: z.literal('delete') }),
]);
export type BatchOrder = z.output<typeof BatchOrder>;
export type OrderAction = BatchOrder['action'];

export const BatchAction = z.enum([
  'reassign',
  'expire',
  'extend',
  'timeZone',
  'rename',
  'tag',
  'hours',
  'levels',
  'clear',
  'restart',
  'delete',
  'undo',
] as const satisfies readonly (OrderAction | 'undo')[]);
export type BatchAction = z.output<typeof BatchAction>;

/** Actions for leading users, as for a single device's owner, expiry and time zone. */
export const LEADING_ACTIONS: ReadonlySet<OrderAction> = new Set([
  'reassign',
  'expire',
  'extend',
  'timeZone',
  'delete',
]);

const isGiven = (value: unknown): boolean => value !== undefined;

export const BatchBody = z.intersection(
  z.object(Chosen).refine((chosen) => [chosen.ids, chosen.filter, chosen.group].filter(isGiven).length === 1, {
    path: ['ids'],
    error: 'batch.choice',
  }),
  BatchOrder,
);
export type BatchBody = z.output<typeof BatchBody>;

/** Progress of a batch. It continues without this page and after restarts. */
export const BatchJob = z.object({
  id: z.uuid(),
  action: BatchAction,
  state: z.enum(['running', 'done']),
  done: z.number().int(),
  failed: z.number().int(),
  total: z.number().int(),
});
export type BatchJob = z.output<typeof BatchJob>;

/** A device that a batch left as it was. Name and MAC only of devices that were in scope when it began. */
const FailedDevice = BatchResult.shape.failed.element.extend({
  mac: z.string().optional(),
  name: z.string().optional(),
});
export type FailedDevice = z.output<typeof FailedDevice>;

/**
 * Devices whose value is changed in the same way: an expiry date, a time zone, a username, tags, a name (of a device
 * without one, its MAC), the ads released to it, or working hours or levels as JSON. Null: it never expires, has the default
 * hours, or nothing is released to it.
 */
export const BatchChange = z.object({
  from: z.string().nullable(),
  to: z.string().nullable(),
  devices: z.number().int(),
});
export type BatchChange = z.output<typeof BatchChange>;

/** The effect of a batch. `earlier` counts devices that would expire earlier than they do now. */
export const BatchPreview = z.object({
  changes: z.array(BatchChange),
  unchanged: z.number().int(),
  earlier: z.number().int(),
});
export type BatchPreview = z.output<typeof BatchPreview>;

/**
 * `job` is there for a batch that was not finished within the answer, `undo` for one that can be undone, `preview` for a
 * dry run.
 */
export const DeviceBatch = BatchResult.extend({
  failed: z.array(FailedDevice),
  job: BatchJob.optional(),
  undo: z.uuid().optional(),
  preview: BatchPreview.optional(),
});
export type DeviceBatch = z.output<typeof DeviceBatch>;

/** Work on many devices at once. */
export const batches = routeTable({
  start: {
    method: 'POST',
    url: '/api/devices/batch',
    access: 'user',
    summary: 'Run an operation on many devices; a long one continues as a job',
    body: BatchBody,
    response: DeviceBatch,
  },
  undo: {
    method: 'POST',
    url: '/api/devices/undo',
    access: 'user',
    summary: 'Undo a batch of the caller within a minute; devices that were changed meanwhile stay as they are',
    errors: ['UNDO_OVER'],
    body: z.object({ undo: Id }),
    response: DeviceBatch,
  },
  get: {
    method: 'GET',
    url: '/api/batches/:id',
    access: 'user',
    summary: 'Progress of a batch, and the devices that it did not change, with reasons',
    params: IdParams,
    response: DeviceBatch.extend({ job: BatchJob }),
  },
});
