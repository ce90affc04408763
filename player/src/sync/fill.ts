import type { ManifestFile, StatusMessage } from '@ams/contract';
import { DOWNLOAD_BACKOFF, backoffMs } from './backoff.ts';
import { type DownloadFailure, type DownloadPorts, type SeenTags, downloadOnce } from './download.ts';
import { plan, reserveToFree } from './plan.ts';
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
/** After this many attempts without a byte, the next file is tried. */
const ATTEMPTS_WITHOUT_A_BYTE = 5;

export type Filled =
  | { kind: 'whole' }
  /** An address is no longer good, or a file is not there: fetch a new manifest. */
  | { kind: 'refused' }
  | { kind: 'aborted' }
  /** The disk has too little room, even without everything else: nothing was fetched. */
  | { kind: 'short' }
  /** `diskFull`: the disk takes less than the platform reports as free. */
  | { kind: 'failed'; reason: DownloadFailure };

type Fetched = Exclude<Filled, { kind: 'whole' | 'short' }> | { kind: 'done' | 'gone' };

const isFull = (filled: Filled | Fetched): filled is Extract<Fetched, { kind: 'failed' }> =>
  filled.kind === 'failed' && filled.reason === 'diskFull';

/** Downloads what a manifest needs, or the part of it that it waits for, two files at a time, the first ones first. */
export class Fill {
  readonly #goal: Live['manifest'];
  /** SHA-256 of the files to fetch; undefined: all. */
  readonly #first: ReadonlySet<string> | undefined;
  readonly #ports: FillPorts;
  readonly #tags: SeenTags;
  /** Bytes of each file that are on the disk, by SHA-256. */
  readonly #bytes = new Map<string, number>();

  constructor({ manifest }: Live, first: ReadonlySet<string> | undefined, ports: FillPorts, tags: SeenTags) {
    this.#goal = manifest;
    this.#first = first;
    this.#ports = ports;
    this.#tags = tags;
  }

  /**
   * Fetches all that is missing. If the disk turns out to be full, drops what it can and tries once more. If the files do
   * not fit even so, the reserve is free again afterwards.
   */
  async pass(signal: AbortSignal): Promise<Filled> {
    const freeBytes = await this.#ports.store.freeBytes();
    const filled = await this.#fill(freeBytes, signal);
    if (filled.kind === 'short') await this.#freeReserve(freeBytes ?? 0);
    // Browsers report more free space than the disk has.
    if (!isFull(filled)) return filled;
    const again = await this.#fill(0, signal);
    if (again.kind !== 'short' && !isFull(again)) return again;
    await this.#freeReserve(0);
    this.#report('failed', 'diskFull');
    return { kind: 'failed', reason: 'diskFull' };
  }

  /** Gives back what was fetched in vain, as far as the reserve is used up: the play log needs that room. */
  async #freeReserve(freeBytes: number): Promise<void> {
    const { store, log, keep } = this.#ports;
    const { files } = this.#goal;
    for (const { sha256 } of reserveToFree({ files, stored: await store.list(), keep: keep(), freeBytes })) {
      log('info', `${sha256.slice(0, 8)} dropped for the reserve`);
      await store.drop(sha256);
      this.#bytes.set(sha256, 0);
    }
  }

  async #fill(freeBytes: number | undefined, signal: AbortSignal): Promise<Filled> {
    const queue = await this.#prepare(freeBytes);
    if (queue) return queue.length === 0 ? { kind: 'whole' } : this.#fetchAll(queue, signal);
    this.#report('failed', 'diskFull');
    return { kind: 'short' };
  }

  /** Makes room and returns what is missing; undefined when the disk is too small. */
  async #prepare(freeBytes: number | undefined): Promise<ManifestFile[] | undefined> {
    const { store, log, keep, onScreen } = this.#ports;
    const { files } = this.#goal;
    const stored = await store.list();
    const todo = plan({ files, first: this.#first, stored, keep: keep(), onScreen: onScreen(), freeBytes });
    for (const sha256 of todo.drop) {
      log('info', `${sha256.slice(0, 8)} dropped for space`);
      await store.drop(sha256);
    }
    const onDisk = new Map(stored.filter(({ sha256 }) => !todo.drop.includes(sha256)).map((s) => [s.sha256, s.bytes]));
    for (const file of files) this.#bytes.set(file.sha256, Math.min(onDisk.get(file.sha256) ?? 0, file.bytes));
    return todo.shortBytes > 0 ? undefined : todo.fetch;
  }

  /** Fetches the files of the queue; stops when an address is no longer good, as the others are as old. */
  async #fetchAll(queue: ManifestFile[], outer: AbortSignal): Promise<Filled> {
    this.#report('downloading');
    const stop = new AbortController();
    const signal = AbortSignal.any([outer, stop.signal]);
    const results: Fetched[] = [];
    const lane = async () => {
      for (let file = queue.shift(); file && !signal.aborted; file = queue.shift()) {
        const result = await this.#fetchFile(file, signal);
        results.push(result);
        if (result.kind === 'refused') stop.abort();
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    if (outer.aborted) return { kind: 'aborted' };
    if (results.some(({ kind }) => kind === 'refused')) return { kind: 'refused' };
    // Another failure of another file must not hide that the disk is full.
    const full = results.find(isFull);
    if (!full && results.some(({ kind }) => kind === 'gone')) {
      // Files that came after it were reported as downloading.
      this.#report('failed', 'unreachable');
      return { kind: 'refused' };
    }
    return full ?? results.find((result) => result.kind === 'failed') ?? { kind: 'whole' };
  }

  /** Fetches one file until it is done or another should have a turn. */
  async #fetchFile(file: ManifestFile, signal: AbortSignal): Promise<Fetched> {
    const { log, waker, clock } = this.#ports;
    const { bandwidth } = this.#goal;
    const onBytes = (count: number) => {
      this.#bytes.set(file.sha256, count);
      this.#report('downloading');
    };
    let failures = 0;
    while (!signal.aborted) {
      const attempt = await downloadOnce(file, { ...this.#ports, bandwidth }, this.#tags, onBytes, signal);
      switch (attempt.kind) {
        case 'done':
        case 'refused':
        case 'aborted':
          return attempt;
        case 'gone':
          log('error', `${file.sha256.slice(0, 8)}: the server does not have it`);
          this.#report('failed', 'unreachable');
          return attempt;
        case 'failed':
          if (attempt.reason === 'checksum') this.#bytes.set(file.sha256, 0);
          log('error', `${file.sha256.slice(0, 8)}: ${attempt.reason}`);
          this.#report('failed', attempt.reason);
          return attempt;
        case 'retry':
          failures = attempt.gained ? 0 : failures + 1;
          if (failures > 1) this.#report('failed', 'unreachable');
          if (failures >= ATTEMPTS_WITHOUT_A_BYTE) return { kind: 'failed', reason: 'unreachable' };
          await waker.sleep(attempt.retryAfterMs ?? backoffMs(DOWNLOAD_BACKOFF, failures, clock.random), signal);
      }
    }
    return { kind: 'aborted' };
  }

  #report(state: Progress['download']['state'], reason: DownloadFailure | null = null): void {
    const { files, version } = this.#goal;
    const doneBytes = sum(this.#bytes.values());
    const totalBytes = sum(new Map(files.map((file) => [file.sha256, file.bytes])).values());
    this.#ports.report({ manifestVersion: version, download: { state, doneBytes, totalBytes, reason } });
  }
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => a + b, 0);
