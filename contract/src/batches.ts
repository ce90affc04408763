import { z } from 'zod';
import { DeviceIds, ExpiryDate } from './devices.ts';
import { BatchResult } from './kernel/page.ts';
import { IdParams, routeTable } from './kernel/route.ts';
import { DeviceFilter } from './rules/filter.ts';

/** Failures that an answer lists; `job.failed` counts all of them. */
export const BATCH_FAILURES_MAX = 1000;

/** Devices by id, or all in scope that the filter of the device list shows. */
const Chosen = {
  ids: DeviceIds.optional(),
  // A misspelt filter must not select everything.
  filter: z.strictObject(DeviceFilter.shape).optional(),
};

/** Operation on each device. `date` null: it never expires. */
export const BatchOrder = z.discriminatedUnion('action', [
  z.object({ action: z.literal('reassign'), ownerId: z.uuid() }),
  z.object({ action: z.literal('expire'), date: ExpiryDate.nullable() }),
  z.object({ action: z.literal('clear') }),
  z.object({ action: z.literal('restart') }),
  z.object({ action: z.literal('delete') }),
]);
export type BatchOrder = z.output<typeof BatchOrder>;
export type BatchAction = BatchOrder['action'];

/** Actions for leading users, as for a single device's owner and expiry. */
export const LEADING_ACTIONS: ReadonlySet<BatchAction> = new Set(['reassign', 'expire', 'delete']);

export const BatchBody = z.intersection(
  z.object(Chosen).refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['ids'],
    error: 'batch.choice',
  }),
  BatchOrder,
);
export type BatchBody = z.output<typeof BatchBody>;

/** Progress of a batch. It continues without this page and after restarts. */
export const BatchJob = z.object({
  id: z.uuid(),
  action: z.enum(['reassign', 'expire', 'clear', 'restart', 'delete']),
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

/** `job` is there for a batch that was not finished within the answer. */
export const DeviceBatch = BatchResult.extend({ failed: z.array(FailedDevice), job: BatchJob.optional() });
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
  get: {
    method: 'GET',
    url: '/api/batches/:id',
    access: 'user',
    summary: 'Progress of a batch, and the devices that it did not change, with reasons',
    params: IdParams,
    response: DeviceBatch.extend({ job: BatchJob }),
  },
});
