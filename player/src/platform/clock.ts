/** Time, chance and waiting, so that tests decide them. All milliseconds. */
export interface Clock {
  /** Since 1970, corrected by the server's time. */
  now(): number;
  /** Tells the clock what the server's clock showed when it answered; differences up to `toleranceMs` count as none. */
  correct(serverTime: number, roundTripMs: number, toleranceMs: number): void;
  /** Whether the server has answered since the start; before, the time may be wrong. */
  isRight(): boolean;
  /** 0 ≤ x < 1 */
  random(): number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The state of a clock that survives a restart. */
export interface KeptTime {
  /** The right time when it was kept, milliseconds since 1970. */
  now: number;
  /** How far the device's own clock was behind it. */
  behindMs: number;
}

export interface ClockOptions {
  /** The device's own clock, milliseconds since 1970; it may be wrong. */
  wall: () => number;
  /** Milliseconds that only ever grow, whatever happens to the wall clock. */
  monotonic: () => number;
  kept: KeptTime | undefined;
  /**
   * Called after the first answer and after each correction, with what was added to the time: what was kept before is wrong
   * from now on. The clock counts as right only after the first call.
   */
  onCorrected?: (byMs: number) => void;
}

/**
 * The server's time, continued by the monotonic clock. Before the first reply of the server, the device's own
 * clock counts, as wrong as it was before; and where it has lost the time (a device without a battery
 * wakes up in 1970), time continues from the last known one.
 */
export function makeClock({ wall, monotonic, kept, onCorrected }: ClockOptions): Clock & { keep(): KeptTime } {
  let base = Math.max(wall() + (kept?.behindMs ?? 0), kept?.now ?? 0) - monotonic();
  let isRight = false;
  const now = () => base + monotonic();
  return {
    now,
    isRight: () => isRight,
    keep: () => ({ now: now(), behindMs: now() - wall() }),
    random: Math.random,
    correct(serverTime, roundTripMs, toleranceMs) {
      const differenceMs = serverTime + roundTripMs / 2 - now();
      const byMs = Math.abs(differenceMs) > toleranceMs ? differenceMs : 0;
      base += byMs;
      if (byMs !== 0 || !isRight) onCorrected?.(byMs);
      isRight = true;
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
