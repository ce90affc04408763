import './devices.tables.ts';
import { randomInt } from 'node:crypto';
import { AppError, PAIRING_CODE_MINUTES, type SigningKey, WAITING_MAX, type WaitingDevice } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { auditDeviceItself } from '../platform/auth/audit.ts';
import { holdUsers } from '../platform/auth/authority.ts';
import { AHEAD_MAX } from '../platform/database/clock.ts';
import { type Db, iso, isUniqueViolation } from '../platform/database/database.ts';
import { networkOf } from '../platform/limits/network.ts';
import pLimit from 'p-limit';
import { raiseRevision, tellOperators, type Touched } from './devices.service.ts';
import { pairKey, registerKey } from './keys.service.ts';
import type { StandingLinks } from './links.ts';
import { followZone } from './time-zone.service.ts';

export type { StandingLinks } from './links.ts';

const CODE_DIGITS = 6;
/** A code may be shown elsewhere already. With a million codes and thousands shown, few draws are enough. */
const DRAWS = 20;
/** Unpaired devices that one network, and one MAC, may have waiting at a time; each waits for as long as its code. */
const WAITING_PER_NETWORK = 1000;
const WAITING_PER_MAC = 20;
/** Of these, from one network: a device whose storage was lost asks with another secret, the fourth replaces the first. */
const WAITING_PER_MAC_AND_NETWORK = 3;

/** They wait for each other: however many strangers ask at once, the other connections are for the rest. */
const limitDraws = pLimit(2);

/** A device that asks to be paired: its MAC, its secret's hash, and the address that it asks from. */
export interface Enrolment {
  mac: string;
  secretHash: Buffer;
  address: string;
  screens?: object[] | undefined;
  timeZone?: string | undefined;
  player?: { version: string; kind: string } | undefined;
  publicKey?: SigningKey | undefined;
}

/** A device that reported nothing has one screen of unknown size. */
const screensJson = (screens: object[] = [{}]): string => JSON.stringify(screens);

/** A code as shown on a device's screen, for so many more seconds. */
export interface ShownCode {
  code: string;
  seconds: number;
}

/** Whether a pairing's code is shown still; one that is valid for longer than any is from before the clock went back. */
export const isShownNow: RawBuilder<boolean> = sql<boolean>`
  (expires_at > now() and expires_at <= now() + make_interval(mins => ${sql.lit(PAIRING_CODE_MINUTES)}) + ${AHEAD_MAX})`;

/**
 * Pairs the device that a leading user added under this MAC, if it was never paired: whoever knows the key and a MAC
 * takes over nothing.
 */
export const pairByKey = (
  db: Db,
  links: StandingLinks,
  { mac, secretHash, address, screens, timeZone, player, publicKey }: Enrolment,
): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await holdUsers(trx, sql`select owner_id from devices where mac = ${mac} and paired_at is null`);
    await links.shareStanding(trx);
    const { rows } = await sql<Touched & { name: string }>`
      update devices d set secret_hash = ${secretHash}, paired_at = now(), screens = ${screensJson(screens)}::jsonb,
        player_version = ${player?.version ?? null}, player_kind = ${player?.kind ?? null}
      where d.mac = ${mac} and d.paired_at is null
      returning d.id, d.owner_id, d.name`.execute(trx);
    const [device] = rows;
    if (!device) return false;
    await raiseRevision(trx, [device.id]);
    await followZone(trx, device.id, timeZone);
    await pairKey(trx, device.id, publicKey);
    await trx
      .insertInto('device_pairings')
      .values({ device_id: device.id, kind: 'key', by_name: null, address })
      .execute();
    const details = { name: device.name, kind: 'key', address };
    await auditDeviceItself(trx, device.owner_id, {
      action: 'devices.pair',
      targetId: device.id,
      target: mac,
      details,
    });
    await links.matchDevices(trx, [device.id]);
    await tellOperators(trx, rows);
    return true;
  });

/** Stores the report of a paired device at a start of its player. Writes nothing if nothing has changed. */
export async function noteStart(
  db: Db,
  links: StandingLinks,
  id: string,
  { screens, timeZone, player, publicKey }: Enrolment,
): Promise<void> {
  await registerKey(db, id, publicKey);
  const reported = sql`
    (coalesce(${screens ? JSON.stringify(screens) : null}::jsonb, d.screens),
      coalesce(${player?.version ?? null}, d.player_version), coalesce(${player?.kind ?? null}, d.player_kind))`;
  const news = sql<boolean>`(d.screens, d.player_version, d.player_kind) is distinct from ${reported}`;
  const zone = sql`${timeZone ?? null}::text`;
  const otherZone = sql<boolean>`(${zone} <> coalesce(d.reported_zone, '') or (not d.time_zone_set and d.time_zone <> ${zone}))`;
  const { rows } = await sql`select from devices d where d.id = ${id} and (${news} or ${otherZone})`.execute(db);
  if (rows.length === 0) return;
  await db.transaction().execute(async (trx) => {
    await links.shareStanding(trx);
    const { rows: changed } = await sql<Touched>`
      update devices d set (screens, player_version, player_kind) = ${reported}
      where d.id = ${id} and ${news} returning d.id, d.owner_id`.execute(trx);
    await links.matchDevices(
      trx,
      changed.map((device) => device.id),
    );
    await tellOperators(trx, changed);
    await followZone(trx, id, timeZone);
  });
}

/**
 * The code that this device shows: the same until it is too old. Asking again writes nothing.
 *
 * @throws `TOO_MANY` when too many unpaired devices wait already, in this network or under this MAC
 */
export async function offerCode(db: Db, enrolment: Enrolment): Promise<ShownCode> {
  const shown = await shownCode(db, enrolment);
  if (shown) return shown;
  for (let draw = 1; ; draw += 1) {
    try {
      return await limitDraws(() => db.transaction().execute((trx) => drawCode(trx, enrolment)));
    } catch (error) {
      if (!isUniqueViolation(error) || draw === DRAWS) throw error;
    }
  }
}

async function shownCode(db: Db, { mac, secretHash, publicKey }: Enrolment): Promise<ShownCode | undefined> {
  const { rows } = await sql<ShownCode>`
    select code, ceil(extract(epoch from expires_at - now()))::integer as seconds from pairings
    where mac = ${mac} and secret_hash = ${secretHash} and used_by is null and ${isShownNow}
      and public_key is not distinct from ${publicKey ? JSON.stringify(publicKey) : null}::jsonb`.execute(db);
  return rows[0];
}

async function drawCode(trx: Db, enrolment: Enrolment): Promise<ShownCode> {
  const { mac, secretHash, address, screens, timeZone, player, publicKey } = enrolment;
  const network = networkOf(address);
  await makeRoom(trx, mac, secretHash, network);
  const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0');
  const { rows } = await sql<ShownCode>`
    insert into pairings
      (mac, secret_hash, code, expires_at, screens, time_zone, player_version, player_kind, network, address, public_key)
    values (${mac}, ${secretHash}, ${code}, now() + make_interval(mins => ${PAIRING_CODE_MINUTES}),
      ${screensJson(screens)}, ${timeZone ?? null}, ${player?.version ?? null}, ${player?.kind ?? null}, ${network}, ${address},
      ${publicKey ? JSON.stringify(publicKey) : null}::jsonb)
    on conflict (mac, secret_hash) do update set code = excluded.code, expires_at = excluded.expires_at, used_by = null,
      created_at = now(), network = excluded.network, address = excluded.address, screens = excluded.screens,
      time_zone = excluded.time_zone, player_version = excluded.player_version, player_kind = excluded.player_kind,
      public_key = excluded.public_key
    returning code, ceil(extract(epoch from expires_at - now()))::integer as seconds`.execute(trx);
  if (!rows[0]) throw new Error('an upsert returns its row');
  return rows[0];
}

/** Each network is counted by one transaction at a time, so that simultaneous requests cannot exceed the limit. */
async function makeRoom(trx: Db, mac: string, secretHash: Buffer, network: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`enrol ${network}`}, 0))`.execute(trx);
  await sql`
    delete from pairings where (mac, secret_hash) in (
      select mac, secret_hash from pairings
      where mac = ${mac} and network = ${network} and secret_hash <> ${secretHash} and used_by is null
      order by created_at desc offset ${WAITING_PER_MAC_AND_NETWORK - 1})`.execute(trx);
  const { rows } = await sql<{ full: boolean; seconds: number }>`
    select count(*) filter (where network = ${network}) >= ${WAITING_PER_NETWORK}
        or count(*) filter (where mac = ${mac}) >= ${WAITING_PER_MAC} as full,
      coalesce(ceil(extract(epoch from min(expires_at) - now())), 0)::integer as seconds
    from pairings where (network = ${network} or mac = ${mac}) and used_by is null and ${isShownNow}`.execute(trx);
  if (rows[0]?.full) throw new AppError('TOO_MANY', { seconds: Math.max(1, rows[0].seconds) });
}

/** Devices that ask from this address and show a code now, newest first. */
export async function listWaiting(db: Db, address: string): Promise<WaitingDevice[]> {
  const { rows } = await sql<WaitingDevice>`
    select ${iso(sql`created_at`)} as since, coalesce(screens -> 0, '{}') as screen from pairings
    where network = ${networkOf(address)} and address = ${address} and used_by is null and ${isShownNow}
    order by created_at desc limit ${sql.lit(WAITING_MAX)}`.execute(db);
  return rows;
}

/** Forgets devices that asked to be paired and ask no more. */
export const cleanPairings = (db: Db): Promise<unknown> =>
  sql`delete from pairings where not ${isShownNow}`.execute(db);
