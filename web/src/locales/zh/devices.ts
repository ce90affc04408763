import type { devices as en } from '../en/devices.ts';
import type { Texts } from '../texts.ts';

export const devices: Texts<typeof en> = {};
