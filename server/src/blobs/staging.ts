import { createWriteStream, promises as fs } from 'node:fs';
import path from 'node:path';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { v7 as uuidv7 } from 'uuid';
import type { LocalFile } from './blobs.ts';

/** The folder of files that a program works on. A crash may leave some; they are removed after a day. */
export const stagingFolder = (data: string): string => path.join(data, 'staging');

/** Stores a stream as a local file in `folder` until it is disposed of; all of its bytes pass `through` these first. */
export async function stage(bytes: Readable, folder: string, ...through: Transform[]): Promise<LocalFile> {
  await fs.mkdir(folder, { recursive: true });
  const file = path.join(folder, uuidv7());
  const remove = (): Promise<void> => fs.rm(file, { force: true });
  try {
    await pipeline([bytes, ...through, createWriteStream(file)]);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path: file, [Symbol.asyncDispose]: remove };
}

/** The folder in which files are examined and converted, each in a folder of its own. */
export const processingFolder = (data: string): string => path.join(data, 'processing');

/**
 * Removes what a process left behind that was killed before `before`: staged files, and what it made of a file that was
 * then deleted, or continued by another process.
 */
export async function cleanStaging(data: string, before: Date): Promise<void> {
  for (const folder of [stagingFolder(data), processingFolder(data)]) {
    for (const name of await fs.readdir(folder).catch(() => [])) {
      const left = path.join(folder, name);
      const stat = await fs.stat(left).catch(() => undefined);
      if (stat && stat.mtime < before) await fs.rm(left, { recursive: true, force: true });
    }
  }
}
