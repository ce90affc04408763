import { localMac, parseMac } from '@ams/contract';
import { type Database, type Identity, readValue, writeValue } from './database.ts';

const SECRET_BYTES = 32;

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Who this machine is: the MAC it was started with, else one of its own that it keeps, and its secret.
 * Started with another MAC it is another machine, which has to be paired anew.
 */
export async function identify(database: Database, macParameter: string | null): Promise<Identity> {
  const asked = parseMac(macParameter ?? '');
  const kept = await readValue(database, 'identity');
  if (kept && (!asked || asked === kept.mac)) return kept;
  const identity = { mac: asked ?? localMac(randomBytes(6)), secret: hexOf(randomBytes(SECRET_BYTES)) };
  const transaction = database.transaction('state', 'readwrite');
  await transaction.store.clear();
  await transaction.done;
  await writeValue(database, 'identity', identity);
  return identity;
}
