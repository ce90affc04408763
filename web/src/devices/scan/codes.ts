import { prepareZXingModule } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import { lookOnce, lookWell, type Pixels } from './pixels.ts';

// Without this the reader is fetched from somebody else's server.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasm : prefix + path) },
});

/** Photographs are read at this length of their longer side first: large ones hide small codes in noise and take seconds. */
const READING_LENGTH = 1600;
/** A code so small that it is lost at that length is looked for at this one. */
const READING_LENGTH_MAX = 3200;

/** Fetches the reader before the first picture needs it. */
export const warmUp = (): Promise<unknown> => prepareZXingModule({ fireImmediately: true });

const canvas = document.createElement('canvas');

function pixelsOf(picture: CanvasImageSource, width: number, height: number, length: number): Pixels {
  const scale = Math.min(1, length / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  const pen = canvas.getContext('2d', { willReadFrequently: true });
  if (!pen) throw new Error('this browser draws no pictures');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return pen.getImageData(0, 0, canvas.width, canvas.height);
}

/** Texts of the codes in a frame of the camera. */
export const readFrame = (video: HTMLVideoElement): Promise<string[]> =>
  lookOnce(pixelsOf(video, video.videoWidth, video.videoHeight, READING_LENGTH));

/** Texts of the codes in a picture; none when it holds none or is no picture. */
export async function readPicture(file: Blob): Promise<string[]> {
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return [];
  const { width, height } = picture;
  const texts = await lookWell(pixelsOf(picture, width, height, READING_LENGTH));
  if (texts.length > 0 || Math.max(width, height) <= READING_LENGTH) return texts;
  return lookOnce(pixelsOf(picture, width, height, READING_LENGTH_MAX));
}
