import {
  AppError,
  type BatchBody,
  type BatchJob,
  type DeviceBatch,
  type ErrorName,
  LEADING_ACTIONS,
} from '@ams/contract';
import { sql } from 'kysely';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { holdUsers, ownerInScope } from '../platform/auth/authority.ts';
import { isDatabaseAway } from '../platform/database/away.ts';
import { collisionOf, type Db, waitAtMost } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { addJob } from '../platform/jobs/jobs.ts';
import { carryOut } from './batch.actions.ts';
import { previewBatch, requireNumbered } from './batch.preview.ts';
import {
  type BegunBatch,
  changesOf,
  findBatch,
  type HeldBatch,
  holdBatch,
  insertChanged,
  insertMatching,
  insertNamed,
  markUndone,
  nextDevices,
  noteStep,
  type Turn,
  type Turned,
} from './batch.queries.ts';
import { matches, resolveFilter } from './devices.service.ts';
import { levelsIn } from './levels.ts';
import type { DeviceLinks } from './links.ts';
import { requireZone } from './zone-names.ts';

export { clearedByOthers, undoableReleases } from './batch.queries.ts';

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

/**
 * Runs an operation on the selected devices; a long one continues as a job. A dry run only lists the changes.
 * @throws `CHANGED_MEANWHILE` when they are more than expected
 */
export async function startBatch(deps: Batching, viewer: Viewer, body: BatchBody): Promise<DeviceBatch> {
  const { ids, filter, group, expected = Infinity, dryRun, ...given } = body;
  const until = performance.now() + ANSWER_WITHIN_MS;
  if (viewer.role !== 'leading' && LEADING_ACTIONS.has(given.action)) throw new AppError('LEADING_ONLY');
  const zone = given.action === 'timeZone' ? given.timeZone : null;
  const order = zone === null ? given : { action: 'timeZone' as const, timeZone: await requireZone(deps.db, zone) };
  if (order.action === 'reassign') await ownerInScope(deps.db, viewer, order.ownerId);
  const named = ids && [...new Set(ids)];
  const resolved = await resolveFilter(deps.db, viewer, group === undefined ? (filter ?? {}) : { group });
  if (dryRun) return previewBatch(deps.db, viewer, named ? { ids: named } : { filter: resolved }, order);
  const begun = await deps.db.transaction().execute(async (trx) => {
    const batch = await (named
      ? insertNamed(trx, viewer, order, named)
      : insertMatching(trx, viewer, order, matches(viewer, resolved)));
    if (batch.total > expected) throw new AppError('CHANGED_MEANWHILE');
    if (order.action === 'rename') requireNumbered(order.name, batch.total);
    return batch;
  });
  return answerWithin(deps, viewer, begun, until);
}

/**
 * Undoes a batch of the viewer, as a batch of its own.
 * @throws `UNDO_OVER`
 */
export async function undoBatch(deps: Batching, viewer: Viewer, undone: string): Promise<DeviceBatch> {
  const until = performance.now() + ANSWER_WITHIN_MS;
  const begun = await deps.db.transaction().execute(async (trx) => {
    await holdUsers(trx, sql`select ${viewer.id}::uuid`);
    const order = await markUndone(trx, viewer.person, undone);
    if (!order) throw new AppError('UNDO_OVER');
    return insertChanged(trx, viewer, { action: 'undo', of: order.action, batch: undone }, undone);
  });
  return answerWithin(deps, viewer, begun, until);
}

/**
 * Works on a batch until a point in time, and leaves the rest to a job. The batch is stored: if the database is away now, the
 * answer says that it runs, because a client that is refused would start it again.
 */
async function answerWithin(deps: Batching, viewer: Viewer, begun: BegunBatch, until: number): Promise<DeviceBatch> {
  const { id } = begun;
  const isDone = await unlessAway(workOn(deps, id, until), false);
  const answer = async (): Promise<DeviceBatch> => {
    if (!isDone) await queueBatch(deps.db, id);
    const { job, ...result } = await getBatch(deps.db, viewer, id);
    return job.state === 'done' ? result : { ...result, job };
  };
  const job: BatchJob = { ...begun, state: 'running', done: 0, failed: 0 };
  return unlessAway(answer(), { done: 0, failed: [], job });
}

const unlessAway = <T>(work: Promise<T>, instead: T): Promise<T> =>
  work.catch((error: unknown) => {
    if (isDatabaseAway(error)) return instead;
    throw error;
  });

export async function getBatch(db: Db, viewer: Viewer, id: string): Promise<DeviceBatch & { job: BatchJob }> {
  const found = await findBatch(db, viewer, id);
  if (!found) throw new AppError('NOT_FOUND');
  return { done: found.job.done, failed: found.failed, job: found.job, ...(found.canUndo && { undo: id }) };
}

/** Processes a part of a batch; queued again if work remains. */
export async function continueBatch(deps: Batching, id: string, stopping: AbortSignal): Promise<void> {
  if (!(await workOn(deps, id, performance.now() + JOB_TURN_MS, stopping))) await queueBatch(deps.db, id);
}

/** Goes on with a batch for a while, step by step; true when there is nothing left to do for it. */
async function workOn(deps: Batching, id: string, until: number, stopping?: AbortSignal): Promise<boolean> {
  while (await step(deps, id, until)) {
    if (performance.now() >= until || stopping?.aborted) return false;
  }
  return true;
}

/**
 * One step in one transaction: a device has its turn once, whoever dies. False when nothing is left for us. A device that
 * somebody else changes is waited for until the given point in time; the step is then left for later.
 */
async function step(deps: Batching, id: string, until: number): Promise<boolean> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await takeTurns(deps.db, id, async (trx, batch, turns) => {
        await waitAtMost(trx, until - performance.now());
        return carryOut(trx, deps.links, batch, turns);
      });
    } catch (error) {
      if (collisionOf(error) === 'locked') return true;
      // No fault of the devices: the step was undone, and its turn comes again.
      if (isDatabaseAway(error)) throw error;
      if (error instanceof AppError) return refuse(deps.db, id, error.error);
      deps.log.warn({ err: error, batch: id, tries }, 'step of a batch failed');
      // The others shall have their turn all the same.
      if (tries === TRIES) return refuse(deps.db, id, 'INTERNAL');
    }
  }
}

const refuse = (db: Db, id: string, error: ErrorName): Promise<boolean> =>
  takeTurns(db, id, async (_trx, _batch, turns) => turns.map((turn) => ({ id: turn.id, error })));

const takeTurns = (
  db: Db,
  id: string,
  doIt: (trx: Db, batch: HeldBatch, turns: Turn[]) => Promise<Turned[]>,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    // Its user is deleted with its batches: people are held before batches.
    await holdUsers(trx, sql`select operator_id from batches where id = ${id}`);
    const batch = await holdBatch(trx, id);
    if (!batch) return false;
    const turns = await nextDevices(trx, batch, DEVICES_A_STEP);
    const turned = await doIt(trx, batch, turns);
    await noteStep(trx, batch, turns.length, turned);
    const finished = batch.reached + turns.length >= batch.total;
    const failed = turned.filter(({ error }) => error !== undefined).length;
    if (finished) await noteInAudit(trx, batch, batch.total - batch.failed - failed);
    return !finished;
  });

/** One line a batch, however many devices it changed, with the old and the new values. */
async function noteInAudit(trx: Db, { id, task, operator }: HeldBatch, count: number): Promise<void> {
  if (count === 0) return;
  const details = {
    action: task.action,
    devices: count,
    ...(task.action === 'undo' && { of: task.of }),
    ...(task.action === 'expire' && { expiresAt: task.date }),
    ...(task.action === 'extend' && { months: task.months }),
    ...(task.action === 'timeZone' && { timeZone: task.timeZone }),
    ...(task.action === 'rename' && { name: task.name }),
    ...(task.action === 'tag' && { add: task.add, remove: task.remove }),
    ...(task.action === 'hours' && { workingHours: task.workingHours }),
    ...(task.action === 'levels' && levelsIn(task)),
    ...(task.action === 'reassign' && { owner: await nameOf(trx, task.ownerId) }),
    changes: await changesOf(trx, id, task.action === 'undo'),
  };
  await audit(trx, operator, {
    action: `devices.batch.${task.action}`,
    ...(await onlyDevice(trx, id, count)),
    details,
  });
}

/** The device of a batch of one, as its target. */
async function onlyDevice(trx: Db, id: string, count: number): Promise<{ targetId?: string; target?: string }> {
  if (count > 1) return {};
  const [device] = await trx
    .selectFrom('batch_devices')
    .select(['device_id', 'mac'])
    .where('batch_id', '=', id)
    .where('error', 'is', null)
    .execute();
  return device ? { targetId: device.device_id, ...(device.mac !== null && { target: device.mac }) } : {};
}

const nameOf = async (trx: Db, userId: string): Promise<string | undefined> =>
  (await trx.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst())?.username;
