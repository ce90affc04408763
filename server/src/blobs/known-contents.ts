import type { FileHandle } from 'node:fs/promises';
import { AppError } from '@ams/contract';
import { LRUCache } from 'lru-cache';
import type { Db } from '../platform/database/database.ts';
import { upTo } from '../platform/process/lru.ts';
import { findPlayable, type Playable } from './blobs.queries.ts';

const KNOWN_MAX = 10_000;
const KNOWN_MS = 60_000;
/** Pictures and stills, which many ask for at once. */
const SMALL_BYTES = 512 * 1024;
const SMALL_ALL_BYTES = 64 * 2 ** 20;

/** Cache of ready contents: their metadata, and the bytes of small ones. */
export class KnownContents {
  readonly #db: Db;
  readonly #known = new LRUCache<string, Playable>({ ...upTo(KNOWN_MAX), ttl: KNOWN_MS });
  readonly #small = new LRUCache<string, Buffer>({
    ...{ maxSize: SMALL_ALL_BYTES, sizeCalculation: ({ length }: Buffer) => length, ttl: KNOWN_MS },
  });

  constructor(db: Db) {
    this.#db = db;
  }

  /** Throws `NOT_FOUND` for what nobody may play, or not yet. */
  async require(sha256: string): Promise<Playable> {
    const known = this.#known.get(sha256);
    if (known) return known;
    const found = await findPlayable(this.#db, sha256);
    if (!found) throw new AppError('NOT_FOUND');
    this.#known.set(sha256, found);
    return found;
  }

  /** The bytes of a small one when somebody asked for them just before. */
  small(sha256: string): Buffer | undefined {
    return this.#small.get(sha256);
  }

  /** Reads a file if it is small. */
  async readSmall(sha256: string, file: FileHandle, size: number): Promise<Buffer | undefined> {
    if (size > SMALL_BYTES) return undefined;
    const bytes = await file.readFile();
    this.#small.set(sha256, bytes);
    return bytes;
  }
}
