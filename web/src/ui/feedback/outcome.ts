import type { Envelope } from '@ams/contract';
import { toast } from '../../platform/toast.ts';

/** Shows the result of a changing call; false when the server refused it, which the failure handler has shown already. */
export function succeeded(answer: Envelope<unknown>, text: string): boolean {
  if (answer.error !== undefined) return false;
  toast.success(text);
  return true;
}
