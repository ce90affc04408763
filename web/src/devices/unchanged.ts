import type { Envelope } from '@ams/contract';
import { useState } from 'react';
import { contractMessages } from '../platform/i18n.ts';
import { toast } from '../platform/toast.ts';

/**
 * Whether a value of something is still the one that a person began to change. Otherwise a toast says that somebody else
 * changed it meanwhile, and the next try is for the value as it is now. `begunWith` is undefined until it is known.
 */
export function useUnchanged<D>(
  begunWith: D | undefined,
  read: () => Promise<Envelope<D>>,
  valueOf: (data: D) => unknown,
): () => Promise<boolean> {
  const textOf = (data: D) => JSON.stringify(valueOf(data));
  const [begun, setBegun] = useState<string>();
  if (begun === undefined && begunWith !== undefined) setBegun(textOf(begunWith));
  return async () => {
    const now = await read();
    if (now.error !== undefined) return false;
    const isSame = textOf(now.data) === begun;
    setBegun(textOf(now.data));
    if (!isSame) toast.fail(contractMessages().errors.CHANGED_MEANWHILE);
    return isSame;
  };
}
