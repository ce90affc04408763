import type { Envelope, Failure } from '@ams/contract';
import { useEffect, useEffectEvent, useState } from 'react';

export type Called<T> = { state: 'loading' } | { state: 'done'; data: T } | { state: 'failed'; failure: Failure };

/**
 * One call's answer for the pages before signing in, which do without the query cache and its weight.
 * Called anew when `key` changes; not called while `key` is undefined.
 */
export function useCalled<T>(key: string | undefined, call: () => Promise<Envelope<T>>): Called<T> {
  const [answer, setAnswer] = useState<{ key: string; called: Called<T> }>();
  const latest = useEffectEvent(call);
  useEffect(() => {
    let current = true;
    const ask = async (asked: string) => {
      const envelope = await latest();
      if (!current) return;
      const failed = envelope.error !== undefined;
      setAnswer({
        key: asked,
        called: failed ? { state: 'failed', failure: envelope } : { state: 'done', data: envelope.data },
      });
    };
    if (key !== undefined) void ask(key);
    return () => {
      current = false;
    };
  }, [key]);
  return answer !== undefined && answer.key === key ? answer.called : { state: 'loading' };
}
