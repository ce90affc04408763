import { hash } from 'node:crypto';
import { AppError } from '@ams/contract';
import { sql } from 'kysely';
import type { Identities, Device } from '../platform/auth/auth.ts';
import { inBatches } from '../platform/database/loader.ts';
import type { Db } from '../platform/database/database.ts';
import type { Events } from '../platform/events/events.ts';
import { prepared } from '../platform/database/prepared.ts';
import { Cache } from '../platform/events/cache.ts';

const BATCHES = { atOnce: 2, size: 500, restMaxMs: 10 };
const CACHED_MAX = 50_000;

/** Which devices have the secrets of these hashes (in hexadecimal digits), each in its place; undefined where none has. */
export async function devicesOf(db: Db, hashes: readonly string[]): Promise<(string | undefined)[]> {
  const { rows } = await sql<{ id: string; secret: string }>`
    select id, encode(secret_hash, 'hex') as secret from devices
    where secret_hash = any(array(select decode(hash, 'hex') from unnest(${hashes}::text[]) hash)) ${prepared}`.execute(
    db,
  );
  const ids = new Map(rows.map(({ id, secret }) => [secret, id]));
  return hashes.map((secret) => ids.get(secret));
}

/** How the platform learns which device a token belongs to. */
export function deviceIdentities(db: Db, events: Events): Omit<Identities, 'user'> {
  /** By token: its hash would be a tenth of the work of a poll without news (bench/RESULTS.md, "poll"). */
  const recent = new Cache<Device>(events, CACHED_MAX);
  events.on('command', ({ command }) => {
    // Deleted, or paired with another secret.
    if (command === 'goodbye') recent.invalidate();
  });
  const find = inBatches<string, Device>(async (tokens) => {
    const begun = recent.begin();
    const hashes = tokens.map((token) => hash('sha256', token));
    const ids = await devicesOf(db, hashes);
    return tokens.map((token, index) => {
      const [id, secretHash] = [ids[index], hashes[index]];
      if (id === undefined || secretHash === undefined) return new AppError('UNAUTHENTICATED');
      const device: Device = { kind: 'device', id, secretHash };
      recent.set(begun, token, device);
      return device;
    });
  }, BATCHES);
  const ownerOf = inBatches((hashes: readonly string[]) => devicesOf(db, hashes), BATCHES);
  return {
    device: async (token) => recent.get(token) ?? find(token),
    cachedDevice: (token) => recent.get(token),
    stillPaired: async ({ id, secretHash }) => (await ownerOf(secretHash)) === id,
  };
}
