import type { DeviceFilter } from '@ams/contract';

/** Which devices need attention, by what is wrong. */
export const DEVICE_CONCERNS = {
  offline: { online: false, paired: true, dark: false },
  failed: { download: 'failed' },
  expiring: { expiry: 'expiring' },
  stalled: { download: 'stalled' },
} as const satisfies Record<string, DeviceFilter>;

export type DeviceConcern = keyof typeof DEVICE_CONCERNS;
