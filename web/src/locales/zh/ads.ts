import type { ads as en } from '../en/ads.ts';
import type { Texts } from '../texts.ts';

export const ads: Texts<typeof en> = {};
