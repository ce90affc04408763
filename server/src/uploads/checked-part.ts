import { Transform, type TransformCallback } from 'node:stream';
import { callbackify } from 'node:util';
import { HEAD_BYTES } from '../blobs/purpose.ts';
import { tooLong } from './protocol.ts';
import type { RunningHash } from './running-hash.ts';
import type { Progress, StoredUpload } from './uploads.queries.ts';

/** A part of an upload on its way to the storage: its first bytes are judged, all are counted and hashed. */
export class CheckedPart extends Transform {
  bytes = 0;
  readonly #left: number;
  readonly #hash: RunningHash | undefined;
  readonly #admit: (head: Buffer, done: (error: Error | null) => void) => void;
  #head: Buffer;
  /** The bytes received before there were enough to judge. */
  #waiting: Buffer | undefined;

  /**
   * @param before the first bytes that are stored already, `HEAD_BYTES` at most
   * @param left how many bytes the upload still lacks
   * @param admit gets more first bytes before they are passed on; throws when they are not what they should be
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
    if (this.bytes > this.#left) return done(tooLong(this.#left));
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

  /** The changes to an upload to which this part was added at `offset`. */
  progress(before: StoredUpload, offset: number): Progress {
    const end = offset + this.bytes;
    const state = end < before.size ? this.#hash?.state() : undefined;
    if (state) return { hashed: end, hash_state: state, sha256: null };
    const sha256 = end === before.size ? (this.#hash?.digest() ?? null) : null;
    return { hashed: before.hashed, hash_state: before.hash_state, sha256 };
  }
}
