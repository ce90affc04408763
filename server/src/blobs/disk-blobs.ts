import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { createReadStream, createWriteStream, promises as fs } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Blobs, ByteRange, LocalFile, Source } from './blobs.ts';

/** A local file that is kept after use. */
export const lent = (file: string): LocalFile => ({ path: file, [Symbol.asyncDispose]: async () => {} });

/** For a file that is not there; an error of the disk, or too many open files, says nothing about it. */
export function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}

/** Blobs as files below one folder, two levels deep: `ab/ab12…`. */
export class DiskBlobs implements Blobs {
  readonly origin = undefined;
  readonly #root: string;
  readonly #internal: string | undefined;

  /** @param internal the address by which the web server in front finds `root`, when it may send the files */
  constructor(root: string, internal?: string) {
    this.#root = root;
    this.#internal = internal;
  }

  #path(sha256: string): string {
    return path.join(this.#root, ...placeOf(sha256));
  }

  async adopt(sha256: string, file: string): Promise<void> {
    const target = this.#path(sha256);
    await fs.mkdir(path.dirname(target), { recursive: true });
    try {
      await sync(file, 'r+');
      await fs.rename(file, target);
    } catch (error) {
      if (!isCrossDevice(error)) throw error;
      const beside = `${target}.${randomUUID()}.part`;
      await pipeline(createReadStream(file), createWriteStream(beside, { flush: true }));
      await fs.rename(beside, target);
      await fs.rm(file, { force: true });
    }
    // The folder, too: otherwise a power cut can undo the rename after a row already names the blob.
    await sync(path.dirname(target), 'r');
  }

  async size(sha256: string): Promise<number | undefined> {
    return fs.stat(this.#path(sha256)).then((stat) => stat.size, absent);
  }

  async read(sha256: string, range?: ByteRange): Promise<Readable> {
    const handle = await fs.open(this.#path(sha256));
    return handle.createReadStream(range ?? {});
  }

  async borrow(sha256: string): Promise<LocalFile> {
    return lent(this.#path(sha256));
  }

  async source(sha256: string): Promise<Source> {
    const file = this.#path(sha256);
    if (this.#internal === undefined) return { kind: 'here', file };
    return { kind: 'internal', path: this.#internal + placeOf(sha256).join('/'), file };
  }

  async remove(sha256: string): Promise<void> {
    await fs.rm(this.#path(sha256), { force: true });
  }

  async *names(before: Date): AsyncGenerator<string[]> {
    for (const folder of await fs.readdir(this.#root)) {
      const old: string[] = [];
      for (const name of await fs.readdir(path.join(this.#root, folder)).catch(() => [])) {
        const stat = await fs.stat(path.join(this.#root, folder, name)).catch(() => undefined);
        // When it was put there; it may have been written long before.
        if (stat && stat.ctime < before) old.push(name);
      }
      if (old.length > 0) yield old;
    }
  }

  async check(): Promise<void> {
    await fs.mkdir(this.#root, { recursive: true });
    await fs.access(this.#root, fs.constants.W_OK);
  }
}

const placeOf = (sha256: string): string[] => [sha256.slice(0, 2), sha256];

const isCrossDevice = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EXDEV';

/** The content must be on the disk before the rename makes it visible. */
async function sync(fileOrFolder: string, flags: 'r' | 'r+'): Promise<void> {
  const handle = await fs.open(fileOrFolder, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
