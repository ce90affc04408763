import type { LevelHours, UpdateDeviceBody, WorkingHours } from '@ams/contract';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { oneOf, prepared } from '../platform/database/prepared.ts';
import { changed, publish } from '../platform/events/events.ts';
import { inScopeEach } from '../platform/auth/scope.ts';
import {
  changedContent,
  expiries,
  raiseRevision,
  type Taken,
  tellExpired,
  tellDevices,
  tellOperators,
  type Touched,
  touchDevices,
} from './devices.service.ts';
import { command } from './commands.service.ts';
import type { Settings } from './devices.tables.ts';
import { rememberMacs } from './deleted-macs.ts';
import { handOverDevices, type MovingLinks } from './hand-over.service.ts';
import type { DeviceLinks, StandingLinks } from './links.ts';

/** The actor: a signed-in user, or the user that ordered a batch. */
export type Operator = Pick<Viewer, 'id' | 'role'>;

/** Settings to change, and the owner, whom the manifest names as the merchant to contact. */
export interface DeviceChange {
  name?: string | undefined;
  /** Null removes it. */
  area?: string | null | undefined;
  address?: string | null | undefined;
  ownerId?: string | undefined;
  expiresAt?: string | null | undefined;
  /** Null: the one that the player reports. */
  timeZone?: string | null | undefined;
  /** A screen that is left out stays as it is. */
  sound?: UpdateDeviceBody['sound'];
  tags?: string[] | undefined;
  workingHours?: WorkingHours | null | undefined;
  volume?: number | null | undefined;
  volumeHours?: LevelHours | undefined;
  brightness?: number | null | undefined;
  brightnessHours?: LevelHours | undefined;
}

interface Locked extends Touched, Settings {
  mac: string;
  reportedZone: string | null;
}

/** A device with the settings that were changed, before and after. */
export interface Changed {
  id: string;
  before: Partial<Settings>;
  after: Partial<Settings>;
}

/** The condition that a device `d` is one of these and in scope. */
const chosen = (operator: Operator, ids: string[]) =>
  sql<boolean>`(${oneOf(sql`d.id`, ids)} and ${inScopeEach(operator, sql`d.owner_id`)})`;

const idsOf = (touched: Touched[]): string[] => touched.map((device) => device.id);

/** The column of each setting. */
const COLUMNS = {
  name: 'name',
  area: 'area',
  address: 'address',
  expiresOn: 'expires_on',
  timeZone: 'time_zone',
  timeZoneSet: 'time_zone_set',
  sound: 'sound',
  tags: 'tags',
  workingHours: 'working_hours',
  volume: 'volume',
  volumeHours: 'volume_hours',
  brightness: 'brightness',
  brightnessHours: 'brightness_hours',
} as const satisfies Record<keyof Settings, string>;

const SELECTED = sql.join(
  Object.entries(COLUMNS).map(([key, column]) => sql`${sql.ref(`d.${column}`)} as ${sql.ref(key)}`),
);
const UPDATED = sql.join(Object.values(COLUMNS).map((column) => sql`${sql.ref(column)} = ${sql.ref(`v.${column}`)}`));

/** The settings that the manifest contains; the device has to fetch it when they change. */
const IN_MANIFEST = [
  'name',
  'expiresOn',
  'timeZone',
  'sound',
  'workingHours',
  'volume',
  'volumeHours',
  'brightness',
  'brightnessHours',
] as const satisfies (keyof Settings)[];

/** The settings that filters of standing releases compare. */
const IN_FILTERS = ['name', 'area', 'address', 'tags'] as const satisfies (keyof Settings)[];

const changesMatch = (after: Partial<Settings>): boolean => IN_FILTERS.some((key) => key in after);

const changesManifest = (after: Partial<Settings>): boolean => IN_MANIFEST.some((key) => key in after);

/** The devices among `ids` that are in scope, locked in order: two that change the same wait for each other. */
async function lock(trx: Db, operator: Operator, ids: string[]): Promise<Locked[]> {
  const { rows } = await sql<Locked>`
    select d.id, d.owner_id, d.mac, ${SELECTED}, d.reported_zone as "reportedZone"
    from devices d where ${chosen(operator, ids)} order by d.id for update of d ${prepared}`.execute(trx);
  return rows;
}

/** Changes settings of the devices among `ids` that are in scope, each by the result of `change`; {} changes nothing. */
export async function changeSettings(
  trx: Db,
  links: StandingLinks,
  operator: Operator,
  ids: string[],
  change: (device: Locked) => Partial<Settings>,
): Promise<Changed[]> {
  await links.shareStanding(trx);
  const found = await lock(trx, operator, ids);
  const expiryOf = expiries();
  const all = found.map((device) => ({ device, after: change(device) }));
  const actual = all.filter(({ after }) => Object.keys(after).length > 0);
  const rows = actual.map(({ device, after }) => rowOf({ ...device, ...after }, expiryOf));
  await sql`
    update devices d set ${UPDATED}, expires_at = v.expires_at
    from jsonb_populate_recordset(null::devices, ${JSON.stringify(rows)}::jsonb) v
    where d.id = v.id ${prepared}`.execute(trx);
  const matched = await links.matchDevices(
    trx,
    actual.flatMap(({ device, after }) => (changesMatch(after) ? [device.id] : [])),
  );
  const { true: stale = [], false: rest = [] } = Object.groupBy(actual, ({ after }) => `${changesManifest(after)}`);
  const fetching = stale.map(({ device }) => device);
  if (fetching.length > 0) {
    await raiseRevision(trx, idsOf(fetching));
    await tellExpired(trx, idsOf(fetching));
  }
  const told = new Set(matched.told);
  const others = rest.flatMap(({ device }) => (told.has(device.id) ? [] : [device]));
  await publish(trx, ...changedContent(fetching), ...changed('device', others));
  return all.map(({ device, after }) => ({ id: device.id, before: settingsLike(device, after), after }));
}

function rowOf(device: Locked, expiryOf: ReturnType<typeof expiries>): object {
  const values = new Map<string, unknown>(Object.entries(device));
  const settings = Object.entries(COLUMNS).map(([key, column]) => [column, values.get(key)]);
  return { id: device.id, ...Object.fromEntries(settings), ...expiryOf(device) };
}

/** The settings of a device that a change names. */
export const settingsLike = (device: Settings, change: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(Object.entries(device).filter(([key]) => key in COLUMNS && key in change));

/** The settings for a time zone that an operator sets; null: the one that the player reports. */
export const zoneSettings = (
  timeZone: string | null,
  device: Pick<Locked, 'reportedZone' | 'timeZone'>,
): Pick<Settings, 'timeZone' | 'timeZoneSet'> => ({
  timeZone: timeZone ?? device.reportedZone ?? device.timeZone,
  timeZoneSet: timeZone !== null,
});

/** The settings that a change sets of a device. */
function settingsOf(
  { expiresAt, timeZone, sound, ...same }: Omit<DeviceChange, 'ownerId'>,
  device: Locked,
): Partial<Settings> {
  return {
    ...given(same),
    ...(sound && {
      sound: { main: sound.main ?? device.sound.main, secondary: sound.secondary ?? device.sound.secondary },
    }),
    ...(expiresAt !== undefined && { expiresOn: expiresAt }),
    ...(timeZone !== undefined && zoneSettings(timeZone, device)),
  };
}

/** The settings that are not undefined. */
const given = (settings: Partial<Settings>): Partial<Settings> =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));

/** Changes the devices among `ids` that are in scope. The new owner is in scope already. */
export async function updateDevices(
  trx: Db,
  links: DeviceLinks,
  operator: Operator,
  ids: string[],
  change: DeviceChange,
): Promise<void> {
  const { ownerId, ...settings } = change;
  if (ownerId !== undefined) await giveDevices(trx, links, operator, ids, ownerId);
  if (Object.values(settings).every((value) => value === undefined)) return;
  await changeSettings(trx, links, operator, ids, (device) => settingsOf(settings, device));
}

/** A device with its former owner, and what was withdrawn from it. */
export interface Given {
  id: string;
  formerOwnerId: string;
  withdrawn: string[];
}

/** Gives the devices among `ids` that are in scope to an owner in scope. */
export async function giveDevices(
  trx: Db,
  links: MovingLinks & Pick<DeviceLinks, 'lockAdsOn'>,
  operator: Operator,
  ids: string[],
  ownerId: string,
): Promise<Given[]> {
  // All together and in order, also those that are the owner's already.
  const moving = sql`select d.id from devices d where ${chosen(operator, ids)}`;
  await links.lockAdsOn(trx, moving);
  await links.shareStanding(trx);
  await links.lockReleasesOn(trx, moving);
  await lock(trx, operator, ids);
  const { moved, taken } = await handOverDevices(trx, links, operator.id, chosen(operator, ids), ownerId);
  const formerOwners = new Map(moved.map(({ id, owner_id }) => [id, owner_id]));
  // With those that were the owner's already. Somebody else may have moved others since they were chosen.
  const { rows: owned } = await sql<Touched>`
    select d.id, d.owner_id from devices d where ${chosen(operator, ids)} and d.owner_id = ${ownerId}
    order by d.id for no key update of d`.execute(trx);
  await raiseRevision(trx, idsOf(owned), operator.id);
  await tellDevices(trx, owned);
  return owned.map(({ id }) => ({
    id,
    formerOwnerId: formerOwners.get(id) ?? ownerId,
    withdrawn: releasesFrom(taken, id),
  }));
}

const releasesFrom = (taken: readonly Taken[], deviceId: string): string[] =>
  taken.flatMap((each) => (each.deviceId === deviceId ? [each.releaseId] : []));

/**
 * Deletes the devices among `ids` that are in scope; their channels close and they show their pairing page again. Releases
 * that are left without a device end.
 */
export async function deleteDevices(trx: Db, links: DeviceLinks, operator: Operator, ids: string[]): Promise<Locked[]> {
  await links.withdrawFrom(trx, operator.id, sql`select d.id from devices d where ${chosen(operator, ids)}`);
  const gone = await lock(trx, operator, ids);
  await rememberMacs(trx, idsOf(gone));
  await sql`delete from devices where id = any(${idsOf(gone)}::uuid[])`.execute(trx);
  // Statements name failures of deleted devices, too.
  await sql`
    update device_failures set until = now() where device_id = any(${idsOf(gone)}::uuid[]) and until is null`.execute(
    trx,
  );
  await publish(trx, { topic: 'command', ids: idsOf(gone), command: 'goodbye' });
  await tellOperators(trx, gone);
  return gone;
}

/**
 * Takes back all that plays on the devices among `ids` that are in scope and has them drop their files. Answers the
 * devices with the releases that were withdrawn.
 */
export async function clearDevices(
  trx: Db,
  links: DeviceLinks,
  operator: Operator,
  ids: string[],
): Promise<{ id: string; withdrawn: string[] }[]> {
  // Releases before devices, the order of every withdrawal: no two transactions wait for each other.
  const taken = await links.withdrawFrom(
    trx,
    operator.id,
    sql`select d.id from devices d where ${chosen(operator, ids)}`,
  );
  const touched = idsOf(await touchDevices(trx, chosen(operator, ids), operator.id));
  await command(trx, operator.id, touched, 'clear');
  return touched.map((id) => ({ id, withdrawn: releasesFrom(taken, id) }));
}

/** Restarts the devices among `ids` that are in scope. */
export async function restartDevices(trx: Db, operator: Operator, ids: string[]): Promise<string[]> {
  const found = idsOf(await lock(trx, operator, ids));
  await command(trx, operator.id, found, 'restart');
  return found;
}
