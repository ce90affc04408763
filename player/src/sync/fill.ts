import type { ManifestFile, StatusMessage } from '@ams/contract';
import { DOWNLOAD_BACKOFF, backoffMs } from './backoff.ts';
import { type DownloadFailure, type DownloadPorts, type SeenTags, downloadOnce } from './download.ts';
import { plan } from './plan.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Live, MediaStore } from '../store/ports.ts';
import type { Waker } from '../platform/waker.ts';

/** State of the newest manifest, as in the status message. */
export interface Progress {
  manifestVersion: string | undefined;
  download: StatusMessage['download'];
}

export interface FillPorts extends Omit<DownloadPorts, 'clock' | 'store' | 'bandwidth'> {
  store: MediaStore;
  clock: Clock;
  log: Log;
  /** Waits that end when the network comes back. */
  waker: Waker;
  /** SHA-256 of what the programmes that play now need. */
  keep(): ReadonlySet<string>;
  /** SHA-256 of what is on the screens at this moment. */
  onScreen(): ReadonlySet<string>;
  report(progress: Progress): void;
}

const LANES = 2;
/** After so many attempts without a byte a file lets the next one try. */
const PATIENCE = 5;

export type Filled =
  | { kind: 'whole' }
  /** An address is no longer good. */
  | { kind: 'refused' }
  | { kind: 'aborted' }
  | { kind: 'failed'; reason: DownloadFailure };

type Fetched = Exclude<Filled, { kind: 'whole' }> | { kind: 'done' };

/** Downloads what a manifest needs, two files at a time, the first ones first. Lives as long as its manifest. */
export function makeFill(goal: Live, ports: FillPorts, tags: SeenTags) {
  const { store, clock, log, waker, report } = ports;
  const bytes = new Map<string, number>();
  const { files, version, bandwidth } = goal.manifest;
  const totalBytes = [...new Map(files.map((file) => [file.sha256, file.bytes])).values()].reduce((a, b) => a + b, 0);

  const say = (state: Progress['download']['state'], reason?: DownloadFailure) => {
    const doneBytes = [...bytes.values()].reduce((a, b) => a + b, 0);
    report({ manifestVersion: version, download: { state, doneBytes, totalBytes, reason: reason ?? null } });
  };

  /** One file until it is done or another should have a turn. */
  async function fetchFile(file: ManifestFile, signal: AbortSignal): Promise<Fetched> {
    let failures = 0;
    while (!signal.aborted) {
      const onBytes = (count: number) => {
        bytes.set(file.sha256, count);
        say('downloading');
      };
      const attempt = await downloadOnce(file, { ...ports, bandwidth }, tags, onBytes, signal);
      switch (attempt.kind) {
        case 'done':
        case 'refused':
        case 'aborted':
          return attempt;
        case 'failed':
          if (attempt.reason === 'checksum') bytes.set(file.sha256, 0);
          log('error', `${file.sha256.slice(0, 8)}: ${attempt.reason}`);
          say('failed', attempt.reason);
          return attempt;
        case 'retry':
          failures = attempt.gained ? 0 : failures + 1;
          if (failures > 1) say('failed', 'unreachable');
          if (failures >= PATIENCE) return { kind: 'failed', reason: 'unreachable' };
          await waker.sleep(attempt.retryAfterMs ?? backoffMs(DOWNLOAD_BACKOFF, failures, clock.random), signal);
      }
    }
    return { kind: 'aborted' };
  }

  /** Makes room and says what is missing; undefined when the disk is too small. */
  async function prepare(freeBytes: number | undefined): Promise<ManifestFile[] | undefined> {
    const stored = await store.list();
    const todo = plan({ files, stored, keep: ports.keep(), onScreen: ports.onScreen(), freeBytes });
    for (const sha256 of todo.drop) {
      log('info', `${sha256.slice(0, 8)} dropped for space`);
      await store.drop(sha256);
    }
    const onDisk = new Map(stored.filter(({ sha256 }) => !todo.drop.includes(sha256)).map((s) => [s.sha256, s.bytes]));
    for (const file of files) bytes.set(file.sha256, Math.min(onDisk.get(file.sha256) ?? 0, file.bytes));
    return todo.shortBytes > 0 ? undefined : todo.fetch;
  }

  /** Fetches the files of the queue, and stops when an address is no longer good. */
  async function fetchAll(queue: ManifestFile[], outer: AbortSignal): Promise<Filled> {
    say('downloading');
    const stop = new AbortController();
    const signal = AbortSignal.any([outer, stop.signal]);
    const results: Fetched[] = [];
    const lane = async () => {
      for (let file = queue.shift(); file && !signal.aborted; file = queue.shift()) {
        const result = await fetchFile(file, signal);
        results.push(result);
        if (result.kind === 'refused') stop.abort();
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    if (outer.aborted) return { kind: 'aborted' };
    if (results.some(({ kind }) => kind === 'refused')) return { kind: 'refused' };
    return results.find((result) => result.kind === 'failed') ?? { kind: 'whole' };
  }

  async function fill(freeBytes: number | undefined, signal: AbortSignal): Promise<Filled> {
    const queue = await prepare(freeBytes);
    if (queue) return queue.length === 0 ? { kind: 'whole' } : fetchAll(queue, signal);
    say('failed', 'diskFull');
    return { kind: 'failed', reason: 'diskFull' };
  }

  /** Goes over all that is missing; once more, from what it can drop, when the disk turns out to be full. */
  return async function pass(signal: AbortSignal): Promise<Filled> {
    const filled = await fill(await store.freeBytes(), signal);
    // Browsers say there is room for more than the disk holds.
    return filled.kind === 'failed' && filled.reason === 'diskFull' ? fill(0, signal) : filled;
  };
}
