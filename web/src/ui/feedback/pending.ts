import { useDeferredValue, useRef, useState } from 'react';

/** What a press does; a promise is work that the press waits for, such as a call to the server. */
export type Press = () => unknown;

/**
 * Work that runs one at a time: `run` resolves to undefined while earlier work runs; `pending` is true then, for display.
 * State alone is too late for that: both taps of a double tap come before the next rendering.
 */
export function usePending() {
  const running = useRef(false);
  const [pending, setPending] = useState(false);
  const run = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (running.current) return undefined;
    running.current = true;
    setPending(true);
    try {
      return await work();
    } finally {
      running.current = false;
      setPending(false);
    }
  };
  /** Runs what a press does; while it waits for a promise, further presses do nothing. */
  const press = (onPress: Press | undefined): void => {
    if (running.current) return;
    const result = onPress?.();
    if (result instanceof Promise) void run(() => result);
  };
  return { pending, run, press };
}

/**
 * Whether a page shows that it waits: while something is `awaited`, and while what arrived is drawn for the first time.
 * React does that in short tasks, and answers taps in between.
 */
export function useWaits(awaited: boolean): boolean {
  const shown = useDeferredValue(awaited);
  return awaited || shown;
}

/**
 * Whether a page still waits for the first answer of a query, be it a failure. One that failed is asked again by the
 * components that show it, and when a person comes back: a page that went away meanwhile would lose what was typed, and
 * bring those components back again and again.
 */
export const isAwaited = ({ isLoading, isFetched }: { isLoading: boolean; isFetched: boolean }): boolean =>
  isLoading && !isFetched;
