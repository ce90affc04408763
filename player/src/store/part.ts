import { type Part, StorageError } from './ports.ts';

/** A file opened for reading and writing at any place: an OPFS access handle, a file on disk. */
export interface RawFile {
  size(): number | Promise<number>;
  /** Fills `into` from `at` and returns the number of bytes read. */
  read(into: Uint8Array<ArrayBuffer>, at: number): number | Promise<number>;
  write(chunk: Uint8Array<ArrayBuffer>, at: number): number | Promise<number>;
  truncate(size: number): void | Promise<void>;
  /** Flushes everything to the disk and closes the file. */
  close(): void | Promise<void>;
  /** Renames the closed file to its place among the whole ones. */
  rename(): Promise<void>;
  remove(): Promise<void>;
}

/** Incremental SHA-256. */
export interface Hasher {
  init(): unknown;
  update(chunk: Uint8Array): unknown;
  digest(): string;
}

const READ_BYTES = 2 ** 20;

const isQuota = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'QuotaExceededError' || ('code' in error && error.code === 'ENOSPC'));

async function guarded<T>(step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError(isQuota(error) ? 'diskFull' : 'storage', error);
  }
}

async function hashOf(file: RawFile, hasher: Hasher): Promise<number> {
  hasher.init();
  const buffer = new Uint8Array(READ_BYTES);
  let at = 0;
  for (;;) {
    const count = await file.read(buffer, at);
    if (count <= 0) return at;
    hasher.update(buffer.subarray(0, count));
    at += count;
  }
}

/** SHA-256 of a stream, lower-case hex. With a reader: WebKit's streams are not async iterable. */
export async function digestOf(stream: ReadableStream<Uint8Array>, hasher: Hasher): Promise<string> {
  hasher.init();
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) hasher.update(read.value);
  return hasher.digest();
}

/** Makes a `Part` of an open file: what is on disk is hashed first, then each chunk as it is written. */
export async function openPartOf(file: RawFile, hasher: Hasher): Promise<Part> {
  let bytes = await guarded(() => hashOf(file, hasher));
  let open = true;

  const close = async () => {
    if (!open) return;
    open = false;
    await guarded(() => file.close());
  };

  return {
    get bytes() {
      return bytes;
    },
    append: (chunk) =>
      guarded(async () => {
        const written = await file.write(chunk, bytes);
        if (written !== chunk.byteLength) {
          await file.truncate(bytes);
          throw new StorageError('diskFull');
        }
        hasher.update(chunk);
        bytes += written;
      }),
    restart: () =>
      guarded(async () => {
        await file.truncate(0);
        hasher.init();
        bytes = 0;
      }),
    digest: () => guarded(() => hasher.digest()),
    commit: () =>
      guarded(async () => {
        await close();
        await file.rename();
      }),
    discard: () =>
      guarded(async () => {
        await close();
        await file.remove();
      }),
    close,
  };
}
