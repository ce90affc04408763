import { BarcodeDetector, prepareZXingModule } from 'barcode-detector/ponyfill';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';

// Without this the reader is fetched from somebody else's server.
prepareZXingModule({
  overrides: { locateFile: (path: string, prefix: string) => (path.endsWith('.wasm') ? wasm : prefix + path) },
});

const detector = new BarcodeDetector({ formats: ['qr_code', 'data_matrix', 'code_128', 'code_39'] });

/** Photographs are read at this width first: large ones hide small codes in noise and take seconds. */
const READING_WIDTH = 1600;

/** Fetches the reader before the first picture needs it. */
export const warmUp = (): Promise<unknown> => prepareZXingModule({ fireImmediately: true });

/** Texts of the codes in a frame of the camera. */
export const readFrame = async (video: HTMLVideoElement): Promise<string[]> =>
  (await detector.detect(video)).map((code) => code.rawValue);

/** Texts of the codes in a picture; none when it holds none or is no picture. */
export async function readPicture(file: Blob): Promise<string[]> {
  const whole = await createImageBitmap(file).catch(() => undefined);
  if (!whole) return [];
  const smaller =
    whole.width > READING_WIDTH
      ? [await createImageBitmap(whole, { resizeWidth: READING_WIDTH, resizeQuality: 'high' })]
      : [];
  for (const bitmap of [...smaller, whole]) {
    const found = await detector.detect(bitmap);
    if (found.length > 0) return found.map((code) => code.rawValue);
  }
  return [];
}
