import { AppError, type Device, type PairingPreview } from '@ams/contract';
import { sql } from 'kysely';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Db, isUniqueViolation } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { networkOf } from '../platform/limits/network.ts';
import { OneByOne } from '../platform/limits/one-by-one.ts';
import { countTry, holdTries, refuseTried, type TryLimit } from '../platform/limits/rate-limit.ts';
import { actingAs, holdUsers } from '../platform/auth/authority.ts';
import { deletedMacs } from './deleted-macs.ts';
import { findDevice } from './devices.queries.ts';
import { raiseRevision, tellOperators } from './devices.service.ts';
import { isShownNow } from './enrolment.service.ts';
import { handOverDevices } from './hand-over.service.ts';
import { pairKey } from './keys.service.ts';
import { type Changing, insertDevice, type Managing } from './manage.service.ts';
import { forgetReports } from './reports.service.ts';
import { followZone, UNKNOWN_ZONE } from './time-zone.service.ts';
import { zoneInDatabase } from './zone-names.ts';

const WINDOW_MS = 10 * 60_000;
/** Wrong codes count against whoever sends them, never against the code. */
const WRONG_CODES = { account: 10, network: 60 };

/** A code as typed or scanned, and the MAC where it is known. */
export interface GivenCode {
  code: string;
  mac?: string | undefined;
}

export interface WantedPairing extends GivenCode {
  ownerId?: string | undefined;
  name?: string | undefined;
  area?: string | null | undefined;
  address?: string | null | undefined;
  tags?: string[] | undefined;
}

/**
 * Guesses of one account, and of one network, follow each other, so that the limits hold for guesses at once. They wait
 * here, so that those of a network hold one database connection of each process.
 */
const guesses = new OneByOne();

/**
 * Throws unless a device shows this code; a wrong one counts. Guesses of an account take their turn before its network's,
 * and nothing but this look is waited for: no account keeps its neighbours out by many guesses or a slow pairing.
 */
async function requireShown(db: Db, viewer: Viewer, given: GivenCode, address: string): Promise<void> {
  const limitOf = (sender: string, max: number): TryLimit => ({
    key: `wrong pairing code ${sender}`,
    max,
    windowMs: WINDOW_MS,
  });
  const account = limitOf(viewer.id, WRONG_CODES.account);
  const network = limitOf(networkOf(address), WRONG_CODES.network);
  const isShown = await guesses.take(account.key, async () => {
    await refuseTried(db, [account]);
    return guesses.take(network.key, () =>
      db.transaction().execute(async (trx) => {
        await holdTries(trx, [account, network]);
        await refuseTried(trx, [account, network]);
        if (await findPairing(trx, given)) return true;
        await countTry(trx, [account, network]);
        return false;
      }),
    );
  });
  if (!isShown) throw new AppError('BAD_PAIRING_CODE');
}

/**
 * Pairs the device that shows this code; whoever pairs a new one owns it. An owner that is named receives a known device,
 * too, within the scope.
 * `address` is where the call comes from.
 *
 * @throws `BAD_PAIRING_CODE`, `DEVICE_OWNED`, `DEVICE_PAIRED`, `TOO_MANY`
 */
export async function pairDevice(
  deps: Changing,
  viewer: Viewer,
  wanted: WantedPairing,
  address: string,
): Promise<Device> {
  const pair = (): Promise<Device> =>
    actingAs(deps.db, viewer, { owners: wanted.ownerId === undefined ? [] : [wanted.ownerId] }, (trx, actor) =>
      pairOnce(deps, trx, actor, wanted, address),
    );
  await requireShown(deps.db, viewer, wanted, address);
  return pair().catch((error: unknown) => {
    // Somebody added or paired this MAC at the same moment: now it is known.
    if (isUniqueViolation(error)) return pair();
    throw error;
  });
}

/** Preview of pairing the device that shows this code. Throws like `pairDevice`. */
export async function previewPairing(
  deps: Managing,
  viewer: Viewer,
  given: GivenCode,
  address: string,
): Promise<PairingPreview> {
  await requireShown(deps.db, viewer, given, address);
  const pairing = await findPairing(deps.db, given);
  if (!pairing) throw new AppError('BAD_PAIRING_CODE');
  const known = await findKnown(deps, deps.db, viewer, pairing.mac);
  const repeated = known !== undefined && pairing.used_by === viewer.id;
  if (pairing.used_by !== null && !repeated) throw tooLate(known);
  const deleted = (await deletedMacs(deps.db, [pairing.mac])).get(pairing.mac);
  return {
    mac: pairing.mac,
    device: known ?? null,
    pairedBefore: !repeated && (known?.pairedAt ?? deleted?.pairedAt ?? null) !== null,
  };
}

async function pairOnce(
  deps: Changing,
  trx: Db,
  viewer: Viewer,
  wanted: WantedPairing,
  operatorAddress: string,
): Promise<Device> {
  // The audit names the owner of a known device.
  const shown = sql`from pairings p join devices d on d.mac = p.mac where p.code = ${wanted.code}`;
  await holdUsers(trx, sql`select d.owner_id ${shown}`);
  if (wanted.ownerId !== undefined) await deps.links.lockAdsOn(trx, sql`select d.id ${shown}`);
  await deps.links.shareStanding(trx);
  const pairing = await findPairing(trx, wanted, 'for update');
  if (!pairing) throw new AppError('BAD_PAIRING_CODE');
  const { mac, address } = pairing;
  const owner = wanted.ownerId;
  const held = await findKnown(deps, trx, viewer, mac);
  // Releases are locked before devices: the owner changes first.
  if (held && owner !== undefined && pairing.used_by === null) {
    await handOverDevices(trx, deps.links, viewer.id, sql<boolean>`d.id = ${held.id}`, owner);
  }
  await sql`select from devices where mac = ${mac} for update`.execute(trx);
  const known = await findKnown(deps, trx, viewer, mac);
  if (pairing.used_by !== null) {
    // The same person once more: its first answer was lost on the way.
    if (known && pairing.used_by === viewer.id) return known;
    throw tooLate(known);
  }
  const id = await adopt(deps, trx, viewer, pairing, wanted, known);
  await deps.links.matchDevices(trx, [id]);
  const kind = known?.pairedAt ? 'replaced' : 'new';
  await sql`
    insert into device_pairings (device_id, kind, by_name, address)
    select ${id}::uuid, ${kind}::text, username, ${address}::text from users where id = ${viewer.id}
    on conflict do nothing`.execute(trx);
  // A device that held this MAC before is no longer this one.
  await publish(trx, { topic: 'command', ids: [id], command: 'goodbye' });
  const paired = await findDevice(trx, viewer, deps.signer, id);
  if (!paired) throw new AppError('NOT_FOUND');
  await auditPairing(trx, viewer, paired, held?.owner, { kind, address, operatorAddress });
  if (kind === 'replaced') await deps.links.replaced(trx, paired.owner.id, id);
  await tellOperators(trx, [{ id, owner_id: paired.owner.id }]);
  return paired;
}

async function auditPairing(
  trx: Db,
  viewer: Viewer,
  { id, mac, name, owner }: Device,
  formerOwner: Device['owner'] | undefined,
  facts: { kind: 'replaced' | 'new'; address: Pairing['address']; operatorAddress: string },
): Promise<void> {
  const hasMoved = formerOwner !== undefined && formerOwner.id !== owner.id;
  const details = {
    name,
    ...facts,
    ...(hasMoved && { owner: owner.username, before: { owner: formerOwner.username } }),
  };
  await audit(trx, viewer, { action: 'devices.pair', targetId: id, target: mac, scopeId: owner.id, details });
}

type Pairing = NonNullable<Awaited<ReturnType<typeof findPairing>>>;

/** Makes a device the one that shows this code, and adds it where none has its MAC; answers its id. */
async function adopt(
  deps: Changing,
  trx: Db,
  viewer: Viewer,
  pairing: Pairing,
  { ownerId = viewer.id, name, area, address, tags }: WantedPairing,
  known: Device | undefined,
): Promise<string> {
  const { mac, secret_hash, time_zone, player_version, player_kind, public_key } = pairing;
  await trx
    .updateTable('pairings')
    .set({ used_by: viewer.id })
    .where('mac', '=', mac)
    .where('secret_hash', '=', secret_hash)
    .execute();
  const place = { ...(area && { area }), ...(address && { address }), ...(tags && { tags }) };
  const timeZone = (await zoneInDatabase(trx, time_zone ?? UNKNOWN_ZONE)) ?? UNKNOWN_ZONE;
  const id =
    known?.id ?? (await insertDevice(deps, trx, viewer, { mac, name: name ?? '', ownerId, timeZone, ...place }));
  await trx
    .updateTable('devices')
    .set({
      secret_hash,
      paired_at: sql<Date>`now()`,
      screens: JSON.stringify(pairing.screens),
      player_version,
      player_kind,
      ...(name && { name }),
      ...place,
    })
    .where('id', '=', id)
    .execute();
  if (known?.pairedAt) await forgetReports(trx, id);
  await raiseRevision(trx, [id], viewer.id);
  await followZone(trx, id, time_zone);
  await pairKey(trx, id, public_key);
  return id;
}

/** The waiting device that shows this code, or the one that was paired by it while it was shown. */
async function findPairing(db: Db, { code, mac }: GivenCode, locked?: 'for update') {
  const found = db
    .selectFrom('pairings')
    .select(['mac', 'secret_hash', 'screens', 'time_zone', 'player_version', 'player_kind', 'used_by', 'address'])
    .select('public_key')
    .where('code', '=', code)
    .where(isShownNow)
    .$if(mac !== undefined, (query) => query.where('mac', '=', mac ?? ''))
    .orderBy(sql`used_by is not null`)
    .limit(1);
  return (locked ? found.forUpdate() : found).executeTakeFirst();
}

/** The device with this MAC, if there is one. @throws `DEVICE_OWNED` when it is not in scope */
async function findKnown(deps: Managing, db: Db, viewer: Viewer, mac: string): Promise<Device | undefined> {
  const row = await db.selectFrom('devices').select('id').where('mac', '=', mac).executeTakeFirst();
  if (!row) return undefined;
  const known = await findDevice(db, viewer, deps.signer, row.id);
  if (!known) throw new AppError('DEVICE_OWNED');
  return known;
}

/** The error for the second of two users that pair a device at once; the owner is named only if in scope. */
const tooLate = (paired: Device | undefined): AppError =>
  paired ? new AppError('DEVICE_PAIRED', { owner: paired.owner.username }) : new AppError('BAD_PAIRING_CODE');
