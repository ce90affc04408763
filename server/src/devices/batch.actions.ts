import { extendedExpiry, LEADING_ACTIONS, numberedName, TAGS_MAX, changedTags } from '@ams/contract';
import { levelsIn } from './levels.ts';
import { requireActor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { isAsSeen } from '../platform/database/seen.ts';
import type { HeldBatch, Turn, Turned } from './batch.queries.ts';
import {
  changeSettings,
  clearDevices,
  deleteDevices,
  giveDevices,
  type Operator,
  restartDevices,
  zoneSettings,
} from './change.service.ts';
import type { BatchTask, Settings } from './devices.tables.ts';
import type { DeviceLinks } from './links.ts';
import { undoTurns } from './undo.service.ts';

/** Does what was ordered, as far as the operator may order it now; devices that are not in scope stay as they were. */
export async function carryOut(
  trx: Db,
  links: DeviceLinks,
  { task, operator: ordered, total }: HeldBatch,
  turns: Turn[],
): Promise<Turned[]> {
  const ordering = task.action === 'undo' ? task.of : task.action;
  const operator = await requireActor(trx, ordered.id, {
    ...(LEADING_ACTIONS.has(ordering) && { role: 'leading' }),
    ...(task.action === 'reassign' && { owners: [task.ownerId] }),
  });
  const turned = await turn(trx, links, operator, task, turns, total);
  const known = new Set(turned.map(({ id }) => id));
  return [...turned, ...turns.flatMap(({ id }) => (known.has(id) ? [] : [{ id, error: 'NOT_FOUND' as const }]))];
}

/** The results for the devices in scope. */
async function turn(
  trx: Db,
  links: DeviceLinks,
  operator: Operator,
  task: BatchTask,
  turns: Turn[],
  total: number,
): Promise<Turned[]> {
  const ids = turns.map(({ id }) => id);
  const change = (settings: Parameters<typeof changeSettings>[4]): Promise<Turned[]> =>
    changeSettings(trx, links, operator, ids, settings);
  switch (task.action) {
    case 'reassign':
      return (await giveDevices(trx, links, operator, ids, task.ownerId)).map(({ id, formerOwnerId, withdrawn }) => ({
        id,
        before: { ownerId: formerOwnerId },
        after: { ownerId: task.ownerId },
        withdrawn,
      }));
    case 'expire':
      return change(() => ({ expiresOn: task.date }));
    case 'extend':
      return change(({ expiresOn, timeZone }) => ({
        expiresOn: extendedExpiry(expiresOn, task.months, timeZone, Date.now()),
      }));
    case 'timeZone':
      return change((device) => zoneSettings(task.timeZone, device));
    case 'rename':
      return change(namesOf(task.name, turns, total));
    case 'tag':
      return tag(trx, links, operator, ids, task);
    case 'hours':
      return setHours(trx, links, operator, ids, task);
    case 'levels':
      return change(() => levelsIn(task));
    case 'clear':
      return clearDevices(trx, links, operator, ids);
    case 'restart':
      return (await restartDevices(trx, operator, ids)).map((id) => ({ id }));
    case 'delete':
      return (await deleteDevices(trx, links, operator, ids)).map(({ id }) => ({ id }));
    case 'undo':
      return undoTurns(trx, links, operator, turns, task.batch);
  }
}

/** Adds and removes tags; a device that would have too many stays as it is (`TOO_MANY_TAGS`). */
async function tag(
  trx: Db,
  links: DeviceLinks,
  operator: Operator,
  ids: string[],
  { add = [], remove = [] }: Extract<BatchTask, { action: 'tag' }>,
): Promise<Turned[]> {
  const full = new Set<string>();
  const turned = await changeSettings(trx, links, operator, ids, ({ id, tags: before }) => {
    const tags = changedTags(before, add, remove);
    if (tags.length > TAGS_MAX) full.add(id);
    return full.has(id) || tags.join() === before.join() ? {} : { tags };
  });
  return turned.map((each) => (full.has(each.id) ? { id: each.id, error: 'TOO_MANY_TAGS' } : each));
}

/** Sets working hours; a device that has neither these nor those that were seen stays as it is (`CHANGED_MEANWHILE`). */
async function setHours(
  trx: Db,
  links: DeviceLinks,
  operator: Operator,
  ids: string[],
  { workingHours, seen }: Extract<BatchTask, { action: 'hours' }>,
): Promise<Turned[]> {
  const others = new Set<string>();
  const turned = await changeSettings(trx, links, operator, ids, (device) => {
    if (!isAsSeen(device.workingHours, { seen, next: workingHours })) others.add(device.id);
    return others.has(device.id) ? {} : { workingHours };
  });
  return turned.map((each) => (others.has(each.id) ? { id: each.id, error: 'CHANGED_MEANWHILE' } : each));
}

/** The name of each device by its place. */
function namesOf(name: string, turns: Turn[], total: number) {
  const names = new Map(turns.map(({ id, place }) => [id, numberedName(name, place, total)]));
  return ({ id }: { id: string }): Partial<Settings> => ({ name: names.get(id) ?? name });
}
