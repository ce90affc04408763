import {
  AppError,
  type BatchBody,
  type BatchOrder,
  type DeviceBatch,
  type ErrorName,
  LEADING_ACTIONS,
} from '@ams/contract';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { ownerInScope, requireActor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { addJob } from '../platform/jobs/jobs.ts';
import {
  findBatch,
  type HeldBatch,
  holdBatch,
  insertMatching,
  insertNamed,
  nextDevices,
  noteStep,
} from './batch.queries.ts';
import { updateDevices, clearDevices, type Operator, deleteDevices, restartDevices } from './change.service.ts';
import { matches } from './devices.service.ts';
import type { DeviceLinks } from './links.ts';

/** Devices per transaction: enough to be fast, few enough to block nobody for long. */
const DEVICES_A_STEP = 1000;
/** A batch that takes longer than this continues as a job after its call was answered. */
const ANSWER_WITHIN_MS = 2500;
/** Time after which a job yields to others and is queued again. */
const JOB_TURN_MS = 5000;
const TRIES = 3;

type Batching = Pick<Deps, 'db' | 'log'> & { links: DeviceLinks };

const jobKey = (id: string): string => `devices_batch ${id}`;

/** Queues a batch behind waiting jobs; repeated calls queue it once. */
export const queueBatch = (db: Db, id: string): Promise<void> =>
  addJob(db, 'devices_batch', { id }, { key: jobKey(id) });

/** Runs an operation on the selected devices; a long one continues as a job. */
export async function startBatch(deps: Batching, viewer: Viewer, body: BatchBody): Promise<DeviceBatch> {
  const { ids, filter, ...order } = body;
  const until = performance.now() + ANSWER_WITHIN_MS;
  if (viewer.role !== 'leading' && LEADING_ACTIONS.has(order.action)) throw new AppError('LEADING_ONLY');
  if (order.action === 'reassign') await ownerInScope(deps.db, viewer, order.ownerId);
  const id = await deps.db
    .transaction()
    .execute((trx) =>
      ids
        ? insertNamed(trx, viewer, order, [...new Set(ids.map((each) => each.toLowerCase()))])
        : insertMatching(trx, viewer, order, matches(viewer, filter ?? {})),
    );
  if (!(await workOn(deps, id, until))) await queueBatch(deps.db, id);
  const { done, failed, job } = await getBatch(deps.db, viewer, id);
  return job.state === 'done' ? { done, failed } : { done, failed, job };
}

export async function getBatch(db: Db, viewer: Viewer, id: string): Promise<Required<DeviceBatch>> {
  const found = await findBatch(db, viewer, id);
  if (!found) throw new AppError('NOT_FOUND');
  return { done: found.job.done, failed: found.failed, job: found.job };
}

/** Processes a part of a batch; queued again if work remains. */
export async function continueBatch(deps: Batching, id: string, stopping: AbortSignal): Promise<void> {
  if (!(await workOn(deps, id, performance.now() + JOB_TURN_MS, stopping))) await queueBatch(deps.db, id);
}

/** Goes on with a batch for a while, step by step; true when there is nothing left to do for it. */
async function workOn(deps: Batching, id: string, until: number, stopping?: AbortSignal): Promise<boolean> {
  while (await step(deps, id)) {
    if (performance.now() >= until || stopping?.aborted) return false;
  }
  return true;
}

type Outcome = Parameters<typeof noteStep>[3];

/** One step in one transaction: a device has its turn once, whoever dies. False when nothing is left for us. */
async function step(deps: Batching, id: string): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await takeTurns(deps.db, id, (trx, batch, ids) => act(trx, deps.links, batch, ids));
    } catch (error) {
      if (error instanceof AppError) return refuse(deps.db, id, error.error);
      deps.log.warn({ err: error, batch: id, tries }, 'step of a batch failed');
      // The others shall have their turn all the same.
      if (tries === TRIES) return refuse(deps.db, id, 'INTERNAL');
    }
  }
}

const refuse = (db: Db, id: string, error: ErrorName): Promise<boolean> =>
  takeTurns(db, id, async (_trx, _batch, ids) => ({ ids, error }));

const takeTurns = (
  db: Db,
  id: string,
  doIt: (trx: Db, batch: HeldBatch, ids: string[]) => Promise<Outcome>,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const batch = await holdBatch(trx, id);
    if (!batch) return false;
    const ids = await nextDevices(trx, batch, DEVICES_A_STEP);
    const failed = await doIt(trx, batch, ids);
    await noteStep(trx, batch, ids.length, failed);
    const finished = batch.reached + ids.length >= batch.total;
    if (finished) await noteInAudit(trx, batch, batch.total - batch.failed - failed.ids.length);
    return !finished;
  });

/** Does what was ordered, as far as the operator may order it now; devices that are not in scope stay as they were. */
async function act(
  trx: Db,
  links: DeviceLinks,
  { task, operator: ordered }: HeldBatch,
  ids: string[],
): Promise<Outcome> {
  const operator = await requireActor(trx, ordered.id, {
    ...(LEADING_ACTIONS.has(task.action) && { role: 'leading' }),
    ...(task.action === 'reassign' && { owners: [task.ownerId] }),
  });
  const changed = new Set(await carryOut(trx, links, operator, ids, task));
  return { ids: ids.filter((id) => !changed.has(id)), error: 'NOT_FOUND' };
}

async function carryOut(
  trx: Db,
  links: DeviceLinks,
  operator: Operator,
  ids: string[],
  task: BatchOrder,
): Promise<string[]> {
  switch (task.action) {
    case 'reassign':
      return updateDevices(trx, links, operator, ids, { ownerId: task.ownerId });
    case 'expire':
      return updateDevices(trx, links, operator, ids, { expiresAt: task.date });
    case 'clear':
      return clearDevices(trx, links, operator, ids);
    case 'restart':
      return restartDevices(trx, operator, ids);
    case 'delete':
      return (await deleteDevices(trx, operator, ids)).map((device) => device.id);
  }
}

/** One line a batch, however many devices it changed. */
async function noteInAudit(trx: Db, { task, operator }: HeldBatch, count: number): Promise<void> {
  if (count === 0) return;
  const details = {
    action: task.action,
    devices: count,
    ...(task.action === 'expire' && { expiresAt: task.date }),
    ...(task.action === 'reassign' && { owner: await nameOf(trx, task.ownerId) }),
  };
  await audit(trx, operator, { action: `devices.batch.${task.action}`, details });
}

const nameOf = async (trx: Db, userId: string): Promise<string | undefined> =>
  (await trx.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst())?.username;
