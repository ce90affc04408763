import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { AppError, UPLOAD_EXPIRY_HOURS } from '@ams/contract';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { type Arrival, StorageFull } from '../platform/blobs.ts';
import type { Deps } from '../platform/deps.ts';
import { hashFile } from './content.ts';
import { SNIFF_BYTES } from './sniff.ts';
import { spool } from './spool.ts';
import { hashUpTo, type RunningHash } from './upload-hash.ts';
import { storedRecord } from './upload-record.ts';
import {
  deleteUpload,
  findUpload,
  insertUpload,
  recordProgress,
  requireFewUploads,
  type StoredUpload,
} from './uploads.queries.ts';

export const UPLOAD_EXPIRY_MS = UPLOAD_EXPIRY_HOURS * 3_600_000;

/** What a piece of an upload must hash to (tus extension `checksum`). */
export interface Checksum {
  algorithm: string;
  digest: Buffer;
}

/** What the head of a request says of the piece in its body. */
export interface Announced {
  bytes: number | undefined;
  checksum: Checksum | undefined;
}

/** The piece that was sent is not the piece that arrived; nothing of it was kept. */
export class ChecksumMismatch extends Error {
  override name = 'ChecksumMismatch';
}

/** Throws what refuses an upload of this kind and metadata whose first bytes are `head`. */
export type Judge = (upload: Pick<StoredUpload, 'kind' | 'metadata'>, head: Buffer) => void;

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

/** A piece as it passes by: what it adds to what is known of the upload. */
class Piece {
  bytes = 0;
  head: Buffer;
  readonly #hash: RunningHash | undefined;

  constructor(before: Buffer, hash: RunningHash | undefined) {
    this.head = before;
    this.#hash = hash;
  }

  async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (this.head.length < SNIFF_BYTES) this.head = Buffer.concat([this.head, chunk]).subarray(0, SNIFF_BYTES);
      this.#hash?.update(chunk);
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  /** What to note of an upload that this piece was added to at `offset`. */
  progress(before: StoredUpload, offset: number): Pick<StoredUpload, 'head' | 'hashed' | 'hash_state' | 'sha256'> {
    const { head } = this;
    const end = offset + this.bytes;
    const state = end < before.size ? this.#hash?.state() : undefined;
    if (state) return { head, hashed: end, hash_state: state, sha256: null };
    const sha256 = end === before.size ? (this.#hash?.digest() ?? null) : null;
    return { head, hashed: before.hashed, hash_state: before.hash_state, sha256 };
  }
}

export const arrivalOf = ({ id, size, place }: StoredUpload): Arrival => ({ id, size, place });

/**
 * Unfinished uploads as tus sees them: a row for what is known, the storage for the bytes. Bytes that cannot
 * be what they should are refused before they are stored, and are hashed on their way.
 */
export class UploadStore extends DataStore {
  readonly #deps: Deps;
  readonly #judge: Judge;
  readonly #announced = new AsyncLocalStorage<Announced>();

  constructor(deps: Deps, judge: Judge) {
    super();
    this.#deps = deps;
    this.#judge = judge;
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];
  }

  find(id: string): Promise<StoredUpload | undefined> {
    return findUpload(this.#deps.db, id);
  }

  /** Runs a request of tus; what its head announced is known to the `write` that it leads to. */
  during<T>(announced: Announced, request: () => Promise<T>): Promise<T> {
    return this.#announced.run(announced, request);
  }

  override async create(upload: Upload): Promise<Upload> {
    const { db, incoming } = this.#deps;
    const { id, size, metadata: stored } = upload;
    if (size === undefined) throw ERRORS.INVALID_LENGTH;
    const { kind, uploader, metadata } = storedRecord(stored);
    await requireFewUploads(db, uploader);
    const place = await incoming.begin(id, size);
    try {
      await insertUpload(db, { id, uploader_id: uploader, kind, metadata, size, place });
    } catch (error) {
      await incoming.discard({ id, place });
      throw error;
    }
    upload.creation_date = new Date().toISOString();
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const row = await this.#require(id);
    const offset = await this.#deps.incoming.received(arrivalOf(row));
    if (offset === undefined) throw ERRORS.FILE_NOT_FOUND;
    // It expires a day after the last byte came, not after the first.
    const creation_date = row.touched_at.toISOString();
    return new Upload({ id, size: row.size, offset, metadata: row.metadata, creation_date });
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#require(id);
    const { checksum, bytes } = this.#announced.getStore() ?? {};
    try {
      if (!checksum) return await this.#append(row, offset, readable, bytes);
      // Only what was compared may be kept.
      await using piece = await spool(readable, this.#deps.config.data, createHash(checksum.algorithm));
      if (!piece.digest.equals(checksum.digest)) throw new ChecksumMismatch();
      return await this.#append(row, offset, createReadStream(piece.path), bytes);
    } catch (error) {
      // What was refused is not kept, and what is on a full disk is in everybody's way.
      if (error instanceof AppError || error instanceof StorageFull) await this.remove(id);
      throw error;
    }
  }

  async #append(
    row: StoredUpload,
    offset: number,
    bytes: AsyncIterable<Buffer>,
    announced: number | undefined,
  ): Promise<number> {
    const { db, incoming } = this.#deps;
    const left = row.size - offset;
    const piece = new Piece(row.head.subarray(0, offset), await this.#hash(row, offset, announced === left));
    const judge = (head: Buffer): void => this.#judge(row, head);
    const judged = offset < SNIFF_BYTES ? onlyJudged(bytes, judge, row.head.subarray(0, offset), left) : bytes;
    await incoming.append(arrivalOf(row), offset, piece.watch(judged));
    if (!(await recordProgress(db, row, piece.progress(row, offset)))) throw ERRORS.INVALID_OFFSET;
    return offset + piece.bytes;
  }

  async #hash(row: StoredUpload, offset: number, isLast: boolean): Promise<RunningHash | undefined> {
    const { incoming } = this.#deps;
    if (!incoming.readable) return hashUpTo(row, offset, undefined, isLast);
    await using file = await incoming.borrow(arrivalOf(row));
    return hashUpTo(row, offset, file.path, isLast);
  }

  /** SHA-256 of a complete upload, noted with it. */
  async identify(row: StoredUpload): Promise<string> {
    if (row.sha256 !== null) return row.sha256;
    await using file = await this.#deps.incoming.borrow(arrivalOf(row));
    const { sha256 } = await hashFile(file.path);
    await recordProgress(this.#deps.db, row, { ...row, sha256 });
    return sha256;
  }

  override async remove(id: string): Promise<void> {
    const row = await this.find(id);
    if (!row) return;
    await this.#deps.incoming.discard(row);
    await deleteUpload(this.#deps.db, id);
  }

  override getExpiration(): number {
    return UPLOAD_EXPIRY_MS;
  }

  async #require(id: string): Promise<StoredUpload> {
    const row = await this.find(id);
    if (!row) throw ERRORS.FILE_NOT_FOUND;
    return row;
  }
}
