import type { AppInput } from '../../tasks.ts';
import { isPlainMp4 } from './boxes.ts';
import { isPlainWebm } from './elements.ts';
import { readingFrom, TooManyParts } from './reader.ts';

/** Whether a film certainly says nothing of where, when, by whom and with what it was taken. */
export const isPlainVideo = ({ file, mime }: AppInput<'isPlainVideo'>): Promise<boolean> =>
  readingFrom(file, mime === 'video/webm' ? isPlainWebm : isPlainMp4).catch((error: unknown) => {
    if (error instanceof TooManyParts) return false;
    throw error;
  });
