import './devices.tables.ts';
import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { zoneInDatabase } from './zone-names.ts';
import { expiryColumns, raiseRevision, tellDevices, tellExpired, type Touched } from './devices.service.ts';

/** The time zone of a device that has not reported where it is. */
export const UNKNOWN_ZONE = 'UTC';

/**
 * Gives a device the time zone that its player reports, unless an operator set one, or the database does not know it; its
 * expiry date moves along.
 */
export async function followZone(trx: Db, id: string, zone: string | null | undefined): Promise<void> {
  const reported = zone ? await zoneInDatabase(trx, zone) : undefined;
  if (!reported) return;
  await trx
    .updateTable('devices')
    .set({ reported_zone: reported })
    .where('id', '=', id)
    .where('reported_zone', 'is distinct from', reported)
    .execute();
  const { rows } = await sql<Touched & { expires_on: string | null }>`
    select id, owner_id, expires_on from devices
    where id = ${id} and not time_zone_set and time_zone <> ${reported} for no key update`.execute(trx);
  const [device] = rows;
  if (!device) return;
  await trx
    .updateTable('devices')
    .set({ time_zone: reported, ...expiryColumns(device.expires_on, reported) })
    .where('id', '=', id)
    .execute();
  await raiseRevision(trx, [id]);
  await tellExpired(trx, [id]);
  await tellDevices(trx, rows);
}
