import type { Envelope } from '@ams/contract';
import { toast } from '../../platform/toast.ts';

/** Says what a changing call did; false when the server refused, which has been told already. */
export function succeeded(answer: Envelope<unknown>, text: string): boolean {
  if (answer.error !== undefined) return false;
  toast.success(text);
  return true;
}
