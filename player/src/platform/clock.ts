/** Time, chance and waiting, so that tests decide them. All milliseconds. */
export interface Clock {
  /** Since 1970, corrected by the server's time. */
  now(): number;
  /** Tells the clock what the server's clock showed when it answered; differences up to `toleranceMs` count as none. */
  correct(serverTime: number, roundTripMs: number, toleranceMs: number): void;
  /** 0 ≤ x < 1 */
  random(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface ClockOptions {
  /** The machine's own clock, milliseconds since 1970; it may be wrong. */
  wall: () => number;
  /** Milliseconds that only ever grow, whatever happens to the wall clock. */
  monotonic: () => number;
  /** The time last known before this start: time does not go back behind it. */
  lastKnown: number | undefined;
  /** Hears the corrected time whenever the server gave it, to be kept over a restart. */
  onCorrected?: (now: number) => void;
}

/**
 * The server's time, carried on by the monotonic clock. A machine without a battery wakes up in 1970:
 * until the server is heard again it goes on from the time last known.
 */
export function makeClock({ wall, monotonic, lastKnown, onCorrected }: ClockOptions): Clock {
  const startedAt = monotonic();
  let base = Math.max(wall(), lastKnown ?? 0) - startedAt;
  const now = () => base + monotonic();
  return {
    now,
    random: Math.random,
    correct(serverTime, roundTripMs, toleranceMs) {
      const right = serverTime + roundTripMs / 2;
      if (Math.abs(right - now()) > toleranceMs) base = right - monotonic();
      onCorrected?.(now());
    },
    sleep(ms, signal) {
      return new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const end = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        signal?.addEventListener('abort', end, { once: true });
      });
    },
  };
}
