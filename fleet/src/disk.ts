import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { type Hasher, type RawFile, openPartOf } from '@ams/player/part';
import { type MediaStore, StorageError, type StoredFile } from '@ams/player/store';

const PART = '.part';
const NAME = /^([0-9a-f]{64})(\.part)?$/;

function makeHasher(): Hasher {
  let hash = createHash('sha256');
  return {
    init() {
      hash = createHash('sha256');
    },
    update: (chunk) => hash.update(chunk),
    digest: () => hash.digest('hex'),
  };
}

async function openRaw(file: string, onBytes: (count: number) => void): Promise<RawFile> {
  const part = file + PART;
  const handle = await open(part, constants.O_RDWR | constants.O_CREAT);
  return {
    size: async () => (await handle.stat()).size,
    read: async (into, at) => (await handle.read(into, 0, into.byteLength, at)).bytesRead,
    async write(chunk, at) {
      const { bytesWritten } = await handle.write(chunk, 0, chunk.byteLength, at);
      onBytes(bytesWritten);
      return bytesWritten;
    },
    truncate: (size) => handle.truncate(size),
    close: () => handle.close(),
    rename: () => rename(part, file),
    remove: () => rm(part, { force: true }),
  };
}

async function entry(folder: string, name: string): Promise<StoredFile[]> {
  const [, sha256, part] = NAME.exec(name) ?? [];
  if (sha256 === undefined) return [];
  const { size, mtimeMs } = await stat(path.join(folder, name));
  return [{ sha256, bytes: size, state: part ? 'part' : 'whole', at: mtimeMs }];
}

/** A device's storage in a folder: `<sha256>` once checked, `<sha256>.part` before. `onBytes`: a chunk's length. */
export async function openDiskStore(folder: string, onBytes: (count: number) => void): Promise<MediaStore> {
  await mkdir(folder, { recursive: true });

  /** A name comes from the server and becomes a path, so it must be a hash and nothing else. */
  function fileOf(sha256: string): string {
    if (!NAME.test(sha256) || sha256.endsWith(PART)) throw new StorageError('storage', `no hash: ${sha256}`);
    return path.join(folder, sha256);
  }

  return {
    list: async () => (await Promise.all((await readdir(folder)).map((name) => entry(folder, name)))).flat(),
    openPart: async (sha256) => openPartOf(await openRaw(fileOf(sha256), onBytes), makeHasher()),
    async drop(sha256) {
      const file = fileOf(sha256);
      await Promise.all([rm(file, { force: true }), rm(file + PART, { force: true })]);
    },
    async check(sha256) {
      const hash = createHash('sha256');
      try {
        for await (const chunk of createReadStream(fileOf(sha256))) hash.update(chunk);
      } catch {
        return 'missing';
      }
      return hash.digest('hex') === sha256 ? 'sound' : 'damaged';
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize;
    },
  };
}
