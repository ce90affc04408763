import type { StatusMessage } from '@ams/contract';
import { type Touched, tellOperators } from '../devices/devices.service.ts';
import { storeStatus } from '../devices/reports.service.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import type { PlayerLinks } from './links.ts';

/** Stores a device's report and announces what is new to operators that look at the device or its releases. */
export async function takeStatus(
  db: Db,
  links: Pick<PlayerLinks, 'deliveryChanged'>,
  deviceId: string,
  status: StatusMessage,
): Promise<void> {
  const reported = await storeStatus(db, deviceId, status);
  // Devices that reconnect to another process report what is known: no operator needs the announcement again.
  if (!reported?.news) return;
  await tellOperators(db, [reported]);
  await tellReleases(db, reported);
  if (reported.moved) await links.deliveryChanged(db, deviceId);
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
