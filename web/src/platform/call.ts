import type { Envelope, Failure } from '@ams/contract';
import { useEffect, useState } from 'react';

export type Called<T> = { state: 'loading' } | { state: 'done'; data: T } | { state: 'failed'; failure: Failure };

/**
 * One call's answer for the pages before signing in, which do without the query cache and its weight.
 * Called anew when `key` changes; not called while `key` is undefined.
 */
export function useCalled<T>(key: string | undefined, call: () => Promise<Envelope<T>>): Called<T> {
  const [answer, setAnswer] = useState<{ key: string; called: Called<T> }>();
  useEffect(() => {
    if (key === undefined) return;
    let current = true;
    void call().then((envelope) => {
      if (!current) return;
      const failed = envelope.error !== undefined;
      const called: Called<T> = failed
        ? { state: 'failed', failure: envelope }
        : { state: 'done', data: envelope.data };
      setAnswer({ key, called });
    });
    return () => {
      current = false;
    };
    // `call` is a new function at every rendering; `key` says when it means something else.
  }, [key]);
  return answer !== undefined && answer.key === key ? answer.called : { state: 'loading' };
}
