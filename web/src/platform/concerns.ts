import type { DeviceFilter } from '@ams/contract';

/** Filters of the devices that need attention, by the reason. */
export const DEVICE_CONCERNS = {
  offline: { online: false, paired: true, dark: false },
  failed: { download: 'failed' },
  expiring: { expiry: 'expiring' },
  stalled: { download: 'stalled' },
} as const satisfies Record<string, DeviceFilter>;

export type DeviceConcern = keyof typeof DEVICE_CONCERNS;
