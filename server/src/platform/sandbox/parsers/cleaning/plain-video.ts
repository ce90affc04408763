import type { AppInput } from '../../tasks.ts';
import { isPlainMp4 } from './boxes.ts';
import { isPlainWebm } from './elements.ts';
import { readingFrom, TooManyParts } from './reader.ts';

/** Whether a video certainly has no metadata on place, time, author and camera. */
export const isPlainVideo = ({ file, mime }: AppInput<'isPlainVideo'>): Promise<boolean> =>
  readingFrom(file, mime === 'video/webm' ? isPlainWebm : isPlainMp4).catch((error: unknown) => {
    if (error instanceof TooManyParts) return false;
    throw error;
  });
