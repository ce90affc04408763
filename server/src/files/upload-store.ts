import { createHash, type Hash } from 'node:crypto';
import { createWriteStream, promises as fs } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, UPLOAD_EXPIRY_HOURS } from '@ams/contract';
import { FileStore } from '@tus/file-store';
import { hashFile } from './content.ts';
import { SNIFF_BYTES } from './sniff.ts';

const EXPIRY_MS = UPLOAD_EXPIRY_HOURS * 3_600_000;

/** So many uploads under way have their hash counted along; the rest are read once more at their end. */
const HASHES_KEPT = 500;

/** What a piece of an upload must hash to (tus extension `checksum`). */
export interface Checksum {
  algorithm: string;
  digest: Buffer;
}

/** The piece that was sent is not the piece that arrived; nothing of it was kept. */
export class ChecksumMismatch extends Error {
  override name = 'ChecksumMismatch';
}

/** Throws what refuses an upload with this metadata whose first bytes are `head`. */
export type Judge = (metadata: Record<string, string | null> | undefined, head: Buffer) => void;

/**
 * Passes an upload on only if its first bytes are what they should be.
 * @param judge throws when they are not
 * @param before the first bytes that are stored already, fewer than `SNIFF_BYTES`
 * @param left how many bytes the upload still lacks
 */
async function* onlyJudged(
  chunks: AsyncIterable<Buffer>,
  judge: (head: Buffer) => void,
  before: Buffer,
  left: number,
): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = before;
  for await (const chunk of chunks) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < SNIFF_BYTES && head.length - before.length < left) continue;
    judge(head);
    yield head.subarray(before.length);
    head = undefined;
  }
  // Too few bytes to judge yet; the next piece brings more.
  if (head && head.length > before.length) yield head.subarray(before.length);
}

/**
 * Unfinished uploads below `<data>/uploads`: their bytes and, in `<id>.json`, what is known of them.
 * Bytes that cannot be what they should are refused before they reach the disk, and are hashed on their way.
 */
export class UploadStore extends FileStore {
  readonly #hashes = new Map<string, { hash: Hash; offset: number }>();
  readonly #checksums = new Map<string, Checksum>();

  readonly #judge: Judge;

  /** `judge` is not needed by who only removes what has expired. */
  constructor(data: string, judge: Judge = () => undefined) {
    super({ directory: path.join(data, 'uploads'), expirationPeriodInMilliseconds: EXPIRY_MS });
    this.#judge = judge;
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];
  }

  pathOf(id: string): string {
    return path.join(this.directory, id);
  }

  /** Whether bytes of this upload are here. */
  has(id: string): Promise<boolean> {
    return fs.access(this.pathOf(id)).then(
      () => true,
      () => false,
    );
  }

  /** The next `write` of this upload keeps its bytes only if they match. */
  expect(id: string, checksum: Checksum): void {
    this.#checksums.set(id, checksum);
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const upload = await this.getUpload(id);
    const judge = (head: Buffer): void => this.#judge(upload.metadata, head);
    const left = (upload.size ?? 0) - offset;
    const before = offset < SNIFF_BYTES ? (await fs.readFile(this.pathOf(id))).subarray(0, offset) : undefined;
    const checksum = this.#take(id);
    const check = checksum && createHash(checksum.algorithm);
    const known = this.#hashes.get(id);
    this.#hashes.delete(id);
    const whole = offset === 0 ? createHash('sha256') : known?.offset === offset ? known.hash : undefined;
    let written = 0;

    async function* guarded(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of before ? onlyJudged(chunks, judge, before, left) : chunks) {
        written += chunk.length;
        whole?.update(chunk);
        check?.update(chunk);
        yield chunk;
      }
    }

    try {
      await pipeline(readable, guarded, createWriteStream(this.pathOf(id), { flags: 'r+', start: offset }));
    } catch (error) {
      if (error instanceof AppError) await this.remove(id);
      throw error;
    }
    if (checksum && check && !check.digest().equals(checksum.digest)) {
      await fs.truncate(this.pathOf(id), offset);
      throw new ChecksumMismatch();
    }
    if (whole) this.#keep(id, whole, offset + written);
    return offset + written;
  }

  /** SHA-256 of a complete upload. */
  async hash(id: string, size: number): Promise<string> {
    const known = this.#hashes.get(id);
    if (known?.offset === size) return known.hash.copy().digest('hex');
    return (await hashFile(this.pathOf(id))).sha256;
  }

  override async remove(id: string): Promise<void> {
    this.#hashes.delete(id);
    await fs.rm(this.pathOf(id), { force: true });
    await fs.rm(`${this.pathOf(id)}.json`, { force: true });
  }

  /** Removes what nothing was added to for a day; answers how many files that were. */
  override async deleteExpired(): Promise<number> {
    const before = Date.now() - EXPIRY_MS;
    let removed = 0;
    for (const name of await fs.readdir(this.directory).catch(() => [])) {
      const id = path.basename(name, '.json');
      const newest = Math.max(...(await Promise.all([this.pathOf(id), `${this.pathOf(id)}.json`].map(modifiedAt))));
      if (newest >= before) continue;
      await this.remove(id);
      removed++;
    }
    return removed;
  }

  #take(id: string): Checksum | undefined {
    const checksum = this.#checksums.get(id);
    this.#checksums.delete(id);
    return checksum;
  }

  #keep(id: string, hash: Hash, offset: number): void {
    const [oldest] = this.#hashes.keys();
    if (oldest !== undefined && this.#hashes.size >= HASHES_KEPT) this.#hashes.delete(oldest);
    this.#hashes.set(id, { hash, offset });
  }
}

/** Milliseconds since 1970; 0 for a file that does not exist. */
const modifiedAt = (file: string): Promise<number> =>
  fs.stat(file).then(
    (stat) => stat.mtimeMs,
    () => 0,
  );
