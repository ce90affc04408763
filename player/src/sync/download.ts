import type { ManifestFile } from '@ams/contract';
import type { Clock } from '../platform/clock.ts';
import { type MediaStore, type Part, StorageError } from '../store/ports.ts';
import type { PlayerApi } from './ports.ts';
import type { Throttle } from './throttle.ts';

export type DownloadFailure = 'diskFull' | 'checksum' | 'unreachable' | 'storage';

/** Outcome of one attempt. `gained`: whether it stored at least one new byte. */
export type Attempt =
  | { kind: 'done' }
  /** The address is no longer good: fetch a new manifest. */
  | { kind: 'refused' }
  /** The server does not have the file: either a new manifest does without it, or it is lost. What is on disk stays. */
  | { kind: 'gone' }
  /** The network or the server is away; what is on disk stays. */
  | { kind: 'retry'; gained: boolean; retryAfterMs?: number | undefined }
  | { kind: 'failed'; reason: Exclude<DownloadFailure, 'unreachable'> }
  | { kind: 'aborted' };

export interface DownloadPorts {
  api: Pick<PlayerApi, 'media'>;
  store: Pick<MediaStore, 'openPart'>;
  clock: Pick<Clock, 'sleep'>;
  throttle: Throttle;
  /** Bytes a second for all downloads together; null is no limit. */
  bandwidth: number | null;
}

/** A download that brings no byte for so long is broken off and tried again. */
const STALL_MS = 30_000;

/** `retry-after` in seconds (RFC 9110 §10.2.3) as milliseconds; dates and nonsense are left to the backoff. */
export function retryAfterMs(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3600) * 1000 : undefined;
}

// `bytes 100-199/200`, or `bytes */200` when it refuses (RFC 9110 §14.4).
function parseContentRange(text: string | null): { start: number | undefined; total: number | undefined } {
  const match = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(text ?? '');
  const number = (digits: string | undefined) => (digits && digits !== '*' ? Number(digits) : undefined);
  return { start: number(match?.[1]), total: number(match?.[2]) };
}

/** Strong ETags by content, for If-Range; forgotten with the process, as the final hash decides anyway. */
export type SeenTags = Map<string, string>;

const rangeHeaders = (part: Part, tag: string | undefined): Record<string, string> =>
  part.bytes === 0 ? {} : { range: `bytes=${part.bytes}-`, ...(tag ? { 'if-range': tag } : {}) };

async function finish(part: Part, file: ManifestFile): Promise<Attempt> {
  if ((await part.digest()) === file.sha256) {
    await part.commit();
    return { kind: 'done' };
  }
  await part.discard();
  return { kind: 'failed', reason: 'checksum' };
}

/** A page of a proxy, or an error in JSON, that is answered in place of the file: media have other types. */
const isPage = ({ headers }: Response): boolean =>
  /^(?:text\/|application\/json)/.test(headers.get('content-type') ?? '');

/** Prepares the part for the response, or returns the attempt's result instead of reading its body. */
async function prepare(part: Part, file: ManifestFile, response: Response): Promise<Attempt | undefined> {
  const range = parseContentRange(response.headers.get('content-range'));
  switch (response.status) {
    case 200:
      if (isPage(response)) return { kind: 'retry', gained: false };
      if (part.bytes > 0) await part.restart();
      return undefined;
    case 206:
      if (range.start === part.bytes && (range.total ?? file.bytes) === file.bytes) return undefined;
      await part.restart();
      return { kind: 'retry', gained: false };
    case 416:
      // The server's file ends before ours: either it is another size than promised or our part is odd.
      await part.discard();
      return range.total === undefined || range.total === file.bytes
        ? { kind: 'retry', gained: false }
        : { kind: 'failed', reason: 'checksum' };
    case 401:
    case 403:
      return { kind: 'refused' };
    case 404:
    case 410:
      return { kind: 'gone' };
    default:
      return { kind: 'retry', gained: false, retryAfterMs: retryAfterMs(response.headers) };
  }
}

interface Reading {
  part: Part;
  file: ManifestFile;
  response: Response;
  onBytes: (bytes: number) => void;
  signal: AbortSignal;
}

type Watched = <T>(work: Promise<T>) => Promise<T>;

/** Breaks the request off when one step of it takes longer than `STALL_MS`. */
const watchdog =
  (clock: DownloadPorts['clock'], stall: AbortController): Watched =>
  (work) => {
    const settled = new AbortController();
    void clock.sleep(STALL_MS, settled.signal).then(() => settled.signal.aborted || stall.abort());
    return work.finally(() => settled.abort());
  };

/** Reads the body into the part. False when the server sent more than it should. */
async function readBody(
  { part, file, response, onBytes, signal }: Reading,
  watched: Watched,
  { throttle, bandwidth }: DownloadPorts,
): Promise<boolean> {
  const reader = response.body?.getReader();
  if (!reader) return true;
  for (;;) {
    const { done, value } = await watched(reader.read());
    if (done) return true;
    if (part.bytes + value.byteLength > file.bytes) {
      await reader.cancel();
      return false;
    }
    await part.append(value);
    onBytes(part.bytes);
    await throttle.pass(value.byteLength, bandwidth, signal);
  }
}

async function fetchInto(
  part: Part,
  file: ManifestFile,
  ports: DownloadPorts,
  tags: SeenTags,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Attempt> {
  const before = part.bytes;
  const stall = new AbortController();
  const watched = watchdog(ports.clock, stall);
  try {
    const headers = rangeHeaders(part, tags.get(file.sha256));
    const response = await watched(ports.api.media(file.url, headers, AbortSignal.any([signal, stall.signal])));
    const other = await prepare(part, file, response);
    if (other) {
      await response.body?.cancel();
      return other;
    }
    const tag = response.headers.get('etag');
    if (tag && !tag.startsWith('W/')) tags.set(file.sha256, tag);
    const fits = await readBody({ part, file, response, onBytes, signal }, watched, ports);
    if (!fits) {
      await part.discard();
      return { kind: 'failed', reason: 'checksum' };
    }
  } catch (error) {
    if (error instanceof StorageError) throw error;
    return { kind: 'retry', gained: part.bytes > before };
  } finally {
    stall.abort();
  }
  if (part.bytes < file.bytes) return { kind: 'retry', gained: part.bytes > before };
  return finish(part, file);
}

/**
 * One attempt at a file: continues from the bytes on disk by Range, checks size and SHA-256, and
 * commits. Never throws; `onBytes` receives the number of bytes on disk as they arrive.
 */
export async function downloadOnce(
  file: ManifestFile,
  ports: DownloadPorts,
  tags: SeenTags,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Attempt> {
  let part: Part | undefined;
  try {
    part = await ports.store.openPart(file.sha256);
    if (part.bytes > file.bytes) await part.restart();
    onBytes(part.bytes);
    const attempt =
      part.bytes === file.bytes && file.bytes > 0
        ? await finish(part, file)
        : await fetchInto(part, file, ports, tags, onBytes, signal);
    return signal.aborted && attempt.kind === 'retry' ? { kind: 'aborted' } : attempt;
  } catch (error) {
    return { kind: 'failed', reason: error instanceof StorageError ? error.reason : 'storage' };
  } finally {
    // A part that cannot be closed was committed or deleted, or the storage is broken and the next attempt reports it.
    await part?.close().catch(() => undefined);
  }
}
