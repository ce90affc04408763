import type { AppInput } from '../tasks.ts';
import { inMemory } from './bytes.ts';
import { countScans } from './jpeg.ts';
import { SCANS_MAX } from './picture.ts';
import { sharp } from './sharp.ts';

/** Whether these bytes are a whole JPEG of at most `pixelsMax` pixels: decoded to the end. */
export async function isWholeJpeg({ bytes, pixelsMax }: AppInput<'isWholeJpeg'>): Promise<boolean> {
  if (countScans(inMemory(bytes), SCANS_MAX + 1) > SCANS_MAX) return false;
  try {
    const image = sharp(bytes, { limitInputPixels: pixelsMax, failOn: 'warning' });
    const { format } = await image.metadata();
    if (format !== 'jpeg') return false;
    await image.stats();
    return true;
  } catch {
    return false;
  }
}
