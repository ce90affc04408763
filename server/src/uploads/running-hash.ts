import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IHasher } from 'hash-wasm';

const READ_BYTES = 2 ** 20;
/** Up to this many bytes, reading again is cheaper than hashing slowly from the stored state. */
const REREAD_BYTES = 8 * 2 ** 20;

/** SHA-256 of the beginning of an upload that more is coming of. */
export interface RunningHash {
  update(chunk: Buffer): void;
  /** In lower-case hexadecimal; may be asked for once. */
  digest(): string;
  /** State from which another process resumes; undefined if there is none. */
  state(): Buffer | undefined;
}

/** The one of OpenSSL: three times as fast, but its state cannot leave the process. */
function native(): RunningHash {
  const hash = createHash('sha256');
  return {
    update: (chunk) => void hash.update(chunk),
    digest: () => hash.digest('hex'),
    state: () => undefined,
  };
}

async function portable(state: Buffer | null): Promise<RunningHash> {
  // Loaded when needed, as it takes memory: most uploads arrive in one request.
  const { createSHA256 } = await import('hash-wasm');
  const hash: IHasher = await createSHA256();
  if (state) hash.load(state);
  else hash.init();
  return {
    update: (chunk) => void hash.update(chunk),
    digest: () => hash.digest('hex'),
    state: () => Buffer.from(hash.save()),
  };
}

async function readInto(hash: RunningHash, file: string, start: number, end: number): Promise<RunningHash> {
  if (start === end) return hash;
  for await (const chunk of createReadStream(file, { start, end: end - 1, highWaterMark: READ_BYTES })) {
    hash.update(chunk);
  }
  return hash;
}

/** State of an upload's hash after its first `hashed` bytes. */
export interface KnownHash {
  hashed: number;
  hash_state: Buffer | null;
}

/**
 * The hash of the first `offset` bytes of an upload, ready for more. Undefined when it cannot be known without
 * the bytes, which then are read once when all are there.
 *
 * @param file where the bytes are, if they can be read before all are there
 * @param isLast whether the next piece announces all that is missing
 */
export async function hashUpTo(
  known: KnownHash,
  offset: number,
  file: string | undefined,
  isLast: boolean,
): Promise<RunningHash | undefined> {
  if (file !== undefined && isLast && offset <= REREAD_BYTES) return readInto(native(), file, 0, offset);
  if (known.hashed === offset) return portable(known.hash_state);
  if (file === undefined) return undefined;
  // A piece broke off before its state was noted, or its end was lost with the power.
  const from = known.hashed < offset ? known : { hashed: 0, hash_state: null };
  return readInto(await portable(from.hash_state), file, from.hashed, offset);
}
