interface Bucket {
  tokens: number;
  /** Milliseconds at which `tokens` was right. */
  at: number;
}

export interface Rate {
  /** Maximum burst. */
  burst: number;
  /** Sustained rate per second. */
  perSecond: number;
}

const SWEEP_EVERY = 1000;

/**
 * Token buckets by key (a device, for example), in the memory of this process: for calls so frequent that
 * counting it in the database would be the very load it is to keep off. `now` in milliseconds.
 */
export class TokenBuckets {
  readonly #rate: Rate;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();
  #takes = 0;

  constructor(rate: Rate, now: () => number = () => performance.now()) {
    this.#rate = rate;
    this.#now = now;
  }

  /** Takes one: 0 when it may go ahead, else the milliseconds after which one is there. */
  take(key: string): number {
    const now = this.#now();
    if ((this.#takes += 1) % SWEEP_EVERY === 0) this.#sweep(now);
    const tokens = this.#filled(this.#buckets.get(key), now);
    if (tokens < 1) return Math.ceil(((1 - tokens) / this.#rate.perSecond) * 1000);
    this.#buckets.set(key, { tokens: tokens - 1, at: now });
    return 0;
  }

  #filled(bucket: Bucket | undefined, now: number): number {
    const { burst, perSecond } = this.#rate;
    return bucket ? Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond) : burst;
  }

  /** A full bucket is as good as none. */
  #sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) {
      if (this.#filled(bucket, now) >= this.#rate.burst) this.#buckets.delete(key);
    }
  }
}
