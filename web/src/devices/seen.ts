import type { Envelope } from '@ams/contract';
import { useState } from 'react';

/**
 * A value of something as a person has seen it: as it was when the person began to change it. `lookAgain` reads it after the
 * server refused the change because somebody else made one meanwhile. `begunWith` is undefined until it is known.
 */
export function useSeen<D, V>(
  begunWith: D | undefined,
  read: () => Promise<Envelope<D>>,
  valueOf: (data: D) => V,
): { seen: V | undefined; lookAgain: () => Promise<void> } {
  const [seen, setSeen] = useState<{ value: V }>();
  if (!seen && begunWith !== undefined) setSeen({ value: valueOf(begunWith) });
  const lookAgain = async (): Promise<void> => {
    const now = await read();
    if (now.error === undefined) setSeen({ value: valueOf(now.data) });
  };
  return { seen: seen?.value, lookAgain };
}
