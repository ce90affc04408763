import type { Hash } from 'node:crypto';
import { createWriteStream, promises as fs } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { v7 as uuidv7 } from 'uuid';
import type { LocalFile } from './blobs.ts';

/** The folder of files that a program works on. A crash may leave some; they are removed after a day. */
export const stagingFolder = (data: string): string => path.join(data, 'staging');

/** Passes chunks on and updates `hash` with each. */
const hashing = (hash: Hash) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };

/** Stores a stream as a local file in `folder` until it is disposed of; `hash` gets all of its bytes. */
export async function stage(bytes: Readable, folder: string, hash?: Hash): Promise<LocalFile> {
  await fs.mkdir(folder, { recursive: true });
  const file = path.join(folder, uuidv7());
  const remove = (): Promise<void> => fs.rm(file, { force: true });
  try {
    await (hash ? pipeline(bytes, hashing(hash), createWriteStream(file)) : pipeline(bytes, createWriteStream(file)));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path: file, [Symbol.asyncDispose]: remove };
}

/** Removes staged files that a process left behind when it was killed before `before`. */
export async function cleanStaging(data: string, before: Date): Promise<void> {
  const folder = stagingFolder(data);
  for (const name of await fs.readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const stat = await fs.stat(file).catch(() => undefined);
    if (stat && stat.mtime < before) await fs.rm(file, { force: true });
  }
}
