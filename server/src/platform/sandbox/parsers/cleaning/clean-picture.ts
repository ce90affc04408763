import { readFileSync } from 'node:fs';
import { cleanGif } from './gif.ts';
import { cleanJpeg } from './jpeg.ts';
import { cleanPng } from './png.ts';
import { cleanWebp } from './webp.ts';

const CLEANERS: Partial<Record<string, (bytes: Buffer) => Buffer>> = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/webp': cleanWebp,
  'image/gif': cleanGif,
};

/**
 * A picture without metadata on place, time, author and camera (EXIF, XMP, IPTC, text, thumbnails,
 * comments, anything behind its end). What is drawn, how it is turned and its colour profile stay, bit by bit.
 * Throws for a type that is not served.
 */
export function cleanPicture(mime: string, bytes: Buffer): Buffer {
  const clean = CLEANERS[mime];
  if (!clean) throw new Error(`no pictures of type ${mime}`);
  return clean(bytes);
}

/** The bytes of a picture's copy without what `cleanPicture` leaves out, or null when there is nothing to leave out. */
export function cleanCopy(file: string, mime: string): Buffer | null {
  const original = readFileSync(file);
  const clean = cleanPicture(mime, original);
  return clean.equals(original) ? null : clean;
}
