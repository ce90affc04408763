import { createHmac, createSecretKey, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

const DAY_SECONDS = 86_400;

declare module '../database/database.ts' {
  interface Tables {
    secrets: { name: string; value: Buffer };
  }
}

/** The installation's own random key of that name, made on first use; the same in every server process. */
export async function secretKey(db: Db, name: string): Promise<Buffer> {
  await sql`insert into secrets (name, value) values (${name}, ${randomBytes(32)}) on conflict do nothing`.execute(db);
  const { value } = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return value;
}

/** Signs addresses of this server so that they open without a session until they expire. */
export class Signer {
  readonly #key: KeyObject;

  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  /**
   * `path` with `?e=<seconds since 1970>&s=<HMAC-SHA-256>`. It holds for one to two days and is the
   * same for all calls of one UTC day, so that caches can keep what it leads to.
   */
  sign(path: string, now = Date.now()): string {
    const expires = (Math.floor(now / 1000 / DAY_SECONDS) + 2) * DAY_SECONDS;
    return `${path}?e=${expires}&s=${this.#signature(path, String(expires))}`;
  }

  verify(path: string, expires: string | undefined, signature: string | undefined, now = Date.now()): boolean {
    if (!expires || !signature || !/^\d{1,12}$/.test(expires) || Number(expires) * 1000 < now) return false;
    const expected = Buffer.from(this.#signature(path, expires));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  /** HMAC-SHA-256 of bytes for a purpose; what is signed for another purpose, or as an address, is never the same. */
  mac(purpose: string, bytes: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(`${purpose}\n`).update(bytes).digest();
  }

  #signature(path: string, expires: string): string {
    return createHmac('sha256', this.#key).update(`${path}\n${expires}`).digest('base64url');
  }
}
