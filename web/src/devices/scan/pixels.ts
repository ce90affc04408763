import { type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';

/** Red, green, blue and opacity of each point, row by row: what a canvas gives. */
export type Pixels = Pick<ImageData, 'data' | 'width' | 'height' | 'colorSpace'>;

/** Code formats on devices' screens and labels. The reader itself tries rotations, inverted codes and half sizes. */
const OPTIONS: ReaderOptions = {
  formats: ['QRCode', 'DataMatrix', 'Code128', 'Code39'],
  tryHarder: true,
  tryRotate: true,
  tryInvert: true,
  tryDownscale: true,
  maxNumberOfSymbols: 4,
};

/** Texts of the codes in one frame of a camera: the next frame comes soon, so one look is enough. */
export async function lookOnce(pixels: Pixels): Promise<string[]> {
  const found = await readBarcodes(pixels, OPTIONS);
  return found.filter(({ isValid }) => isValid).map(({ text }) => text);
}

/**
 * Texts of the codes in a photograph, which is all there is: looked at as it is, then smoothed (a screen's own
 * dots and a camera's grain), sharpened (out of focus) and with its light evened out. Ends with the first find.
 */
export async function lookWell(pixels: Pixels): Promise<string[]> {
  const ways: (() => Pixels)[] = [() => pixels, () => halved(pixels), () => sharpened(pixels), () => evened(pixels)];
  for (const way of ways) {
    const texts = await lookOnce(way());
    if (texts.length > 0) return texts;
  }
  return [];
}

const grey = ({ data }: Pixels, at: number): number =>
  0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0);

function ofGrey(width: number, height: number, value: (x: number, y: number) => number): Pixels {
  const data = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4;
      data.fill(value(x, y), at, at + 3);
    }
  }
  return { data, width, height, colorSpace: 'srgb' };
}

/** Half the size; each point the mean of four. */
function halved(pixels: Pixels): Pixels {
  const { width } = pixels;
  return ofGrey(Math.max(1, width >> 1), Math.max(1, pixels.height >> 1), (x, y) => {
    const at = (y * 2 * width + x * 2) * 4;
    return (
      (grey(pixels, at) + grey(pixels, at + 4) + grey(pixels, at + width * 4) + grey(pixels, at + width * 4 + 4)) / 4
    );
  });
}

/** Sums of all points above and to the left, by which the mean of any rectangle costs four look-ups. */
function meansOf(pixels: Pixels): (x: number, y: number, radius: number) => number {
  const { width, height } = pixels;
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y += 1) {
    let line = 0;
    for (let x = 0; x < width; x += 1) {
      line += grey(pixels, (y * width + x) * 4);
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + line;
    }
  }
  const sum = (x: number, y: number): number => sums[y * (width + 1) + x] ?? 0;
  return (x, y, radius) => {
    const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)];
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)];
    const area = (right - left) * (bottom - top);
    return (sum(right, bottom) - sum(left, bottom) - sum(right, top) + sum(left, top)) / area;
  };
}

const SHARP_RADIUS = 3;
const SHARP_AMOUNT = 2.5;

/** Unsharp masking: what differs from its surroundings differs more. */
function sharpened(pixels: Pixels): Pixels {
  const mean = meansOf(pixels);
  const { width, height } = pixels;
  return ofGrey(width, height, (x, y) => {
    const own = grey(pixels, (y * width + x) * 4);
    return own + SHARP_AMOUNT * (own - mean(x, y, SHARP_RADIUS));
  });
}

/** A shade reaches over a large part of the picture, a code's squares do not. */
const SHADE_SHARE = 1 / 12;
const CONTRAST = 4;

/** Each point against the light around it, so that shade, reflections and faint print do not matter. */
function evened(pixels: Pixels): Pixels {
  const mean = meansOf(pixels);
  const { width, height } = pixels;
  const radius = Math.ceil(Math.min(width, height) * SHADE_SHARE);
  return ofGrey(width, height, (x, y) => 128 + CONTRAST * (grey(pixels, (y * width + x) * 4) - mean(x, y, radius)));
}
