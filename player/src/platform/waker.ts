import type { Clock } from './clock.ts';

/** Waiting that somebody else may cut short. */
export interface Waker {
  /** Resolves after `ms`, when somebody wakes it (or has done so since the last sleep), or when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  wake(): void;
}

export function makeWaker(clock: Pick<Clock, 'sleep'>): Waker {
  let waking = new AbortController();
  return {
    async sleep(ms, signal) {
      await clock.sleep(ms, AbortSignal.any([signal, waking.signal]));
      if (waking.signal.aborted) waking = new AbortController();
    },
    wake: () => waking.abort(),
  };
}
