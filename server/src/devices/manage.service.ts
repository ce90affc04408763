import { AppError, type Device, PAIRING_TRIES, type PatchDeviceBody } from '@ams/contract';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { audit } from '../platform/audit.ts';
import type { Viewer } from '../platform/auth.ts';
import { actingAs } from '../platform/authority.ts';
import { type Db, isUniqueViolation } from '../platform/database.ts';
import type { Deps } from '../platform/deps.ts';
import { publish } from '../platform/events.ts';
import { ownerInScope } from '../users/users.service.ts';
import { changeDevices, clearDevices, removeDevices } from './change.service.ts';
import { findDevice } from './devices.queries.ts';
import { expiryColumns, tellOperators, trialEnd } from './devices.service.ts';

export type Managing = Pick<Deps, 'db' | 'signer' | 'config'>;

export async function getDevice(deps: Managing, viewer: Viewer, id: string, db: Db = deps.db): Promise<Device> {
  const device = await findDevice(db, viewer, deps.signer, id);
  if (!device) throw new AppError('NOT_FOUND');
  return device;
}

interface NewDevice {
  mac: string;
  name: string;
  ownerId: string;
  timeZone: string;
}

async function insertDevice(deps: Managing, trx: Db, viewer: Viewer, device: NewDevice): Promise<string> {
  const id = uuidv7();
  await trx
    .insertInto('devices')
    .values({
      id,
      mac: device.mac,
      name: device.name,
      owner_id: device.ownerId,
      operator_id: viewer.id,
      time_zone: device.timeZone,
      ...expiryColumns(trialEnd(deps.config, device.timeZone), device.timeZone),
    })
    .execute();
  return id;
}

/** Notes what was done to a machine, by its MAC and what it was called. */
const auditDevice = (
  trx: Db,
  viewer: Viewer,
  action: string,
  { id, mac, name }: Pick<Device, 'id' | 'mac' | 'name'>,
): Promise<void> => audit(trx, viewer, { action, targetId: id, target: mac, details: { name } });

/** Adds a machine by its MAC, to be paired later. */
export async function addDevice(
  deps: Managing,
  viewer: Viewer,
  body: { mac: string; name?: string | undefined; ownerId?: string | undefined },
): Promise<Device> {
  const ownerId = await ownerInScope(deps.db, viewer, body.ownerId);
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const id = await insertDevice(deps, trx, viewer, {
        mac: body.mac,
        name: body.name ?? '',
        ownerId,
        timeZone: 'UTC',
      });
      const device = await getDevice(deps, viewer, id, trx);
      await auditDevice(trx, viewer, 'devices.create', device);
      await tellOperators(trx, [{ id, owner_id: ownerId }]);
      return device;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('MAC_TAKEN');
    throw error;
  }
}

/** Pairs the machine that shows this code; who pairs a new one owns it or names an owner in scope. */
export async function pairDevice(
  deps: Managing,
  viewer: Viewer,
  body: { mac: string; code: string; ownerId?: string | undefined; name?: string | undefined },
): Promise<Device> {
  const ownerId = await ownerInScope(deps.db, viewer, body.ownerId);
  const device = await deps.db.transaction().execute(async (trx) => {
    const pairing = await takePairing(trx, viewer, body.mac, body.code);
    if (!pairing) return undefined;
    const known = await trx
      .selectFrom('devices')
      .select('id')
      .where('mac', '=', body.mac)
      .forUpdate()
      .executeTakeFirst();
    const inReach = known && (await findDevice(trx, viewer, deps.signer, known.id));
    if (pairing.used_by !== null && known) {
      // The same person once more: its first answer was lost on the way.
      if (inReach && pairing.used_by === viewer.id) return inReach;
      throw tooLate(inReach);
    }
    if (pairing.used_by !== null) return undefined;
    if (known && !inReach) throw new AppError('DEVICE_OWNED');
    const id =
      known?.id ??
      (await insertDevice(deps, trx, viewer, {
        mac: body.mac,
        name: body.name ?? '',
        ownerId,
        timeZone: pairing.time_zone,
      }));
    await trx
      .updateTable('devices')
      .set({
        secret_hash: pairing.secret_hash,
        paired_at: new Date(),
        screens: JSON.stringify(pairing.screens),
        player_version: pairing.player_version,
        player_kind: pairing.player_kind,
        operator_id: viewer.id,
        revision: sql<number>`revision + 1`,
        ...(known && body.name && { name: body.name }),
      })
      .where('id', '=', id)
      .execute();
    // A machine that held this MAC before is no longer this device.
    await publish(trx, { topic: 'command', ids: [id], command: 'goodbye' });
    const paired = await getDevice(deps, viewer, id, trx);
    await auditDevice(trx, viewer, 'devices.pair', paired);
    await tellOperators(trx, [{ id, owner_id: paired.owner.id }]);
    return paired;
  });
  if (!device) {
    await countWrongCode(deps.db, body.mac);
    throw new AppError('BAD_PAIRING_CODE');
  }
  return device;
}

/** The waiting machine with this MAC and code; its code is used up, its namesakes go off the waiting list. */
async function takePairing(trx: Db, viewer: Viewer, mac: string, code: string) {
  const waiting = await trx.selectFrom('pairings').selectAll().where('mac', '=', mac).forUpdate().execute();
  const pairing = waiting.find(
    (row) => row.code === code && row.expires_at.getTime() > Date.now() && row.tries < PAIRING_TRIES,
  );
  if (!pairing || pairing.used_by !== null) return pairing;
  const mine = sql<boolean>`secret_hash = ${pairing.secret_hash}`;
  await trx
    .deleteFrom('pairings')
    .where('mac', '=', mac)
    .where(sql<boolean>`not ${mine}`)
    .execute();
  await trx.updateTable('pairings').set({ used_by: viewer.id }).where('mac', '=', mac).where(mine).execute();
  return pairing;
}

/** Of two who pair a machine at once, one is second; whose it is now is told to those who may see it. */
function tooLate(paired: Device | undefined): AppError {
  return paired ? new AppError('DEVICE_PAIRED', { owner: paired.owner.username }) : new AppError('DEVICE_OWNED');
}

const countWrongCode = (db: Db, mac: string): Promise<unknown> =>
  db
    .updateTable('pairings')
    .set({ tries: sql<number>`tries + 1` })
    .where('mac', '=', mac)
    .where('used_by', 'is', null)
    .execute();

/** What a machine was before a change, for the audit. */
const noted = ({ name, owner, expiresAt, timeZone }: Device) => ({
  name,
  owner: owner.username,
  expiresAt,
  timeZone,
});

/** Renames; a leading user also changes owner, expiry and time zone. */
export async function patchDevice(deps: Managing, viewer: Viewer, id: string, body: PatchDeviceBody): Promise<Device> {
  const { name, ownerId, expiresAt, timeZone } = body;
  if (viewer.role !== 'leading' && [ownerId, expiresAt, timeZone].some((value) => value !== undefined)) {
    throw new AppError('LEADING_ONLY');
  }
  return actingAs(deps.db, viewer, { owners: ownerId === undefined ? [] : [ownerId] }, async (trx, actor) => {
    const before = await getDevice(deps, actor, id, trx);
    await changeDevices(trx, actor, [id], { name, ownerId, expiresAt, timeZone });
    const after = await getDevice(deps, actor, id, trx);
    const details = { ...body, ...(ownerId !== undefined && { owner: after.owner.username }), before: noted(before) };
    await audit(trx, viewer, { action: 'devices.change', targetId: id, target: before.mac, details });
    return after;
  });
}

/** Deletes a machine; its channel closes and it shows its pairing page again. */
export async function deleteDevice(deps: Managing, viewer: Viewer, id: string): Promise<void> {
  await deps.db.transaction().execute(async (trx) => {
    const [gone] = await removeDevices(trx, viewer, [id]);
    if (!gone) throw new AppError('NOT_FOUND');
    await auditDevice(trx, viewer, 'devices.delete', gone);
  });
}

/** Takes back all that plays on a machine and has it drop its files. */
export async function clearDevice(deps: Managing, viewer: Viewer, id: string): Promise<void> {
  const device = await getDevice(deps, viewer, id);
  await deps.db.transaction().execute(async (trx) => {
    const cleared = await clearDevices(trx, viewer, [id]);
    if (cleared.length === 0) throw new AppError('NOT_FOUND');
    await auditDevice(trx, viewer, 'devices.clear', device);
  });
}
