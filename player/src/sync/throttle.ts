import type { Clock } from '../platform/clock.ts';

/** The line of one device: what its downloads take together. */
export interface Throttle {
  /** Resolves when `bytes` more may have passed at `bytesPerSecond` (null: at once), or when the signal aborts. */
  pass(bytes: number, bytesPerSecond: number | null, signal: AbortSignal): Promise<void>;
}

/** `monotonic`: milliseconds that only grow. */
export function makeThrottle(clock: Pick<Clock, 'sleep'>, monotonic = () => performance.now()): Throttle {
  let freeAt = 0;
  return {
    async pass(bytes, bytesPerSecond, signal) {
      if (bytesPerSecond === null) return;
      const now = monotonic();
      freeAt = Math.max(freeAt, now) + (bytes / bytesPerSecond) * 1000;
      await clock.sleep(freeAt - now, signal);
    },
  };
}
