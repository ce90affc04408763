import { sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { inScope } from '../platform/auth/scope.ts';
import {
  expiryColumns,
  tellExpired,
  tellDevices,
  tellOperators,
  type Touched,
  touchDevices,
} from './devices.service.ts';
import { command } from './commands.service.ts';
import { rememberMacs } from './deleted-macs.ts';
import { handOverDevices } from './hand-over.service.ts';
import type { DeviceLinks } from './links.ts';

/** The actor: a signed-in user, or the one who ordered a batch. */
export type Operator = Pick<Viewer, 'id' | 'role'>;

/** Properties of devices that can be changed. */
export interface DeviceChange {
  name?: string | undefined;
  /** Null removes it. */
  area?: string | null | undefined;
  address?: string | null | undefined;
  ownerId?: string | undefined;
  expiresAt?: string | null | undefined;
  timeZone?: string | undefined;
}

interface Locked extends Touched {
  mac: string;
  name: string;
  expires_on: string | null;
  time_zone: string;
}

/** The condition that a device `d` is one of these and in scope. */
const chosen = (operator: Operator, ids: string[]) =>
  sql<boolean>`(d.id = any(${ids}::uuid[]) and ${inScope(operator, sql`d.owner_id`)})`;

const idsOf = (touched: Touched[]): string[] => touched.map((device) => device.id);

/** The devices among `ids` that are in scope, locked in order: two that change the same wait for each other. */
async function lock(trx: Db, operator: Operator, ids: string[]): Promise<Locked[]> {
  const { rows } = await sql<Locked>`
    select d.id, d.owner_id, d.mac, d.name, d.expires_on, d.time_zone from devices d where ${chosen(operator, ids)}
    order by d.id for update of d`.execute(trx);
  return rows;
}

/** Expiry columns for devices of many time zones: each date and zone is reckoned once. */
function expiries(devices: Locked[], { expiresAt, timeZone }: DeviceChange) {
  const known = new Map<string, ReturnType<typeof expiryColumns>>();
  return devices.map((device) => {
    const day = expiresAt === undefined ? device.expires_on : expiresAt;
    const zone = timeZone ?? device.time_zone;
    const key = `${day} ${zone}`;
    const columns = known.get(key) ?? expiryColumns(day, zone);
    known.set(key, columns);
    return columns;
  });
}

/** Changes the devices among `ids` that are in scope and answers their ids. The new owner is in scope already. */
export async function updateDevices(
  trx: Db,
  links: DeviceLinks,
  operator: Operator,
  ids: string[],
  change: DeviceChange,
): Promise<string[]> {
  const { name = null, area, address, ownerId, timeZone = null } = change;
  if (ownerId !== undefined) await handOverDevices(trx, links, operator.id, chosen(operator, ids), ownerId);
  const before = await lock(trx, operator, ids);
  const found = idsOf(before);
  const columns = expiries(before, change);
  await sql`
    update devices d set name = coalesce(${name}, d.name), time_zone = coalesce(${timeZone}, d.time_zone),
      time_zone_set = d.time_zone_set or ${timeZone !== null},
      area = case when ${area === undefined} then d.area else ${area ?? null} end,
      address = case when ${address === undefined} then d.address else ${address ?? null} end,
      operator_id = case when ${ownerId === undefined} then d.operator_id else ${operator.id}::uuid end,
      expires_on = v.expires_on, expires_at = v.expires_at, revision = d.revision + 1
    from unnest(${found}::uuid[], ${columns.map((column) => column.expires_on)}::date[],
      ${columns.map((column) => column.expires_at)}::timestamptz[]) v(id, expires_on, expires_at)
    where d.id = v.id`.execute(trx);
  await tellExpired(trx, found);
  await tellDevices(trx, before);
  return found;
}

/** Deletes the devices among `ids` that are in scope; their channels close and they show their pairing page again. */
export async function deleteDevices(trx: Db, operator: Operator, ids: string[]): Promise<Locked[]> {
  const gone = await lock(trx, operator, ids);
  await rememberMacs(trx, idsOf(gone));
  await sql`delete from devices where id = any(${idsOf(gone)}::uuid[])`.execute(trx);
  await publish(trx, { topic: 'command', ids: idsOf(gone), command: 'goodbye' });
  await tellOperators(trx, gone);
  return gone;
}

/** Takes back all that plays on the devices among `ids` that are in scope and has them drop their files. */
export async function clearDevices(trx: Db, links: DeviceLinks, operator: Operator, ids: string[]): Promise<string[]> {
  // Releases before devices, as who withdraws a release does: neither waits for the other in a circle.
  await links.withdrawFrom(trx, operator.id, sql`select d.id from devices d where ${chosen(operator, ids)}`);
  const touched = idsOf(await touchDevices(trx, chosen(operator, ids), operator.id));
  await command(trx, operator.id, touched, 'clear');
  return touched;
}

/** Restarts the devices among `ids` that are in scope. */
export async function restartDevices(trx: Db, operator: Operator, ids: string[]): Promise<string[]> {
  const found = idsOf(await lock(trx, operator, ids));
  await command(trx, operator.id, found, 'restart');
  return found;
}
