import type { Manifest, Play } from '@ams/contract';
import type { SpotCount } from '@ams/contract/rules/spots';

/** One file in the device's storage: `part` while it is being fetched, `whole` once checked. `at`: last written. */
export interface StoredFile {
  sha256: string;
  bytes: number;
  state: 'part' | 'whole';
  at: number;
}

/**
 * A file being fetched. Every call may throw `StorageError`. `append` and `restart` are awaited one
 * after the other; `close` may be called at any time, also twice.
 */
export interface Part {
  /** How many bytes are on disk. */
  readonly bytes: number;
  append(chunk: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Throws away what is on disk and begins at 0. */
  restart(): Promise<void>;
  /** SHA-256 of all that is on disk, lower-case hex. After it only restart, commit, discard or close may follow. */
  digest(): Promise<string>;
  /** Makes the part a whole file by renaming it; the part is closed. */
  commit(): Promise<void>;
  /** Deletes the part; it is closed. */
  discard(): Promise<void>;
  close(): Promise<void>;
}

export class StorageError extends Error {
  readonly reason: 'diskFull' | 'storage';

  constructor(reason: 'diskFull' | 'storage', cause?: unknown) {
    super(`storage: ${reason}`, { cause });
    this.name = 'StorageError';
    this.reason = reason;
  }
}

export interface MediaStore {
  list(): Promise<StoredFile[]>;
  /** Opens what is on disk of a file (hashing it first) or begins it. */
  openPart(sha256: string): Promise<Part>;
  /** Deletes a file, whole and part. */
  drop(sha256: string): Promise<void>;
  /** Hashes a whole file again. */
  check(sha256: string): Promise<'sound' | 'damaged' | 'missing'>;
  /** Bytes that may still be written; undefined if the platform does not report it. */
  freeBytes(): Promise<number | undefined>;
}

/** Spots of campaigns that a screen has played, by release. */
export type KeptSpots = Readonly<Record<string, SpotCount>>;

/** Releases that play once and have done so: until when that is known, milliseconds since 1970, by id. */
export type Finished = Readonly<Record<string, number>>;

/** The manifest that plays, with the ETag it came with. */
export interface Live {
  manifest: Manifest;
  etag: string | null;
}

/** State of a device that survives a restart, except files. */
export interface StateStore {
  live(): Promise<Live | undefined>;
  saveLive(live: Live): Promise<void>;
  paired(): Promise<boolean>;
  savePaired(paired: boolean): Promise<void>;
}

export interface PlayBatch {
  batch: string;
  plays: Play[];
  /** Once it is signed: its place in the chain. A signature that is null: it stays unsigned. */
  seq?: number;
  previous?: string | null;
  signature?: string | null;
}

/** The end of a device's chain of signed batches: the number of the last one and the SHA-256 of what was signed. */
export interface ChainEnd {
  device: string;
  seq: number;
  hash: string;
}

/** The durable play log. */
export interface PlayStore {
  append(play: Play): Promise<void>;
  /**
   * The batch that is on its way: the one taken before and not confirmed yet, else a new one of at
   * most `limit` plays under the name `batch`. Durable before it resolves; undefined when nothing waits.
   */
  take(batch: string, limit: number): Promise<PlayBatch | undefined>;
  /** The end of the chain of signed batches; undefined before the first. */
  chainEnd(): Promise<ChainEnd | undefined>;
  /** Keeps the batch that is on its way with its signature or without, and the end of the chain with it, or neither. */
  rewrite(batch: PlayBatch, end?: ChainEnd): Promise<void>;
  /** Forgets a batch that the server has counted. */
  confirm(batch: string): Promise<void>;
}
