/** A size in pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface Box extends Size {
  x: number;
  y: number;
}

/** Which part of a picture is drawn where. */
export interface Fitting {
  from: Box;
  to: Box;
}

/**
 * How a picture fills a box by CSS `object-fit`: `contain` shows all of it with bars, `cover` fills the box and
 * crops it, both in the middle; anything else stretches. Undefined where there is nothing to draw.
 */
export function fitting(picture: Size, box: Box, fit: string): Fitting | undefined {
  if (picture.width <= 0 || picture.height <= 0 || box.width <= 0 || box.height <= 0) return undefined;
  const whole: Box = { x: 0, y: 0, ...picture };
  if (fit !== 'contain' && fit !== 'cover') return { from: whole, to: box };
  const [across, down] = [box.width / picture.width, box.height / picture.height];
  const scale = fit === 'contain' ? Math.min(across, down) : Math.max(across, down);
  if (fit === 'contain')
    return { from: whole, to: centred({ width: picture.width * scale, height: picture.height * scale }, box) };
  return { from: centred({ width: box.width / scale, height: box.height / scale }, whole), to: box };
}

const centred = (size: Size, within: Box): Box => ({
  x: within.x + (within.width - size.width) / 2,
  y: within.y + (within.height - size.height) / 2,
  ...size,
});

/** The factor that brings the longer side down to `longest`; a smaller picture stays as it is. */
export const reduction = ({ width, height }: Size, longest: number): number =>
  Math.min(1, longest / Math.max(width, height, 1));
