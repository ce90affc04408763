import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** A request with an idempotency key; the key is valid within its account. */
export interface Intent {
  accountId: string;
  key: string;
  /** Everything that makes the request this one: its method, address and body. */
  request: readonly (string | Buffer)[];
}

/** An answer as it is sent. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Stored identity of a request and the key of its answer; both are derived from the caller's key. */
export interface Derived {
  /** Finds the row. */
  id: Buffer;
  /** Tells whether a key comes with the same request again. */
  fingerprint: Buffer;
  /** Opens the stored answer, which may hold secrets such as invitation codes. */
  secret: Buffer;
}

export function derive({ accountId, key, request }: Intent): Derived {
  const hash = createHash('sha256');
  // Each part with its length: no two requests read the same.
  for (const part of request) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  const digest = hash.digest();
  const of = (purpose: string, ...parts: (string | Buffer)[]): Buffer =>
    parts
      .reduce((mac, part) => mac.update(part), createHmac('sha256', key).update(`${purpose}:${accountId}:`))
      .digest();
  return { id: of('id'), fingerprint: of('fingerprint', digest), secret: of('secret', digest) };
}

/** Encrypts an answer: nonce, ciphertext, tag. */
export function seal(answer: Answer, secret: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, nonce, { authTagLength: TAG_BYTES });
  const text = [cipher.update(JSON.stringify(answer)), cipher.final()];
  return Buffer.concat([nonce, ...text, cipher.getAuthTag()]);
}

/** Decrypts what `seal` made with the same secret; throws otherwise. */
export function unseal(sealed: Buffer, secret: Buffer): Answer {
  const decipher = createDecipheriv(ALGORITHM, secret, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const text = [decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- authenticated: only `seal` made it
  return JSON.parse(Buffer.concat(text).toString()) as Answer;
}
