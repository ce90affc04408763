import type { Icon } from '../answers.ts';
import type { AppInput } from '../tasks.ts';
import { sharp } from './sharp.ts';

/** An icon as a WebP of at most `side` pixels a side, or null when it cannot be drawn. */
export async function drawIcon({ bytes, side, pixelsMax }: AppInput<'icon'>): Promise<Icon | null> {
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: pixelsMax })
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .webp()
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, width: info.width, height: info.height };
  } catch {
    return null;
  }
}
