import './devices.tables.ts';
import { createHash, createPublicKey } from 'node:crypto';
import { canonicalJson, type SigningKey } from '@ams/contract';
import { sql } from 'kysely';
import { auditDeviceItself } from '../platform/auth/audit.ts';
import { holdUsers } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { invalidField } from '../platform/http/errors.ts';
import { countTry, refuseTried } from '../platform/limits/rate-limit.ts';

/** Throws `INVALID` for coordinates that are no point of the curve: nothing could be checked by them. */
export function refuseUnusableKey(key: SigningKey | undefined): void {
  try {
    if (key) createPublicKey({ key, format: 'jwk' });
  } catch {
    throw invalidField('publicKey', 'invalid');
  }
}

/** SHA-256 thumbprint of a key (RFC 7638), by which people recognize it. */
export const thumbprintOf = (key: SigningKey): string =>
  createHash('sha256').update(canonicalJson(key)).digest('base64url');

/** Binds a key to a device that is being paired; without one, plays of the device are unsigned from now on. */
export async function pairKey(trx: Db, deviceId: string, key: SigningKey | null | undefined): Promise<void> {
  if (key) await writeKey(trx, deviceId, key);
  else await trx.deleteFrom('device_keys').where('device_id', '=', deviceId).execute();
}

/** Whether the key was not that of the device before. */
async function writeKey(trx: Db, deviceId: string, key: SigningKey): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into device_keys as known (device_id, public_key) values (${deviceId}, ${JSON.stringify(key)}::jsonb)
    on conflict (device_id) do update set public_key = excluded.public_key, registered_at = now()
    where known.public_key <> excluded.public_key`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

const hasKey = async (db: Db, deviceId: string, key: SigningKey): Promise<boolean> => {
  const { rows } = await sql`
    select from device_keys where device_id = ${deviceId} and public_key = ${JSON.stringify(key)}::jsonb`.execute(db);
  return rows.length > 0;
};

/** Each other key is a line of the activity log, and a chain, for good. */
const NEW_KEYS = { max: 20, windowMs: 3_600_000 };

/**
 * Registers the key that a paired device names at its start. A known one writes nothing, another one is audited. Throws
 * `TOO_MANY`.
 */
export async function registerKey(db: Db, deviceId: string, key: SigningKey | undefined): Promise<void> {
  if (!key || (await hasKey(db, deviceId, key))) return;
  await db.transaction().execute(async (trx) => {
    await holdUsers(trx, sql`select owner_id from devices where id = ${deviceId}`);
    // Reports share this lock: one whose signature was checked is counted before its key changes.
    const { rows } = await sql<{ owner_id: string; mac: string; name: string }>`
      select owner_id, mac, name from devices where id = ${deviceId} for no key update`.execute(trx);
    const [device] = rows;
    if (!device) return;
    // Its reports at one moment wait for each other above.
    const limits = [{ key: `device key ${deviceId}`, ...NEW_KEYS }];
    await refuseTried(trx, limits);
    if (!(await writeKey(trx, deviceId, key))) return;
    await countTry(trx, limits);
    const details = { name: device.name, key: thumbprintOf(key) };
    const line = { action: 'devices.key', targetId: deviceId, target: device.mac, details } as const;
    await auditDeviceItself(trx, device.owner_id, line);
  });
}
