import { useEffect } from 'react';
import { flushSync } from 'react-dom';

/** Calls `follow`, which stays the same, when the browser begins and ends printing: by a button, its menu or its keys. */
export function usePrinting(follow: (isPrinting: boolean) => void): void {
  useEffect(() => {
    const end = new AbortController();
    // The page is printed as it is when the event is over.
    addEventListener('beforeprint', () => flushSync(() => follow(true)), { signal: end.signal });
    addEventListener('afterprint', () => flushSync(() => follow(false)), { signal: end.signal });
    return () => end.abort();
  }, [follow]);
}
