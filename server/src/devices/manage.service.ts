import { AppError, type AuditAction, type CreateDeviceBody, type Device, type UpdateDeviceBody } from '@ams/contract';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs } from '../platform/auth/authority.ts';
import { type Db, isUniqueViolation } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { noteCleared } from './batch.queries.ts';
import { updateDevices, clearDevices, deleteDevices } from './change.service.ts';
import { deletedMacs, firstExpiry } from './deleted-macs.ts';
import { findDevice } from './devices.queries.ts';
import { noteOperator, tellOperators } from './devices.service.ts';
import type { DeviceLinks } from './links.ts';
import { UNKNOWN_ZONE } from './time-zone.service.ts';
import { requireZone } from './zone-names.ts';

export type Managing = Pick<Deps, 'db' | 'signer' | 'config'>;

/** The dependencies of changes to devices; `links` lead to other features. */
export type Changing = Managing & { links: DeviceLinks };

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
  area?: string | null | undefined;
  address?: string | null | undefined;
  tags?: string[] | undefined;
}

/** Adds a device that is not paired yet; a MAC that was deleted has the expiry that it had. */
export async function insertDevice(deps: Managing, trx: Db, viewer: Viewer, device: NewDevice): Promise<string> {
  const id = uuidv7();
  const before = (await deletedMacs(trx, [device.mac])).get(device.mac);
  await trx
    .insertInto('devices')
    .values({
      id,
      mac: device.mac,
      name: device.name,
      owner_id: device.ownerId,
      time_zone: device.timeZone,
      area: device.area ?? null,
      address: device.address ?? null,
      ...(device.tags && { tags: device.tags }),
      ...firstExpiry(deps.config, device.timeZone, before),
    })
    .execute();
  await noteOperator(trx, [id], viewer.id);
  return id;
}

/** Notes what was done to a device, by its MAC and what it was called. */
const auditDevice = (
  trx: Db,
  viewer: Viewer,
  action: AuditAction,
  { id, mac, name }: Pick<Device, 'id' | 'mac' | 'name'>,
): Promise<void> => audit(trx, viewer, { action, targetId: id, target: mac, details: { name } });

/** Adds a device by its MAC, to be paired later. */
export async function createDevice(
  deps: Changing,
  viewer: Viewer,
  body: z.output<typeof CreateDeviceBody>,
): Promise<Device> {
  const { ownerId = viewer.id } = body;
  try {
    return await actingAs(deps.db, viewer, { role: 'leading', owners: [ownerId] }, async (trx, actor) => {
      await deps.links.shareStanding(trx);
      const id = await insertDevice(deps, trx, viewer, {
        ...body,
        name: body.name ?? '',
        ownerId,
        timeZone: UNKNOWN_ZONE,
      });
      await deps.links.matchDevices(trx, [id]);
      const device = await getDevice(deps, actor, id, trx);
      await auditDevice(trx, viewer, 'devices.create', device);
      await tellOperators(trx, [{ id, owner_id: ownerId }]);
      return device;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('MAC_TAKEN');
    throw error;
  }
}

/** A device before a change, for the audit. */
const noted = (device: Device) => {
  const { name, tags, area, address, owner, expiresAt, timeZone, sound } = device;
  const { workingHours, volume, volumeHours, brightness, brightnessHours } = device;
  const levels = { volume, volumeHours, brightness, brightnessHours };
  return { name, tags, area, address, owner: owner.username, expiresAt, timeZone, sound, workingHours, ...levels };
};

/** Changes name, tags, area, address, sound, working hours and levels; a leading user also changes owner, expiry and time zone. */
export async function updateDevice(
  deps: Changing,
  viewer: Viewer,
  id: string,
  given: z.output<typeof UpdateDeviceBody>,
): Promise<Device> {
  const { ownerId, expiresAt, timeZone } = given;
  const body = timeZone ? { ...given, timeZone: await requireZone(deps.db, timeZone) } : given;
  const needsLeading = [ownerId, expiresAt, timeZone].some((value) => value !== undefined);
  const demand = { ...(needsLeading && { role: 'leading' as const }), owners: ownerId === undefined ? [] : [ownerId] };
  return actingAs(deps.db, viewer, demand, async (trx, actor) => {
    const before = await getDevice(deps, actor, id, trx);
    await updateDevices(trx, deps.links, actor, [id], body);
    const after = await getDevice(deps, actor, id, trx);
    const details = { ...body, ...(ownerId !== undefined && { owner: after.owner.username }), before: noted(before) };
    await audit(trx, viewer, { action: 'devices.change', targetId: id, target: before.mac, details });
    return after;
  });
}

/** Deletes a device; its channel closes and it shows its pairing page again. */
export const deleteDevice = (deps: Changing, viewer: Viewer, id: string): Promise<void> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    const [gone] = await deleteDevices(trx, deps.links, actor, [id]);
    if (!gone) throw new AppError('NOT_FOUND');
    await auditDevice(trx, actor, 'devices.delete', gone);
  });

/** Takes back all that plays on a device and has it drop its files. */
export const clearDevice = (deps: Changing, viewer: Viewer, id: string): Promise<void> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    const device = await getDevice(deps, actor, id, trx);
    const cleared = await clearDevices(trx, deps.links, actor, [id]);
    if (cleared.length === 0) throw new AppError('NOT_FOUND');
    await noteCleared(trx, viewer, id);
    await auditDevice(trx, actor, 'devices.clear', device);
  });
