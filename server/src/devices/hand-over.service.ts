import './devices.tables.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { type Taken, tellDevices, type Touched, touchDevices } from './devices.service.ts';
import type { DeviceLinks, StandingLinks } from './links.ts';

/** How releases follow devices that move to another owner. */
export type MovingLinks = Pick<DeviceLinks, 'lockReleasesOn' | 'withdrawForeign'> & StandingLinks;

/**
 * Gives the devices that a condition on `devices d` chooses to another owner, who is in scope already. Every change of
 * a device's owner uses it: in the same transaction, releases of users that lose the device from their scope are
 * withdrawn from it, planned ones too, and it gets and loses standing releases; its stored commands and screenshots are
 * deleted. The caller holds `lockAdsOn` of these devices. Returns the devices that moved, with their former owners, and the withdrawn releases.
 */
export async function handOverDevices(
  trx: Db,
  links: MovingLinks,
  operatorId: string,
  chosen: RawBuilder<boolean>,
  ownerId: string,
): Promise<{ moved: Touched[]; taken: Taken[] }> {
  await links.shareStanding(trx);
  const moving = sql`select d.id, d.owner_id from devices d where ${chosen} and d.owner_id <> ${ownerId}`;
  await links.lockReleasesOn(trx, sql`select id from (${moving}) moving`);
  const { rows: before } = await sql<Touched>`${moving} order by d.id for update of d`.execute(trx);
  if (before.length === 0) return { moved: [], taken: [] };
  const ids = before.map(({ id }) => id);
  await sql`update devices set owner_id = ${ownerId} where id = any(${ids}::uuid[])`.execute(trx);
  await sql`delete from device_commands where device_id = any(${ids}::uuid[])`.execute(trx);
  await sql`delete from screenshots where device_id = any(${ids}::uuid[])`.execute(trx);
  const foreign = await links.withdrawForeign(trx, operatorId, before);
  const taken = [...foreign, ...(await links.matchDevices(trx, ids)).taken];
  const relieved = [...new Set(taken.flatMap(({ deviceId, begun }) => (begun ? [deviceId] : [])))];
  // The last report refers to a release of the former owner.
  await sql`update devices set playing = null, playing_at = null where id = any(${relieved}::uuid[])`.execute(trx);
  await touchDevices(trx, sql<boolean>`d.id = any(${relieved}::uuid[])`);
  await tellDevices(trx, [...before, ...ids.map((id) => ({ id, owner_id: ownerId }))]);
  return { moved: before, taken };
}
