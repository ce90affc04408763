import { localMac, parseMac } from '@ams/contract';
import { type Database, type Identity, beginAnew, readValue, writeValue } from './database.ts';

const SECRET_BYTES = 32;

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const newIdentity = (mac: string): Identity => ({ mac, secret: hexOf(randomBytes(SECRET_BYTES)) });

/**
 * Identity of this device: its secret and the MAC from its address or host app, otherwise a generated MAC that it
 * keeps. With another MAC it becomes another device, which has to be paired again.
 */
export async function identify(database: Database, given: string | null | undefined): Promise<Identity> {
  const asked = parseMac(given ?? '');
  const kept = await readValue(database, 'identity');
  if (kept && (!asked || asked === kept.mac)) return kept;
  const identity = newIdentity(asked ?? localMac(randomBytes(6)));
  await beginAnew(database, identity);
  return identity;
}

/** Forgets the pairing: the same MAC with a new secret, so that somebody has to pair it again. */
export const forgetPairing = (database: Database, { mac }: Identity): Promise<void> =>
  beginAnew(database, newIdentity(mac));

/** The key pair of this identity, made by `make` when it has none yet. */
export async function keptKeys(database: Database, make: () => Promise<CryptoKeyPair>): Promise<CryptoKeyPair> {
  const kept = await readValue(database, 'signing');
  if (kept) return kept;
  const made = await make();
  await writeValue(database, 'signing', made);
  return made;
}
