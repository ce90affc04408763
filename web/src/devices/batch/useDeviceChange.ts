import type { BatchOrder, Device } from '@ams/contract';
import { useBatch } from './useBatch.ts';

/** Changes one device by a batch of one, which can be undone; true when it went well. */
export function useDeviceChange(device: Device): (order: BatchOrder) => Promise<boolean> {
  const { start } = useBatch();
  return async (order) => {
    const show = await start({ ids: [device.id], ...order }, new Map([[device.id, device]]));
    show?.();
    return show !== undefined;
  };
}
