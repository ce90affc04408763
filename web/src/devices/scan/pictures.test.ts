import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { prepareZXingModule } from 'zxing-wasm/reader';
import type { WriterOptions } from 'zxing-wasm/writer';
import { drawCode128, drawQr, wasmOf, WHITE } from '../../../test/codes.ts';
import { lookOnce, lookWell, type Pixels } from './pixels.ts';
import { parseScanned } from './scanned.ts';

/** Photographs of codes as people take them, read by what the page reads them with. */

beforeAll(async () => prepareZXingModule({ overrides: { wasmBinary: await wasmOf('reader') } }));

const MAC = '02:1a:2b:3c:4d:5e';
const ADDRESS = `https://ads.example.com/scancode?mac=${encodeURIComponent(MAC)}&code=482913`;

const qr = (size?: number, text = ADDRESS, options?: WriterOptions): Promise<Sharp> => drawQr(text, size, options);

/** Ends a chain of steps, of which sharp keeps only one of each kind. */
const fixed = async (picture: Sharp): Promise<Sharp> => sharp(await picture.png().toBuffer());

/** A lively wall, as the rest of a photograph. */
const wall = (width: number, height: number): Sharp =>
  sharp({
    create: { width, height, channels: 3, background: '#8a8f98', noise: { type: 'gaussian', mean: 140, sigma: 18 } },
  });

async function onWall(code: Sharp, width: number, height: number, left: number, top: number): Promise<Sharp> {
  return fixed(wall(width, height).composite([{ input: await code.png().toBuffer(), left, top }]));
}

/** Lays a drawing over the picture: shade, a reflection. */
async function under(code: Sharp, drawing: string): Promise<Sharp> {
  const { width, height } = await (await fixed(code)).metadata();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${drawing}</svg>`;
  return fixed((await fixed(code)).composite([{ input: Buffer.from(svg) }]));
}

const noisy = async (code: Sharp, sigma: number): Promise<Sharp> => {
  const flat = await fixed(code);
  const { width, height } = await flat.metadata();
  const noise = {
    create: {
      width,
      height,
      channels: 3 as const,
      background: '#808080',
      noise: { type: 'gaussian' as const, mean: 128, sigma },
    },
  };
  return fixed(flat.composite([{ input: await sharp(noise).png().toBuffer(), blend: 'overlay' }]));
};

/** As seen from the side: lines are narrower, and closer to each other, the further down they stand. */
async function fromAside(code: Sharp, share: number): Promise<Sharp> {
  const { data, info } = await (await fixed(code)).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const out = Buffer.alloc(data.length, 255);
  for (let y = 0; y < info.height; y += 1) {
    const down = y / info.height;
    const width = info.width * (1 - share * down);
    const line = Math.floor((info.height * down * (1 - share)) / (1 - share * down));
    const from = (info.width - width) / 2;
    for (let x = Math.ceil(from); x < from + width; x += 1) {
      const source = Math.min(info.width - 1, Math.floor(((x - from) / width) * info.width));
      const at = (line * info.width + source) * info.channels;
      data.copy(out, (y * info.width + x) * info.channels, at, at + info.channels);
    }
  }
  return fixed(sharp(out, { raw: { width: info.width, height: info.height, channels: info.channels } }));
}

async function pixelsOf(picture: Sharp): Promise<Pixels> {
  const { data, info } = await (await fixed(picture)).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data: new Uint8ClampedArray(data), width: info.width, height: info.height, colorSpace: 'srgb' };
}

const jpeg = async (picture: Sharp, quality: number): Promise<Sharp> =>
  sharp(await picture.jpeg({ quality }).toBuffer());

const SHADE =
  '<defs><linearGradient id="g"><stop stop-opacity="0.85"/><stop offset="1" stop-opacity="0"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/>';
const GLARE =
  '<defs><radialGradient id="g" cx="0.6" cy="0.55" r="0.16"><stop stop-color="white"/><stop offset="1" stop-color="white" stop-opacity="0"/></radialGradient></defs><rect width="100%" height="100%" fill="url(#g)"/>';

const PICTURES: Record<string, () => Promise<Sharp>> = {
  'as it is': () => qr(),
  'upside down': async () => (await qr()).rotate(180),
  'turned by 17°': async () => (await qr()).rotate(17, { background: WHITE }),
  'turned by 45°': async () => (await qr()).rotate(45, { background: WHITE }),
  'turned by 73° on a wall': async () =>
    onWall(await fixed((await qr(360)).rotate(73, { background: WHITE })), 1200, 900, 300, 150),
  'mirrored': async () => (await qr()).flop(),
  'out of focus': async () => (await qr()).blur(4),
  'far out of focus': async () => (await qr(600)).blur(9),
  'out of focus and turned': async () => (await fixed((await qr(500)).rotate(28, { background: WHITE }))).blur(5),
  'small in a large photograph': async () => onWall(await qr(130), 1600, 1200, 1180, 760),
  'tiny in a large photograph': async () => onWall(await qr(96), 1600, 1200, 210, 140),
  'inverted': async () => (await qr()).negate({ alpha: false }),
  'inverted and turned': async () =>
    (await fixed((await qr()).negate({ alpha: false }))).rotate(31, { background: '#000' }),
  'faint': async () => (await qr()).linear(0.12, 130),
  'faint and dark': async () => (await qr()).linear(0.1, 12),
  'seen from aside': async () => fromAside(await qr(500), 0.35),
  'seen from far aside and turned': async () =>
    (await fromAside(await qr(500), 0.45)).rotate(20, { background: WHITE }),
  'saved badly': async () => jpeg(await qr(240), 12),
  'grainy': async () => noisy(await qr(), 90),
  'grainy, small and saved badly': async () =>
    jpeg(await noisy(await onWall(await qr(220), 1200, 900, 500, 300), 40), 30),
  'half in shade': async () => under(await qr(), SHADE),
  'faint and half in shade': async () => under(await fixed((await qr()).linear(0.4, 100)), SHADE),
  'with a reflection': async () => under(await qr(500, ADDRESS, { ecLevel: 'H' }), GLARE),
  'on a phone held upright': async () => onWall(await qr(420), 900, 1600, 240, 700),
  'with much correction': () => qr(500, ADDRESS, { ecLevel: 'H' }),
  'long, so with many squares': () => qr(500, `${ADDRESS}&${'x'.repeat(300)}`),
  'in colours': async () => (await qr()).tint('#3355ff'),
  'hardly larger than its squares': () => qr(150),
};

describe('a device’s code is read', () => {
  test.each(Object.entries(PICTURES))('%s', async (_, make) => {
    const texts = await lookWell(await pixelsOf(await make()));
    expect(texts.map(parseScanned)).toContainEqual({ mac: MAC, code: '482913' });
  });
});

describe('a label with a bare MAC is read', () => {
  const writings = [MAC, MAC.toUpperCase(), '02-1A-2B-3C-4D-5E', '021A2B3C4D5E', '021a.2b3c.4d5e', 'MAC: 021A2B3C4D5E'];
  test.each(writings)('%s', async (text) => {
    expect((await lookOnce(await pixelsOf(await drawCode128(text)))).map(parseScanned)).toEqual([{ mac: MAC }]);
  });

  test.each<[string, (label: Sharp) => Promise<Sharp>]>([
    ['upright', async (label) => label.rotate(90)],
    ['turned a little', async (label) => label.rotate(6, { background: WHITE })],
    ['out of focus', async (label) => label.blur(1.6)],
    ['on a wall', (label) => onWall(label, 1600, 1200, 500, 400)],
    ['saved badly', (label) => jpeg(label, 15)],
  ])('%s', async (_, change) => {
    const label = await fixed(await drawCode128(MAC.toUpperCase()));
    expect((await lookWell(await pixelsOf(await change(label)))).map(parseScanned)).toEqual([{ mac: MAC }]);
  });
});

describe('nothing is read where there is nothing', () => {
  test.each<[string, () => Promise<Sharp>]>([
    ['a wall', async () => wall(900, 700)],
    ['a white sheet', async () => sharp({ create: { width: 600, height: 600, channels: 3, background: WHITE } })],
    [
      'stripes',
      () =>
        under(
          wall(600, 600),
          Array.from({ length: 30 }, (_, x) => `<rect x="${x * 20}" width="9" height="600"/>`).join(''),
        ),
    ],
    ['half a code', async () => (await fixed(await qr())).extract({ left: 0, top: 0, width: 400, height: 190 })],
    ['one point', async () => sharp({ create: { width: 1, height: 1, channels: 3, background: WHITE } })],
  ])('%s', async (_, make) => {
    expect((await lookWell(await pixelsOf(await make()))).map(parseScanned).filter(Boolean)).toEqual([]);
  });
});
