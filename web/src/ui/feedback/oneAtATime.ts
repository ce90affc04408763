import { useRef } from 'react';

/**
 * Runs work unless the work before it still runs. State is too late for that: both taps of a double tap come before
 * the next rendering. Resolves to undefined when nothing was run.
 */
export function useOneAtATime(): <T>(work: () => Promise<T>) => Promise<T | undefined> {
  const running = useRef(false);
  return async (work) => {
    if (running.current) return undefined;
    running.current = true;
    try {
      return await work();
    } finally {
      running.current = false;
    }
  };
}
