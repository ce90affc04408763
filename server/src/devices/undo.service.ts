import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import { inScope, inScopeEach } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { clearedSince, type Turn, type Turned } from './batch.queries.ts';
import { changeSettings, giveDevices, type Operator, settingsLike } from './change.service.ts';
import { touchDevices } from './devices.service.ts';
import type { DeviceLinks } from './links.ts';

/**
 * Gives devices back what a batch changed. A device that somebody changed since then stays as it is, and one whose release
 * cannot return gets the others (`CHANGED_MEANWHILE`), none if somebody else cleared it; one that is not in scope is missing
 * in the answer.
 */
export async function undoTurns(
  trx: Db,
  links: DeviceLinks,
  operator: Operator,
  turns: Turn[],
  undone: string | undefined,
): Promise<Turned[]> {
  const moved = turns.filter(({ before }) => before?.ownerId !== undefined);
  const withdrawn = [...new Set(turns.flatMap((each) => each.withdrawn ?? []))];
  // Every change holds people, ads, standing releases, other releases and devices in this order.
  const owners = await usersInScope(trx, operator, [...new Set(moved.flatMap(({ before }) => before?.ownerId ?? []))]);
  const moving = sql`select unnest(${moved.map(({ id }) => id)}::uuid[])`;
  await links.lockAdsOn(trx, moving, withdrawn);
  await links.shareStanding(trx);
  await links.lockReleasesOn(trx, moving, withdrawn);
  const set = turns.filter(({ before }) => before !== null && before.ownerId === undefined);
  const emptied = turns.filter(({ before }) => before === null);
  const turned = [
    ...(await undoOwners(trx, links, operator, moved, owners)),
    ...(await undoSettings(trx, links, operator, set)),
    ...[...(await holdOwners(trx, operator, emptied)).keys()].map((id) => ({ id })),
  ];
  const back = new Set(turned.flatMap((each) => ('error' in each ? [] : [each.id])));
  const taken = turns.filter((each) => back.has(each.id) && each.withdrawn !== null);
  // Their devices are held: nobody clears one until the transaction ends.
  const ids = taken.map(({ id }) => id);
  const cleared = undone === undefined ? new Set<string>() : await clearedSince(trx, undone, ids);
  const returning = taken.filter(({ id }) => !cleared.has(id));
  const lacking = new Set([...cleared, ...(await restore(trx, links, operator, returning))]);
  return turned.map((each) => (lacking.has(each.id) ? changedMeanwhile(each.id) : each));
}

/** Owners of those devices that are in scope now; nobody changes them until the transaction ends. */
async function holdOwners(trx: Db, operator: Operator, turns: Turn[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; owner: string }>`
    select d.id, d.owner_id as owner from devices d
    where d.id = any(${turns.map(({ id }) => id)}::uuid[]) and ${inScopeEach(operator, sql`d.owner_id`)}
    order by d.id for update`.execute(trx);
  return new Map(rows.map(({ id, owner }) => [id, owner]));
}

/** Ids of those users among `ids` that are in scope; they stay until the transaction ends. */
async function usersInScope(trx: Db, operator: Operator, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where u.id = any(${ids}::uuid[]) and ${inScope(operator, sql`u.id`)}
    order by u.id for key share`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

/** `owners`: the former ones that are in scope. The caller holds them and `lockReleasesOn`. */
async function undoOwners(
  trx: Db,
  links: DeviceLinks,
  operator: Operator,
  moved: Turn[],
  owners: ReadonlySet<string>,
): Promise<Turned[]> {
  const groups = Map.groupBy(moved, ({ before }) => before?.ownerId ?? '');
  const now = await holdOwners(trx, operator, moved);
  const turned: Turned[] = [];
  for (const [former, group] of groups) {
    const found = group.filter(({ id }) => now.has(id));
    const isBack = ({ id, after }: Turn) => owners.has(former) && now.get(id) === after?.ownerId;
    const back = found.filter(isBack).map(({ id }) => id);
    if (back.length > 0) await giveDevices(trx, links, operator, back, former);
    turned.push(...found.map((each) => (isBack(each) ? { id: each.id } : changedMeanwhile(each.id))));
  }
  return turned;
}

const changedMeanwhile = (id: string): Turned => ({ id, error: 'CHANGED_MEANWHILE' });

async function undoSettings(trx: Db, links: DeviceLinks, operator: Operator, set: Turn[]): Promise<Turned[]> {
  const turns = new Map(set.map((each) => [each.id, each]));
  const foreign = new Set<string>();
  const found = await changeSettings(trx, links, operator, [...turns.keys()], (device) => {
    const { before, after } = turns.get(device.id) ?? {};
    if (before && after && isDeepStrictEqual(settingsLike(device, after), after)) return before;
    foreign.add(device.id);
    return {};
  });
  return found.map(({ id }) => (foreign.has(id) ? changedMeanwhile(id) : { id }));
}

/** Brings back the releases that the batch withdrew from these devices. Returns the devices that lack one. */
async function restore(trx: Db, links: DeviceLinks, operator: Operator, turns: Turn[]): Promise<Set<string>> {
  const taken = turns.flatMap(({ id, withdrawn }) =>
    (withdrawn ?? []).map((releaseId) => ({ releaseId, deviceId: id })),
  );
  if (taken.length === 0) return new Set();
  const lacking = await links.restoreReleases(trx, taken);
  const ids = [...new Set(taken.map(({ deviceId }) => deviceId))];
  await sql`delete from device_commands where device_id = any(${ids}::uuid[]) and command = 'clear'`.execute(trx);
  await touchDevices(trx, sql<boolean>`d.id = any(${ids}::uuid[])`, operator.id);
  await links.matchDevices(trx, ids);
  return lacking;
}
