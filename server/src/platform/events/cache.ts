import { LRUCache } from 'lru-cache';
import type { Events } from './events.ts';

/** What should have been told and was not is true again after that. */
export const RECALL_MS = 30_000;

/**
 * What was read from the database lately, by key, for as long as it is true: whoever changes it tells every process
 * (events.ts), and each forgets it. While this process hears nobody it recalls nothing.
 */
export class Recall<V extends NonNullable<unknown>> {
  readonly #events: Pick<Events, 'listening' | 'onGap'>;
  readonly #known: LRUCache<string, V>;
  /** How often anything was forgotten. */
  #forgotten = 0;

  constructor(events: Pick<Events, 'listening' | 'onGap'>, max: number) {
    this.#events = events;
    this.#known = new LRUCache({ max, ttl: RECALL_MS });
    events.onGap(() => this.forget());
  }

  get(key: string): V | undefined {
    return this.#events.listening ? this.#known.get(key) : undefined;
  }

  /** To be called before reading, and handed to `keep` with what was read. */
  begin(): number {
    return this.#forgotten;
  }

  /** Recalls a value for `lifeMs` at most, after which it changes of itself; one that may have changed since, not. */
  keep(begun: number, key: string, value: V, lifeMs = RECALL_MS): void {
    const ttl = Math.min(RECALL_MS, Math.floor(lifeMs));
    if (begun === this.#forgotten && ttl > 0) this.#known.set(key, value, { ttl });
  }

  /** These have changed; all may have when left out. */
  forget(keys?: readonly string[]): void {
    this.#forgotten += 1;
    if (!keys) this.#known.clear();
    else for (const key of keys) this.#known.delete(key);
  }
}
