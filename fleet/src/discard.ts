import { type Hash, createHash } from 'node:crypto';
import type { MediaStore, Part, StoredFile } from '@ams/player/store';

/** State of a partial file. The hash resumes where an interrupted download stopped. */
interface Passed {
  bytes: number;
  hash: Hash;
  state: StoredFile['state'];
  at: number;
}

const nothingYet = (): Passed => ({ bytes: 0, hash: createHash('sha256'), state: 'part', at: Date.now() });

/** A device's storage without storage: what comes is counted, hashed and thrown away. `onBytes`: a chunk's length. */
export function makeDiscardingStore(onBytes: (count: number) => void): MediaStore {
  const files = new Map<string, Passed>();

  function openPart(sha256: string): Part {
    const known = files.get(sha256);
    const file = known?.state === 'part' ? known : nothingYet();
    files.set(sha256, file);
    return {
      get bytes() {
        return file.bytes;
      },
      async append(chunk) {
        file.hash.update(chunk);
        file.bytes += chunk.byteLength;
        file.at = Date.now();
        onBytes(chunk.byteLength);
      },
      async restart() {
        Object.assign(file, nothingYet());
      },
      digest: async () => file.hash.copy().digest('hex'),
      async commit() {
        file.state = 'whole';
      },
      async discard() {
        files.delete(sha256);
      },
      close: async () => undefined,
    };
  }

  return {
    list: async () => [...files].map(([sha256, { bytes, state, at }]) => ({ sha256, bytes, state, at })),
    openPart: async (sha256) => openPart(sha256),
    async drop(sha256) {
      files.delete(sha256);
    },
    check: async (sha256) => (files.get(sha256)?.state === 'whole' ? 'sound' : 'missing'),
    freeBytes: async () => undefined,
  };
}
