import { promises as fs } from 'node:fs';
import { Transform } from 'node:stream';
import { callbackify } from 'node:util';
import { StorageFull } from '../platform/http/storage-full.ts';

/** After so many bytes the room on the disk is looked at again. */
const BYTES_A_LOOK = 16 * 2 ** 20;

/**
 * Throws `StorageFull` unless the disk of `folder` takes so many bytes more.
 *
 * @param reserve so many bytes of the disk stay free: the database may be beside the files
 */
export async function requireRoom(folder: string, bytes: number, reserve: number): Promise<void> {
  const { bavail, bsize } = await fs.statfs(folder);
  if (bavail * bsize < bytes + reserve) throw new StorageFull('the disk is full');
}

/** Passes bytes on for as long as the disk of `folder` has room. */
export function whileRoom(folder: string, reserve: number): Transform {
  const look = callbackify((bytes: number) => requireRoom(folder, bytes, reserve));
  let unlooked = BYTES_A_LOOK;
  return new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      unlooked += chunk.length;
      if (unlooked < BYTES_A_LOOK) return done(null, chunk);
      unlooked = 0;
      look(chunk.length, (error) => done(error, chunk));
    },
  });
}
