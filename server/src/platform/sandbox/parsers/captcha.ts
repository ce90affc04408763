import svgCaptcha from 'svg-captcha';
import type { DrawnCode } from '../answers.ts';
import type { AppInput } from '../tasks.ts';
import { sharp } from './sharp.ts';

const SVG = { operation: ['VipsForeignLoadSvg'] };

/** A new code of four characters without look-alikes, and its picture as a PNG. */
export async function drawCode(size: AppInput<'captcha'>): Promise<DrawnCode> {
  const { text, data } = svgCaptcha.create({
    size: 4,
    noise: 2,
    color: true,
    background: '#f4f6fa',
    ignoreChars: '0oO1iIlL5sS',
    ...size,
  });
  // This drawing is ours; no upload is ever read as an SVG.
  sharp.unblock(SVG);
  try {
    return { text, png: await sharp(Buffer.from(data)).png().toBuffer() };
  } finally {
    sharp.block(SVG);
  }
}
