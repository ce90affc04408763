import type { Readable } from 'node:stream';
import { createReadStream, createWriteStream, promises as fs } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** Content-addressed storage: a blob is named by the SHA-256 of its bytes and never changes. */
export interface Blobs {
  /** Takes over a finished local file; it is there whole or not at all. */
  adopt(sha256: string, file: string): Promise<void>;
  /** Size in bytes, or undefined when there is none. */
  size(sha256: string): Promise<number | undefined>;
  read(sha256: string, range?: ByteRange): Promise<Readable>;
  /** A local path of the blob for programs that need one. */
  localPath(sha256: string): Promise<string>;
  remove(sha256: string): Promise<void>;
  /** Throws when the storage does not work. */
  check(): Promise<void>;
}

/** Blobs as files below one folder, two levels deep: `ab/ab12…`. */
export class DiskBlobs implements Blobs {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  #path(sha256: string): string {
    return path.join(this.#root, sha256.slice(0, 2), sha256);
  }

  async adopt(sha256: string, file: string): Promise<void> {
    const target = this.#path(sha256);
    await fs.mkdir(path.dirname(target), { recursive: true });
    try {
      await sync(file, 'r+');
      await fs.rename(file, target);
    } catch (error) {
      if (!isCrossDevice(error)) throw error;
      const beside = `${target}.${process.pid}.part`;
      await pipeline(createReadStream(file), createWriteStream(beside, { flush: true }));
      await fs.rename(beside, target);
      await fs.rm(file, { force: true });
    }
    // The folder, too: otherwise a power cut can undo the rename after a row already names the blob.
    await sync(path.dirname(target), 'r');
  }

  async size(sha256: string): Promise<number | undefined> {
    return fs.stat(this.#path(sha256)).then(
      (stat) => stat.size,
      () => undefined,
    );
  }

  async read(sha256: string, range?: ByteRange): Promise<Readable> {
    const handle = await fs.open(this.#path(sha256));
    return handle.createReadStream(range ?? {});
  }

  async localPath(sha256: string): Promise<string> {
    return this.#path(sha256);
  }

  async remove(sha256: string): Promise<void> {
    await fs.rm(this.#path(sha256), { force: true });
  }

  async check(): Promise<void> {
    await fs.mkdir(this.#root, { recursive: true });
    await fs.access(this.#root, fs.constants.W_OK);
  }
}

const isCrossDevice = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EXDEV';

/** What a rename makes visible must be on the disk before. */
async function sync(fileOrFolder: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await fs.open(fileOrFolder, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
