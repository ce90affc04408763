import type { files as en } from '../en/files.ts';
import type { Texts } from '../texts.ts';

export const files: Texts<typeof en> = {};
