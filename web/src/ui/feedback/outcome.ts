import type { Envelope } from '@ams/contract';
import i18next from 'i18next';
import { toast } from '../../platform/toast.ts';

/** Takes a change back; true when it did. */
type Undo = () => Promise<boolean>;

/** Shows the result of a changing call; false when the server refused it, which the failure handler has shown already. */
export function succeeded(answer: Envelope<unknown>, text: string): boolean {
  if (answer.error !== undefined) return false;
  toast.success(text);
  return true;
}

/** As `succeeded`, for a change that can be undone for a short time: `undo` takes it back, true when it did. */
export function succeededUndoably(answer: Envelope<unknown>, text: string, undo: Undo | undefined): boolean {
  if (answer.error !== undefined) return false;
  offerUndo(text, undo);
  return true;
}

/** Says what was done, and offers to undo it where that is possible. */
export function offerUndo(text: string, undo: Undo | undefined): void {
  if (!undo) return toast.success(text);
  toast.offerUndo(text, () => void undo().then((isUndone) => isUndone && toast.success(i18next.t('undone'))));
}
