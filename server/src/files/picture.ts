import { IMAGE_PIXELS_MAX, IMAGE_SIDE_MAX } from '@ams/contract';
import sharp from 'sharp';

// Uploads come one at a time: a cache only holds memory, and threads are needed elsewhere.
sharp.cache(false);
sharp.concurrency(1);

const POSTER_PIXELS = 480;
const POSTER_QUALITY = 75;
const POSTER_SECONDS_MAX = 60;

const MIMES: Partial<Record<string, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};

export type PictureFacts =
  | { kind: 'picture'; mime: string; width: number; height: number }
  | { kind: 'bad'; failure: 'unreadable' | 'tooManyPixels' | 'tooLong' };

/** Type and size of a picture as it is seen, turned by its EXIF orientation. Reads the header only. */
export async function probePicture(file: string): Promise<PictureFacts> {
  try {
    const { format, autoOrient } = await sharp(file, { limitInputPixels: false }).metadata();
    const mime = MIMES[format];
    if (!mime) return { kind: 'bad', failure: 'unreadable' };
    const { width, height } = autoOrient;
    if (width * height > IMAGE_PIXELS_MAX) return { kind: 'bad', failure: 'tooManyPixels' };
    if (Math.max(width, height) > IMAGE_SIDE_MAX) return { kind: 'bad', failure: 'tooLong' };
    return { kind: 'picture', mime, width, height };
  } catch {
    return { kind: 'bad', failure: 'unreadable' };
  }
}

/** A WebP that fits 480 × 480. Throws when the picture cannot be decoded to its end. */
export const makePoster = (source: string | Buffer): Promise<Buffer> =>
  sharp(source, { limitInputPixels: IMAGE_PIXELS_MAX, failOn: 'error' })
    .autoOrient()
    .resize(POSTER_PIXELS, POSTER_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: POSTER_QUALITY })
    .timeout({ seconds: POSTER_SECONDS_MAX })
    .toBuffer();
