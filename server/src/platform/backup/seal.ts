import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BackupError, PRIVATE } from './archive.ts';

/**
 * The seal is the last line of an archive: an HMAC-SHA-256 (RFC 2104) of every byte before it, by a key that only the
 * operator has. A restore checks it before it parses anything.
 */

const KEY_BYTES = 32;
const KEY_NAME_CHARACTERS = 16;
const SEAL = /^ams-backup-2 key=([0-9a-f]{16}) hmac-sha-256=([0-9a-f]{64})\n$/;
const SEAL_BYTES = 'ams-backup-2 key= hmac-sha-256=\n'.length + KEY_NAME_CHARACTERS + 64;

/** The key in a file. Throws `BackupError` when the file holds none, and the system's error when it cannot be read. */
export async function readKey(file: string): Promise<Buffer> {
  const text = (await readFile(file, 'utf8')).trim();
  if (!/^[0-9a-f]{64}$/.test(text)) throw new BackupError(`${file} is not a backup key`);
  return Buffer.from(text, 'hex');
}

/** The key in a file, which is made when there is none: only its owner can read it. */
export async function openKey(file: string): Promise<{ key: Buffer; isNew: boolean }> {
  const isNew = await makeKey(file);
  return { key: await readKey(file), isNew };
}

/** Makes a key; false when there is one. A half-written one is refused by `readKey` and never replaced. */
async function makeKey(file: string): Promise<boolean> {
  try {
    await writeFile(file, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { flag: 'wx', mode: PRIVATE, flush: true });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Tells keys apart without giving anything of them away. */
const nameOf = (key: Buffer): string =>
  createHmac('sha256', key).update('ams-backup-key').digest('hex').slice(0, KEY_NAME_CHARACTERS);

/** Passes an archive on while the seal is computed. */
export class Sealing extends Transform {
  readonly #key: Buffer;
  readonly #hmac;

  constructor(key: Buffer) {
    super();
    this.#key = key;
    this.#hmac = createHmac('sha256', key);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: (error: null, chunk: Buffer) => void): void {
    this.#hmac.update(chunk);
    done(null, chunk);
  }

  /** The line that belongs behind everything that has passed. Once only. */
  seal(): string {
    return `ams-backup-2 key=${nameOf(this.#key)} hmac-sha-256=${this.#hmac.digest('hex')}\n`;
  }
}

/** An archive on the disk: the bytes that the seal covers, and the seal. */
export interface SealedArchive {
  file: string;
  bytes: number;
  seal: string;
}

/** Finds the seal of an archive. Throws `BackupError` when there is none. */
export async function openArchive(file: string): Promise<SealedArchive> {
  await using handle = await open(file);
  const { size } = await handle.stat();
  const first = await handle.read({ buffer: Buffer.alloc(11), position: 0 });
  if (first.buffer.toString('latin1') === 'backup.json') {
    throw new BackupError(
      `${file} has the older format without a seal: restore it with the version that created it, update, and create a new backup`,
    );
  }
  const bytes = Math.max(0, size - SEAL_BYTES);
  const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(SEAL_BYTES), position: bytes });
  const seal = buffer.toString('latin1', 0, bytesRead);
  if (bytes === 0 || !SEAL.test(seal))
    throw new BackupError(`${file} is truncated, damaged, or not a backup of this system`);
  return { file, bytes, seal };
}

/** Throws `BackupError` unless the key made the seal and not a byte has changed since. */
export async function authenticate(archive: SealedArchive, key: Buffer): Promise<void> {
  if (SEAL.exec(archive.seal)?.[1] !== nameOf(key))
    throw new BackupError(`${archive.file} was sealed with another key`);
  const sealing = new Sealing(key);
  await pipeline(sealedBytes(archive), sealing.resume());
  requireSeal(archive, sealing);
}

export const sealedBytes = ({ file, bytes }: SealedArchive): Readable => createReadStream(file, { end: bytes - 1 });

/** Throws `BackupError` unless what has passed through `sealing` is what the archive's seal was made of. */
export function requireSeal({ file, seal }: SealedArchive, sealing: Sealing): void {
  if (timingSafeEqual(Buffer.from(sealing.seal()), Buffer.from(seal))) return;
  throw new BackupError(`${file} does not match its seal: bytes are damaged, missing, added or changed`);
}
