import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable, Transform } from 'node:stream';
import { AppError, UPLOAD_EXPIRY_HOURS } from '@ams/contract';
import type { Arrival } from '../blobs/blobs.ts';
import { hashFile } from '../platform/process/hash-file.ts';
import { whileRoom } from '../blobs/room.ts';
import { stage, stagingFolder } from '../blobs/staging.ts';
import { StorageFull } from '../platform/http/storage-full.ts';
import type { Deps } from '../platform/process/deps.ts';
import { CheckedPart } from './checked-part.ts';
import { CHECKSUM_MISMATCH, tooLong, TusRefusal } from './protocol.ts';
import { HEAD_BYTES, type UploadPurpose } from '../blobs/purpose.ts';
import { hashUpTo, type RunningHash } from './running-hash.ts';
import type { SentPart } from './sent-part.ts';
import {
  deleteUpload,
  findUpload,
  type FoundUpload,
  insertUpload,
  type NewUpload,
  recordHead,
  recordProgress,
  requireFewUploads,
  type StoredUpload,
} from './uploads.queries.ts';

export const UPLOAD_EXPIRY_MS = UPLOAD_EXPIRY_HOURS * 3_600_000;

/** An upload as the storage knows it. */
export const arrivalOf = ({ id, size, place }: Pick<StoredUpload, 'id' | 'size' | 'place'>): Arrival => ({
  id,
  size,
  place,
});

/** It expires a day after its last byte came. */
export const expiryOf = ({ touched_at }: Pick<StoredUpload, 'touched_at'>): Date =>
  new Date(touched_at.getTime() + UPLOAD_EXPIRY_MS);

/** An unfinished upload and how many of its bytes are stored. */
export interface OpenUpload {
  row: StoredUpload;
  offset: number;
}

/** Passes bytes on and updates `hash` with them. Refuses more than `left` with 413 before they are stored. */
function hashing(hash: Hash, left: number): Transform {
  let bytes = 0;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > left) return done(tooLong(left));
      hash.update(chunk);
      done(null, chunk);
    },
  });
}

/**
 * Unfinished uploads: a row for what is known, the storage for the bytes. Bytes that cannot be what they should are
 * refused before they are stored, and are hashed on their way. Callers hold the lock of the upload.
 */
export class Receiver {
  readonly #deps: Deps;
  readonly #purposeOf: (name: string) => UploadPurpose;

  constructor(deps: Deps, purposeOf: (name: string) => UploadPurpose) {
    this.#deps = deps;
    this.#purposeOf = purposeOf;
  }

  /** Begins an upload. Throws `TOO_MANY_UPLOADS`, `StorageFull`, and what the purpose's `reserve` throws. */
  async create(upload: Omit<NewUpload, 'place'>): Promise<void> {
    const { db, incoming } = this.#deps;
    const { id, purpose, metadata, size } = upload;
    await requireFewUploads(db, upload.uploader_id);
    const place = await incoming.begin(id, size);
    try {
      await insertUpload(db, { ...upload, place }, (tx) => this.#purposeOf(purpose).reserve?.(tx, metadata, size));
    } catch (error) {
      await incoming.discard({ id, place });
      throw error;
    }
  }

  find(id: string): Promise<FoundUpload | undefined> {
    return findUpload(this.#deps.db, id);
  }

  /** Throws `NOT_FOUND` when its bytes do not exist any more; refuses one that expired with 410. */
  async open(row: FoundUpload): Promise<OpenUpload> {
    const offset = await this.#deps.incoming.received(arrivalOf(row));
    if (offset === undefined) throw new AppError('NOT_FOUND');
    if (row.isExpired) throw new TusRefusal(410);
    return { row, offset };
  }

  /**
   * Stores a part and returns the new offset. Refuses a part that is too long with 413 and a wrong checksum with
   * 460. An upload whose bytes are refused, or that met a full disk, is removed.
   */
  async append({ row, offset }: OpenUpload, part: SentPart): Promise<number> {
    const left = row.size - offset;
    if (part.announced !== undefined && part.announced > left) throw tooLong(left);
    try {
      if (!part.checksum) return await this.#store(row, offset, part.bytes, part.announced);
      // Only what was compared may be kept.
      const { data, diskReserveBytes } = this.#deps.config;
      const folder = stagingFolder(data);
      const hash = createHash(part.checksum.algorithm);
      const through = [hashing(hash, left), whileRoom(folder, diskReserveBytes)];
      await using staged = await stage(part.bytes, folder, ...through);
      if (!hash.digest().equals(part.checksum.digest)) throw new TusRefusal(CHECKSUM_MISMATCH);
      return await this.#store(row, offset, createReadStream(staged.path), part.announced);
    } catch (error) {
      // Refused bytes are not kept, and partial bytes on a full disk are removed.
      if (error instanceof AppError || error instanceof StorageFull) await this.remove(row.id);
      throw error;
    }
  }

  /** SHA-256 of a complete upload, noted with it. */
  async identify(row: StoredUpload): Promise<string> {
    if (row.sha256 !== null) return row.sha256;
    await using file = await this.#deps.incoming.borrow(arrivalOf(row));
    const { sha256 } = await hashFile(file.path);
    await recordProgress(this.#deps.db, row, { hashed: row.hashed, hash_state: row.hash_state, sha256 });
    return sha256;
  }

  async remove(id: string): Promise<void> {
    const row = await this.find(id);
    if (!row) return;
    await this.#deps.incoming.discard(row);
    await deleteUpload(this.#deps.db, id);
  }

  async #store(found: StoredUpload, offset: number, bytes: Readable, announced: number | undefined): Promise<number> {
    const { db, incoming } = this.#deps;
    const row = await this.#upTo(offset, found);
    const left = row.size - offset;
    const hash = await this.#hash(row, offset, announced === left);
    const part = new CheckedPart(row.head.subarray(0, offset), left, hash, (head) => this.#admit(row, head));
    // An error of the bytes is an error of the part.
    pipeline(bytes, part, () => undefined);
    await incoming.append(arrivalOf(row), offset, part);
    if (!(await recordProgress(db, row, part.progress(row, offset)))) throw new TusRefusal(409);
    return offset + part.bytes;
  }

  /** The upload as it is at an offset: a hash that includes bytes behind it, which the storage lost, counts no longer. */
  async #upTo(offset: number, row: StoredUpload): Promise<StoredUpload> {
    if (row.hashed <= offset) return row;
    const unknown = { hashed: 0, hash_state: null, sha256: null };
    if (!(await recordProgress(this.#deps.db, row, unknown))) throw new TusRefusal(409);
    return { ...row, ...unknown };
  }

  /**
   * Judges the first bytes when there are enough, and notes them before they are stored: a process that dies in
   * between leaves no bytes whose beginning is unknown. Too few are kept; the next part brings more.
   */
  async #admit({ id, purpose, metadata, size }: StoredUpload, head: Buffer): Promise<void> {
    if (head.length === Math.min(HEAD_BYTES, size)) this.#purposeOf(purpose).judge({ metadata, size }, head);
    await recordHead(this.#deps.db, id, head);
  }

  async #hash(row: StoredUpload, offset: number, isLast: boolean): Promise<RunningHash | undefined> {
    const { incoming } = this.#deps;
    if (!incoming.readable) return hashUpTo(row, offset, undefined, isLast);
    await using file = await incoming.borrow(arrivalOf(row));
    return await hashUpTo(row, offset, file.path, isLast);
  }
}
