import type { BatchAction, BatchOrder, Device, DeviceBatch } from '@ams/contract';
import i18next from 'i18next';
import { storage } from '../../platform/storage.ts';
import { toast } from '../../platform/toast.ts';
import { startBatch, undoBatch } from '../../queries/devices.ts';
import { batchTitle, failureReason } from './words.ts';

/**
 * Changes one device by a batch of one, which can be undone; true when it went well. `reload` reads the device after a
 * refusal because somebody else changed it meanwhile.
 */
export const batchOfOne =
  ({ id }: Pick<Device, 'id'>, reload?: () => Promise<void>) =>
  async (order: BatchOrder): Promise<boolean> => {
    const answer = await startBatch({ ids: [id], ...order });
    if (answer.error !== undefined) return false;
    if (answer.data.failed.some(({ error }) => error === 'CHANGED_MEANWHILE')) await reload?.();
    return isDone(order.action, answer.data);
  };

/** Says what was done, with Undo, or why the device stayed as it was. */
function isDone(action: BatchAction, batch: DeviceBatch): boolean {
  const { job, done, undo } = batch;
  if (isLeft(batch)) return false;
  if (job) {
    // It takes long: the list of devices shows how far it is and what comes of it.
    storage.setBatch(job.id);
    return true;
  }
  const text = i18next.t('doneWith', { what: batchTitle(action, done) });
  if (undo === undefined) toast.success(text);
  else toast.offerUndo(text, () => void takeBack(undo));
  return true;
}

async function takeBack(undo: string): Promise<void> {
  const answer = await undoBatch(undo);
  if (answer.error === undefined) isDone('undo', answer.data);
}

/** Whether a batch left a device as it was, which is then told with the reason. */
export function isLeft({ failed: [first] }: Pick<DeviceBatch, 'failed'>): boolean {
  if (first) toast.fail(failureReason(first));
  return first !== undefined;
}
