import type { releases as en } from '../en/releases.ts';
import type { Texts } from '../texts.ts';

export const releases: Texts<typeof en> = {};
