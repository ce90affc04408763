import type { FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';

/** So much waits for the disk and is written at once. */
const WRITE_BYTES = 2 ** 20;
/** Bytes between two flushes, so that little remains to be flushed at the end. */
const SYNC_BYTES = 32 * 2 ** 20;

type Done = (error?: Error | null) => void;

/**
 * Writes what it is given into an open file, from `position` on. It owns the bytes: their memory is given back as soon
 * as they are written. A collection of garbage for every few megabytes would cost more than receiving them.
 */
export class DiskSink extends Writable {
  readonly #file: FileHandle;
  #position: number;
  #unsynced = 0;
  #syncing: Promise<void> | undefined;
  readonly #storing = callbackify((chunks: Buffer[]) => this.#store(chunks));

  constructor(file: FileHandle, position: number) {
    super({ highWaterMark: WRITE_BYTES });
    this.#file = file;
    this.#position = position;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#storing([chunk], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#storing(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  async #store(chunks: Buffer[]): Promise<void> {
    const { bytesWritten } = await this.#file.writev(chunks, this.#position);
    this.#position += bytesWritten;
    this.#unsynced += bytesWritten;
    if (this.#unsynced >= SYNC_BYTES) this.#sync();
    // A disk that is nearly full takes a part.
    const all = chunks.reduce((bytes, { length }) => bytes + length, 0);
    if (bytesWritten < all) return this.#store([Buffer.concat(chunks).subarray(bytesWritten)]);
    for (const { buffer, byteLength } of chunks) {
      if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
    }
  }

  #sync(): void {
    if (this.#syncing) return;
    this.#unsynced = 0;
    this.#syncing = this.#file
      .datasync()
      // The write that comes next fails, too, or the whole file is synced when it is kept.
      .catch(() => undefined)
      .finally(() => (this.#syncing = undefined));
  }
}
