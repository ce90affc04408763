import type { Readable } from 'node:stream';

/** Bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file on the local disk for programs that need one; good until it is disposed of. */
export interface LocalFile extends AsyncDisposable {
  path: string;
}

/** How a blob is to be sent: what it is, and how long the receiver may keep it. */
export interface SentAs {
  method: 'GET' | 'HEAD';
  mime: string;
  cacheControl: string;
}

/** Source of a blob's bytes when this server sends it. */
export type Source =
  /** From this process, out of that local file. */
  | { kind: 'here'; file: string }
  /** From the web server in front, by an address that only it can open; `file` is the same one. */
  | { kind: 'internal'; path: string; file: string }
  /** From another server, by an address that opens for a day at least and is the same all day. */
  | { kind: 'elsewhere'; url: string };

/** Content-addressed storage: a blob is named by the SHA-256 of its bytes and never changes. */
export interface Blobs {
  /** Origin from which browsers fetch blobs; undefined: from this server. */
  readonly origin: string | undefined;
  /** Takes over a finished local file; it is there whole or not at all. */
  adopt(sha256: string, file: string): Promise<void>;
  /** Size in bytes, or undefined when there is none. */
  size(sha256: string): Promise<number | undefined>;
  read(sha256: string, range?: ByteRange): Promise<Readable>;
  borrow(sha256: string): Promise<LocalFile>;
  source(sha256: string, as: SentAs, now?: number): Promise<Source>;
  remove(sha256: string): Promise<void>;
  /** The names of all that was put there before `before`, many at a time. */
  names(before: Date): AsyncIterable<string[]>;
  /** Throws when the storage does not work. */
  check(): Promise<void>;
}

/** An upload as the storage knows it. */
export interface Arrival {
  id: string;
  /** How many bytes it shall have. */
  size: number;
  /** The result of `begin`. */
  place: string;
}

/** Bytes on their way in. Every server process reaches those that another has begun. */
export interface Incoming {
  /** Whether what arrived can be read before all is there. */
  readonly readable: boolean;
  /** Reserves space and returns the arrival's `place`. Throws `StorageFull`. */
  begin(id: string, size: number): Promise<string>;
  /** How many bytes are safely there; undefined when nothing is. */
  received(arrival: Arrival): Promise<number | undefined>;
  /** Stores `bytes` from `offset` on, all that came even when `bytes` then fails. Throws `StorageFull`. */
  append(arrival: Arrival, offset: number, bytes: Readable): Promise<void>;
  /** The bytes of a complete one, or the first ones of another where `readable`. */
  borrow(arrival: Arrival): Promise<LocalFile>;
  /** Makes a complete one the blob of that name: whole or not at all. */
  settle(arrival: Arrival, sha256: string): Promise<void>;
  discard(arrival: Pick<Arrival, 'id' | 'place'>): Promise<void>;
  /** Those that nothing was added to since `before`. */
  abandoned(before: Date): Promise<Pick<Arrival, 'id' | 'place'>[]>;
  /** Removes what `settle` had copied of blobs before `before` when its process was killed. */
  giveUpCopies(before: Date): Promise<void>;
}

/** Storage of files. */
export interface Storage {
  blobs: Blobs;
  incoming: Incoming;
}

declare module '../platform/process/deps.ts' {
  interface Deps extends Storage {}
}
