import type { DeviceFilter } from '@ams/contract';

/** Whether a filter can become a group: it limits something and refers to no other group. */
export const canSave = ({ group, ...filter }: DeviceFilter): boolean =>
  group === undefined && Object.values(filter).some((value) => value !== undefined);
