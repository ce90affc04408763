import type { Hash } from 'node:crypto';
import { createWriteStream, promises as fs } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { v7 as uuidv7 } from 'uuid';
import type { LocalFile } from '../platform/blobs.ts';
import { stagingFolder } from '../platform/storage.ts';

/** Keeps a stream as a local file, hashed by `hash`, until it is disposed of. */
export async function spool(bytes: Readable, data: string, hash: Hash): Promise<LocalFile & { digest: Buffer }> {
  const folder = stagingFolder(data);
  await fs.mkdir(folder, { recursive: true });
  const file = path.join(folder, uuidv7());
  const drop = (): Promise<void> => fs.rm(file, { force: true });
  async function* hashed(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    await pipeline(bytes, hashed, createWriteStream(file));
  } catch (error) {
    await drop();
    throw error;
  }
  return { path: file, digest: hash.digest(), [Symbol.asyncDispose]: drop };
}
