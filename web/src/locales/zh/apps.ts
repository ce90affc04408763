import type { apps as en } from '../en/apps.ts';
import type { Texts } from '../texts.ts';

export const apps: Texts<typeof en> = {};
