import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

let isPrinting = false;

function follow(changed: () => void): () => void {
  const end = new AbortController();
  const set = (next: boolean) => {
    isPrinting = next;
    // The page is printed as it is when the event is over.
    flushSync(changed);
  };
  addEventListener('beforeprint', () => set(true), { signal: end.signal });
  addEventListener('afterprint', () => set(false), { signal: end.signal });
  return () => end.abort();
}

/** Whether the browser prints the page: by a button, its menu or its keys. */
export const usePrinting = (): boolean => useSyncExternalStore(follow, () => isPrinting);
