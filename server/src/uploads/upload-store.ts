import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { callbackify } from 'node:util';
import { AppError, UPLOAD_EXPIRY_HOURS } from '@ams/contract';
import { DataStore, ERRORS, Upload } from '@tus/server';
import type { Arrival } from '../blobs/blobs.ts';
import type { Deps } from '../platform/process/deps.ts';
import { hashFile } from '../blobs/hash-file.ts';
import { stage, stagingFolder } from '../blobs/staging.ts';
import { StorageFull } from '../platform/http/storage-full.ts';
import { HEAD_BYTES } from './purpose.ts';
import type { Sent } from './tus-request.ts';
import { hashUpTo, type RunningHash } from './upload-hash.ts';
import { storedRecord } from './upload-record.ts';
import {
  deleteUpload,
  findUpload,
  insertUpload,
  type Progress,
  recordHead,
  recordProgress,
  requireFewUploads,
  type Reserve,
  type StoredUpload,
} from './uploads.queries.ts';

export const UPLOAD_EXPIRY_MS = UPLOAD_EXPIRY_HOURS * 3_600_000;

/** Expected checksum of a piece of an upload (tus extension `checksum`). */
export interface Checksum {
  algorithm: string;
  digest: Buffer;
}

/** The piece of an upload that a request brings, and what its head says of it. */
export interface SentPiece {
  sent: Sent | undefined;
  /** How many bytes it shall have. */
  announced: number | undefined;
  checksum: Checksum | undefined;
}

/** The piece that was sent is not the piece that arrived; nothing of it was kept. */
export class ChecksumMismatch extends Error {
  override name = 'ChecksumMismatch';
}

/** More bytes came than the upload shall have; those that it lacked were kept. */
export class TooManyBytes extends Error {
  override name = 'TooManyBytes';
}

/** Throws what refuses an upload of this kind and metadata whose first bytes are `head`. */
export type Judge = (upload: Pick<StoredUpload, 'purpose' | 'metadata'>, head: Buffer) => void;

/** A piece of an upload as it passes by: its beginning admitted, counted and hashed. */
class Piece extends Transform {
  bytes = 0;
  readonly #left: number;
  readonly #hash: RunningHash | undefined;
  readonly #admit: (head: Buffer, done: (error: Error | null) => void) => void;
  #head: Buffer;
  /** What came before there was enough to judge. */
  #waiting: Buffer | undefined;

  /**
   * @param before the first bytes that are stored already, `HEAD_BYTES` at most
   * @param left how many bytes the upload still lacks
   * @param admit hears of more first bytes before they go on; throws when they are not what they should be
   */
  constructor(before: Buffer, left: number, hash: RunningHash | undefined, admit: (head: Buffer) => Promise<void>) {
    super();
    this.#head = before;
    this.#left = left;
    this.#hash = hash;
    this.#admit = callbackify(admit);
    if (before.length < HEAD_BYTES) this.#waiting = Buffer.alloc(0);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.bytes > this.#left) return done(new TooManyBytes());
    this.#hash?.update(chunk);
    if (!this.#waiting) return done(null, chunk);
    this.#head = Buffer.concat([this.#head, chunk]).subarray(0, HEAD_BYTES);
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    if (this.#head.length < HEAD_BYTES && this.bytes < this.#left) return done();
    this._flush(done);
  }

  override _flush(done: TransformCallback): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting?.length) return done();
    this.#admit(this.#head, (error) => done(error, waiting));
  }

  /** State of an upload after this piece was added at `offset`. */
  progress(before: StoredUpload, offset: number): Progress {
    const end = offset + this.bytes;
    const state = end < before.size ? this.#hash?.state() : undefined;
    if (state) return { hashed: end, hash_state: state, sha256: null };
    const sha256 = end === before.size ? (this.#hash?.digest() ?? null) : null;
    return { hashed: before.hashed, hash_state: before.hash_state, sha256 };
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
  readonly #reserve: Reserve;
  readonly #piece = new AsyncLocalStorage<SentPiece>();

  constructor(deps: Deps, judge: Judge, reserve: Reserve) {
    super();
    this.#reserve = reserve;
    this.#deps = deps;
    this.#judge = judge;
    this.extensions = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];
  }

  find(id: string): Promise<StoredUpload | undefined> {
    return findUpload(this.#deps.db, id);
  }

  /** Runs a request of tus; the piece that it brings is known to the `write` that it leads to. */
  during<T>(piece: SentPiece, request: () => Promise<T>): Promise<T> {
    return this.#piece.run(piece, request);
  }

  override async create(upload: Upload): Promise<Upload> {
    const { db, incoming } = this.#deps;
    const { id, size, metadata: stored } = upload;
    if (size === undefined) throw ERRORS.INVALID_LENGTH;
    const { purpose, uploader, metadata } = storedRecord(stored);
    await requireFewUploads(db, uploader);
    const place = await incoming.begin(id, size);
    try {
      await insertUpload(db, { id, uploader_id: uploader, purpose, metadata, size, place }, this.#reserve);
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

  /** @param lasting has no bytes, but ends when the request's end or when somebody else wants the upload */
  override async write(lasting: Readable, id: string, offset: number): Promise<number> {
    const row = await this.#require(id);
    const { sent, announced, checksum } = this.#piece.getStore() ?? {};
    if (!sent) throw new Error('only requests write');
    lasting.resume().once('end', sent.end);
    try {
      if (!checksum) return await this.#append(row, offset, sent.bytes, announced);
      // Only what was compared may be kept.
      const hash = createHash(checksum.algorithm);
      await using piece = await stage(sent.bytes, stagingFolder(this.#deps.config.data), hash);
      if (!hash.digest().equals(checksum.digest)) throw new ChecksumMismatch();
      return await this.#append(row, offset, createReadStream(piece.path), announced);
    } catch (error) {
      // Refused uploads and uploads that met a full disk are removed.
      if (error instanceof AppError || error instanceof StorageFull) await this.remove(id);
      throw error;
    }
  }

  async #append(row: StoredUpload, offset: number, bytes: Readable, announced: number | undefined): Promise<number> {
    const { db, incoming } = this.#deps;
    const left = row.size - offset;
    const hash = await this.#hash(row, offset, announced === left);
    const piece = new Piece(row.head.subarray(0, offset), left, hash, (head) => this.#admit(row, head));
    // An error of the bytes fails the piece.
    pipeline(bytes, piece, () => undefined);
    await incoming.append(arrivalOf(row), offset, piece);
    if (!(await recordProgress(db, row, piece.progress(row, offset)))) throw ERRORS.INVALID_OFFSET;
    return offset + piece.bytes;
  }

  /**
   * Judges the first bytes when there are enough, and notes them before they are stored: a process that dies in
   * between leaves no bytes that nobody knows the beginning of. Too few are kept; the next piece brings more.
   */
  async #admit(row: StoredUpload, head: Buffer): Promise<void> {
    if (head.length === Math.min(HEAD_BYTES, row.size)) this.#judge(row, head);
    await recordHead(this.#deps.db, row.id, head);
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
