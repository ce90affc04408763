import {
  BATCHES_BEGIN,
  canonicalJson,
  ProofBatch,
  ProofCheck,
  ProofHead,
  type ProofResult,
  ProofTail,
  readBatch,
  SIGNED_BEGINS,
  type SigningKey,
} from '@ams/contract';

/** A verification file that was read to its end. */
export interface CheckedFile extends ProofResult {
  campaign: ProofHead['campaign'];
  devices: number;
}

const KEY = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const;
const LINE_FEED = 0x0a;
/** A comma and a carriage return. */
const SEPARATORS = new Set([0x2c, 0x0d]);
/** The bracket that ends the batches. */
const CLOSING = 0x5d;
/** Batches whose signatures are checked at a time: enough for every core. */
const AT_ONCE = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', bytes));

function bytesOfBase64url(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (character) => character.codePointAt(0) ?? 0);
}

/** The lines of a stream, as bytes. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let rest: Uint8Array[] = [];
  const joined = (last: Uint8Array): Uint8Array<ArrayBuffer> => {
    const parts = [...rest, last];
    const line = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      line.set(part, at);
      at += part.length;
    }
    rest = [];
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      yield joined(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  }
  if (rest.length > 0) yield joined(new Uint8Array());
}

/** A value that a schema takes as it is: nothing is left out or filled in. */
function exactly<T>(schema: { parse(value: unknown): T }, value: unknown): T {
  const parsed = schema.parse(value);
  if (canonicalJson(parsed) !== canonicalJson(value)) throw new Error('unknown members');
  return parsed;
}

/** Keys are imported once. */
const importKey = (key: SigningKey) =>
  crypto.subtle.importKey('jwk', { ...key }, KEY, false, ['verify']).catch(() => undefined);

interface Line {
  batch: ReturnType<typeof ProofBatch.parse>;
  /** The bytes that were signed. */
  signed: Uint8Array<ArrayBuffer>;
}

/** The line without the comma and the line break that separate it from the next one. */
function trimmed(line: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  let end = line.length;
  while (end > 0 && SEPARATORS.has(line[end - 1] ?? 0)) end -= 1;
  return line.subarray(0, end);
}

/** Reads the line of a batch. What was signed is the end of it, byte for byte; only ASCII precedes it. */
function readLine(line: Uint8Array<ArrayBuffer>): Line {
  const bytes = trimmed(line);
  const text = decoder.decode(bytes);
  const at = text.indexOf(SIGNED_BEGINS) + SIGNED_BEGINS.length;
  return { batch: ProofBatch.parse(JSON.parse(text)), signed: bytes.subarray(at, -1) };
}

/** Checks a verification file; `seen` is told the bytes read so far. Rejects if it is none. */
export async function checkFile(
  chunks: AsyncIterable<Uint8Array>,
  seen: (bytes: number) => void = () => undefined,
): Promise<CheckedFile> {
  const lines = linesOf(counted(chunks, seen));
  const first = await lines.next();
  const opening = first.done ? '' : decoder.decode(first.value);
  if (!opening.endsWith(BATCHES_BEGIN)) return checkWhole(opening, lines);
  const head = exactly(ProofHead, JSON.parse(`${opening.slice(0, -BATCHES_BEGIN.length)}}`));
  const checker = await makeChecker(head);
  for await (const line of lines) {
    if (line[0] === CLOSING) {
      await checker.flush();
      return checker.end(JSON.parse(`{${decoder.decode(line).replace(/^\],/, '')}`));
    }
    if (line.length > 0) await checker.add(() => readLine(line));
  }
  await checker.flush();
  return checker.end(undefined);
}

async function* counted(chunks: AsyncIterable<Uint8Array>, seen: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    seen((bytes += chunk.length));
  }
}

/** A file that another program laid out anew: it is read as a whole, and what was signed is written canonically. */
async function checkWhole(opening: string, lines: AsyncIterable<Uint8Array>): Promise<CheckedFile> {
  let text = opening;
  for await (const line of lines) text += decoder.decode(line);
  const { batches, writtenAt, chains, devices, statement, digest, ...head }: Record<string, unknown> = JSON.parse(text);
  const checker = await makeChecker(exactly(ProofHead, head));
  for (const each of Array.isArray(batches) ? batches : []) {
    await checker.add(() => {
      const batch = ProofBatch.parse(each);
      return { batch, signed: encoder.encode(canonicalJson(batch.signed)) };
    });
  }
  await checker.flush();
  return checker.end({ writtenAt, chains, devices, statement, digest });
}

async function makeChecker(head: ProofHead) {
  const check = new ProofCheck(head);
  const keys = await Promise.all(head.keys.map(({ publicKey }) => importKey(publicKey)));
  let waiting: Promise<() => void>[] = [];

  const verified = async ({ batch: { key, uncounted, signature, signed: value }, signed }: Line) => {
    const known = keys[key];
    const [isSigned, hash] = await Promise.all([
      known ? crypto.subtle.verify(SIGNATURE, known, bytesOfBase64url(signature), signed) : false,
      sha256(signed),
    ]);
    return () => check.add({ key, uncounted, isSigned, hash, batch: readBatch(value) });
  };

  async function flush(): Promise<void> {
    for (const take of await Promise.all(waiting)) take();
    waiting = [];
  }

  return {
    flush,
    async add(read: () => Line): Promise<void> {
      let line: Line | undefined;
      try {
        line = read();
      } catch {
        // Whatever is not a batch is reported in its place.
      }
      waiting.push(line ? verified(line) : Promise.resolve(() => check.unreadable()));
      if (waiting.length === AT_ONCE) await flush();
    },
    async end(given: unknown): Promise<CheckedFile> {
      const tail = ((): ProofTail | undefined => {
        try {
          return exactly(ProofTail, given);
        } catch {
          return undefined;
        }
      })();
      if (!tail) check.unreadable();
      const known = tail ?? { writtenAt: '', chains: [], devices: [], statement: null, digest: '' };
      const digest = await sha256(encoder.encode(check.digestedText(known)));
      return { ...check.end(known, digest), campaign: head.campaign, devices: known.devices.length };
    },
  };
}
