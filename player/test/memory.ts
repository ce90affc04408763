import { type Hash, createHash } from 'node:crypto';
import type { Play } from '@ams/contract';
import { type Hasher, type RawFile, openPartOf } from '../src/store/part.ts';
import type { Clock } from '../src/platform/clock.ts';
import type { ChainEnd, Live, MediaStore, PlayBatch, PlayStore, StateStore, StoredFile } from '../src/store/ports.ts';

function nodeHasher(): Hasher {
  let hash: Hash = createHash('sha256');
  return {
    init: () => {
      hash = createHash('sha256');
    },
    update: (chunk) => hash.update(chunk),
    digest: () => hash.digest('hex'),
  };
}

/**
 * A device's storage in memory. `capacity`: bytes of a file, `disk`: bytes of all files, after which writing fails as a
 * full disk does.
 */
export class MemoryStore implements MediaStore {
  readonly parts = new Map<string, Buffer>();
  readonly whole = new Map<string, Buffer>();
  readonly dropped: string[] = [];
  capacity = Infinity;
  disk = Infinity;
  free: number | undefined;

  list(): Promise<StoredFile[]> {
    const of = (files: Map<string, Buffer>, state: StoredFile['state']) =>
      [...files].map(([sha256, body], at) => ({ sha256, bytes: body.length, state, at }));
    return Promise.resolve([...of(this.whole, 'whole'), ...of(this.parts, 'part')]);
  }

  usedBytes(): number {
    return [...this.whole.values(), ...this.parts.values()].reduce((sum, body) => sum + body.length, 0);
  }

  openPart(sha256: string) {
    const { parts, whole } = this;
    const body = () => parts.get(sha256) ?? Buffer.alloc(0);
    const raw: RawFile = {
      size: () => body().length,
      read: (into, at) => body().copy(into, 0, at),
      write: (chunk, at) => {
        const isFull = at + chunk.length > this.capacity || this.usedBytes() + chunk.length > this.disk;
        if (isFull) throw Object.assign(new Error('full'), { name: 'QuotaExceededError' });
        parts.set(sha256, Buffer.concat([body().subarray(0, at), chunk]));
        return chunk.length;
      },
      truncate: (size) => void parts.set(sha256, body().subarray(0, size)),
      close: () => undefined,
      rename: () => {
        whole.set(sha256, body());
        parts.delete(sha256);
        return Promise.resolve();
      },
      remove: () => {
        parts.delete(sha256);
        return Promise.resolve();
      },
    };
    return openPartOf(raw, nodeHasher());
  }

  drop(sha256: string): Promise<void> {
    this.dropped.push(sha256);
    this.whole.delete(sha256);
    this.parts.delete(sha256);
    return Promise.resolve();
  }

  check(sha256: string): Promise<'sound' | 'damaged' | 'missing'> {
    const body = this.whole.get(sha256);
    if (!body) return Promise.resolve('missing');
    return Promise.resolve(createHash('sha256').update(body).digest('hex') === sha256 ? 'sound' : 'damaged');
  }

  freeBytes(): Promise<number | undefined> {
    return Promise.resolve(this.free);
  }
}

export class MemoryState implements StateStore {
  kept: Live | undefined;
  isPaired = true;
  live = () => Promise.resolve(this.kept);
  saveLive = (live: Live) => {
    this.kept = live;
    return Promise.resolve();
  };
  paired = () => Promise.resolve(this.isPaired);
  savePaired = (paired: boolean) => {
    this.isPaired = paired;
    return Promise.resolve();
  };
}

/** A play log whose batches are durable from `take` to `confirm`, as the browser's database keeps them. */
export class MemoryPlays implements PlayStore {
  readonly plays: Play[] = [];
  readonly batches: PlayBatch[] = [];
  append = (play: Play) => {
    this.plays.push(play);
    return Promise.resolve();
  };
  take = (batch: string, limit: number) => {
    if (this.batches.length === 0 && this.plays.length > 0) {
      this.batches.push({ batch, plays: this.plays.splice(0, limit) });
    }
    return Promise.resolve(this.batches[0]);
  };
  end: ChainEnd | undefined;
  chainEnd = () => Promise.resolve(this.end);
  rewrite = (batch: PlayBatch, end?: ChainEnd) => {
    this.batches.splice(0, 1, batch);
    this.end = end ?? this.end;
    return Promise.resolve();
  };
  confirm = (batch: string) => {
    if (this.batches[0]?.batch === batch) this.batches.shift();
    return Promise.resolve();
  };
}

/** Real time, with every wait cut to 10 ms but those from `watchdogMs` on: a watchdog must not bite before its time. */
export const hastyClock = (watchdogMs = 30_000): Clock => ({
  now: Date.now,
  random: Math.random,
  correct: () => undefined,
  isRight: () => true,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer = setTimeout(resolve, ms >= watchdogMs ? ms : Math.min(ms, 10));
      signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    }),
});
