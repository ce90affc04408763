import type { ExaminedPicture, PictureFacts } from '../answers.ts';
import type { AppInput } from '../tasks.ts';
import { type Bytes, withFile } from './bytes.ts';
import { cleanCopy } from './cleaning/clean-picture.ts';
import { countScans } from './jpeg.ts';
import { countFrames } from './png.ts';
import { sharp } from './sharp.ts';

const POSTER_PIXELS = 480;
const POSTER_QUALITY = 75;
/** Shows no difference from the picture that was uploaded. */
const UPRIGHT_QUALITY = 95;

/** Encoders make about ten scans. Each costs a decoder as much as a whole picture. */
export const SCANS_MAX = 100;
/** A minute and more at 25 frames a second; longer films are videos. */
const FRAMES_MAX = 2000;

const MIMES: Partial<Record<string, string>> = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Whether decoding takes more than any encoder's output should. */
function isTooDemanding(bytes: Bytes, format: string, frames: number): boolean {
  if (format === 'jpeg') return countScans(bytes, SCANS_MAX + 1) > SCANS_MAX;
  return (format === 'png' ? countFrames(bytes) : frames) > FRAMES_MAX;
}

/** Type and size of a picture as it is seen, turned by its EXIF orientation. Reads the header and counts. */
export async function pictureFacts({ file, pixelsMax, sideMax }: AppInput<'pictureFacts'>): Promise<PictureFacts> {
  try {
    const { format, autoOrient, pages = 1 } = await sharp(file, { limitInputPixels: false }).metadata();
    const mime = MIMES[format];
    if (!mime) return { kind: 'bad', failure: 'unreadable' };
    const { width, height } = autoOrient;
    if (width * height > pixelsMax) return { kind: 'bad', failure: 'tooManyPixels' };
    if (Math.max(width, height) > sideMax) return { kind: 'bad', failure: 'tooLong' };
    if (withFile(file, (bytes) => isTooDemanding(bytes, format, pages)))
      return { kind: 'bad', failure: 'tooDemanding' };
    return { kind: 'picture', mime, width, height };
  } catch {
    return { kind: 'bad', failure: 'unreadable' };
  }
}

/** A WebP that fits 480 × 480, or null when the picture cannot be decoded to its end. */
const posterOf = (source: string | Uint8Array, pixelsMax: number): Promise<Buffer | null> =>
  sharp(source, { limitInputPixels: pixelsMax, failOn: 'error' })
    .autoOrient()
    .resize(POSTER_PIXELS, POSTER_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: POSTER_QUALITY })
    .toBuffer()
    .catch(() => null);

export const makePoster = ({ bytes, pixelsMax }: AppInput<'poster'>): Promise<Buffer | null> =>
  posterOf(bytes, pixelsMax);

/**
 * A WebP that shows what its EXIF orientation turns, or null when that turns nothing. Browsers turn other pictures by
 * themselves, but Chromium no WebP.
 */
async function uprightWebp({ file, pixelsMax }: AppInput<'examinePicture'>): Promise<Buffer | null> {
  const picture = sharp(file, { limitInputPixels: pixelsMax });
  const { orientation = 1, pages = 1 } = await picture.metadata();
  if (orientation === 1 || pages > 1) return null;
  return picture.autoOrient().keepIccProfile().webp({ quality: UPRIGHT_QUALITY }).toBuffer();
}

/** Facts, poster and clean copy of a picture; one that cannot be decoded to its end is truncated or damaged. */
export async function examinePicture(input: AppInput<'examinePicture'>): Promise<ExaminedPicture> {
  const facts = await pictureFacts(input);
  if (facts.kind === 'bad') return facts;
  const poster = await posterOf(input.file, input.pixelsMax);
  if (!poster) return { kind: 'bad', failure: 'unreadable' };
  const upright = facts.mime === 'image/webp' ? await uprightWebp(input) : null;
  return { ...facts, poster, clean: upright ? [upright] : cleanCopy(input.file, facts.mime) };
}
