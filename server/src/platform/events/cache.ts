import { LRUCache } from 'lru-cache';
import { upTo } from '../process/lru.ts';
import type { Events } from './events.ts';

/** Longest age of an entry in milliseconds, in case a notification was never sent. */
export const CACHE_MS = 30_000;

/**
 * Values recently read from the database, by key. A process that changes a value notifies all processes (events.ts),
 * and each invalidates its copy. A process that receives no notifications serves nothing from its cache.
 */
export class Cache<V extends NonNullable<unknown>> {
  readonly #events: Pick<Events, 'listening' | 'onGap'>;
  readonly #entries: LRUCache<string, V>;
  #invalidations = 0;

  constructor(events: Pick<Events, 'listening' | 'onGap'>, max: number) {
    this.#events = events;
    this.#entries = new LRUCache({ ...upTo(max), ttl: CACHE_MS });
    events.onGap(() => this.invalidate());
  }

  get(key: string): V | undefined {
    // Without noting the use, which costs as much as the look-up: no entry grows older than half a minute anyway.
    return this.#events.listening ? this.#entries.peek(key) : undefined;
  }

  /** Call it before reading, and pass its result to `set` with the value that was read. */
  begin(): number {
    return this.#invalidations;
  }

  /** Stores a value for at most `lifeMs`, unless an invalidation came since `begun`: the value may be outdated. */
  set(begun: number, key: string, value: V, lifeMs = CACHE_MS): void {
    const ttl = Math.min(CACHE_MS, Math.floor(lifeMs));
    if (begun === this.#invalidations && ttl > 0) this.#entries.set(key, value, { ttl });
  }

  /** Removes these entries; without keys, all. */
  invalidate(keys?: readonly string[]): void {
    this.#invalidations += 1;
    if (!keys) this.#entries.clear();
    else for (const key of keys) this.#entries.delete(key);
  }
}
