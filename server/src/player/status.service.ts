import { AppError, type StatusMessage } from '@ams/contract';
import { type Touched, tellOperators } from '../devices/devices.service.ts';
import { storeStatus } from '../devices/reports.service.ts';
import type { Device } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import type { PlayerLinks } from './links.ts';

/**
 * Stores a device's report and announces what is new to operators that look at the device or its releases.
 * @throws `UNAUTHENTICATED` when the device was deleted or replaced meanwhile
 */
export async function takeStatus(
  db: Db,
  links: Pick<PlayerLinks, 'deliveryChanged'>,
  device: Pick<Device, 'id' | 'secretHash'>,
  status: StatusMessage,
): Promise<void> {
  const reported = await storeStatus(db, device, status);
  if (!reported) throw new AppError('UNAUTHENTICATED');
  // Devices that reconnect to another process report what is known: no operator needs the announcement again.
  if (!reported.news) return;
  await tellOperators(db, [reported]);
  await tellReleases(db, reported);
  if (reported.moved) await links.deliveryChanged(db, device.id);
}

/** Announces this device's progress to operators that look at its releases. */
async function tellReleases(db: Db, { id, owner_id: owner }: Touched): Promise<void> {
  const releases = await db
    .selectFrom('release_devices as rd')
    .innerJoin('releases as r', 'r.id', 'rd.release_id')
    .select('r.id')
    .where('rd.device_id', '=', id)
    .where('r.withdrawn_at', 'is', null)
    .where('rd.withdrawn_at', 'is', null)
    .where('rd.revision', 'is not', null)
    .execute();
  await publish(db, {
    topic: 'changed',
    kind: 'release',
    ids: releases.map((release) => release.id),
    owners: [owner],
  });
}
