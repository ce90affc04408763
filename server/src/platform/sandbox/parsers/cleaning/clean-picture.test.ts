import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { cleanPicture } from './clean-picture.ts';

const SECRET = 'Jane Owner 52.5163N 13.3777E';
const FORMATS = ['jpeg', 'png', 'webp'] as const;
const ORIENTATIONS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const mimeOf = (format: string): string => `image/${format}`;

/** Four quarters of different colours, wider than high: no two ways of turning it look the same. */
async function scene(): Promise<Sharp> {
  const quarter = (background: string) =>
    sharp({ create: { width: 24, height: 16, channels: 3, background } })
      .png()
      .toBuffer();
  const [red, green, blue] = await Promise.all(['red', 'green', 'blue'].map(quarter));
  return sharp({ create: { width: 48, height: 32, channels: 3, background: 'white' } }).composite([
    { input: red ?? '', left: 0, top: 0 },
    { input: green ?? '', left: 24, top: 0 },
    { input: blue ?? '', left: 0, top: 16 },
  ]);
}

const XMP = `<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${SECRET}"/></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;

/** As a phone makes it: place, camera and owner, turned, with a colour profile. */
async function personal(format: (typeof FORMATS)[number], orientation: number): Promise<Buffer> {
  const exif = {
    IFD0: { Make: 'Camera Works', Artist: SECRET, Copyright: SECRET, ImageDescription: SECRET },
    IFD2: { BodySerialNumber: SECRET },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 58/1', GPSLongitudeRef: 'E', GPSLongitude: '13/1 22/1 39/1' },
  };
  return (await scene())
    .withIccProfile('p3')
    .withExif(exif)
    .withXmp(XMP)
    .withMetadata({ orientation })
    .withExifMerge(exif)
    .toFormat(format, { quality: 95 })
    .toBuffer();
}

const seen = (bytes: Buffer): Promise<Buffer> => sharp(bytes).autoOrient().raw().toBuffer();
const coded = (bytes: Buffer): Promise<Buffer> => sharp(bytes).raw().toBuffer();

describe.each(FORMATS)('a %s', (format) => {
  test.each(ORIENTATIONS)(
    'with orientation %i keeps it, its colours and its pixels, and loses the rest',
    async (turn) => {
      const original = await personal(format, turn);
      expect(original.includes('Camera Works')).toBe(true);
      const before = await sharp(original).metadata();
      const clean = cleanPicture(mimeOf(format), original);
      const after = await sharp(clean).metadata();
      expect(after.orientation ?? 1).toBe(turn);
      expect(after.icc).toEqual(before.icc);
      expect(after.icc).toBeDefined();
      expect(after.xmp).toBeUndefined();
      expect(after.exif?.length ?? 0).toBeLessThan(40);
      for (const text of ['Camera Works', 'Jane', SECRET, 'xmpmeta']) expect(clean.includes(text)).toBe(false);
      expect(await coded(clean)).toEqual(await coded(original));
      expect(await seen(clean)).toEqual(await seen(original));
      expect(cleanPicture(mimeOf(format), clean)).toEqual(clean);
    },
  );

  test('without metadata stays as it is', async () => {
    const plain = await (await scene()).toFormat(format).toBuffer();
    expect(cleanPicture(mimeOf(format), plain)).toEqual(plain);
  });

  test('loses the bytes behind its end', async () => {
    const plain = await (await scene()).toFormat(format).toBuffer();
    expect(cleanPicture(mimeOf(format), Buffer.concat([plain, Buffer.from(SECRET)]))).toEqual(plain);
  });
});

const segment = (marker: number, text: string): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(Buffer.byteLength(text, 'latin1') + 2, 2);
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
};

test('a JPEG loses IPTC, comments, other pictures and the notes of its maker', async () => {
  const plain = await (await scene()).jpeg({ progressive: true }).toBuffer();
  const extra = [
    segment(0xed, `Photoshop 3.0\0${SECRET}`),
    segment(0xfe, SECRET),
    segment(0xe2, `MPF\0${SECRET}`),
    segment(0xe0, `JFXX\0${SECRET}`),
    segment(0xe5, SECRET),
    Buffer.from([0xff, 0xff]),
  ];
  const dressed = Buffer.concat([plain.subarray(0, 2), ...extra, plain.subarray(2)]);
  expect(cleanPicture('image/jpeg', dressed)).toEqual(plain);
});

test('a PNG loses texts, times and unknown chunks', async () => {
  const plain = await (await scene()).png().toBuffer();
  const chunk = (type: string, data: string): Buffer => {
    const body = Buffer.from(type + data, 'latin1');
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const extra = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'prVt'].map((type) => chunk(type, `Author\0${SECRET}`));
  const dressed = Buffer.concat([plain.subarray(0, 33), ...extra, plain.subarray(33)]);
  expect(cleanPicture('image/png', dressed)).toEqual(plain);
});

test('a GIF loses comments and XMP, and remains animated', async () => {
  const frames = Buffer.concat([Buffer.alloc(48 * 32 * 3, 10), Buffer.alloc(48 * 32 * 3, 200)]);
  const raw = { width: 48, height: 64, channels: 3 as const, pageHeight: 32 };
  const plain = await sharp(frames, { raw })
    .gif({ delay: [100, 100], loop: 0 })
    .toBuffer();
  const start = 13 + ((plain[10] ?? 0) & 0x80 ? 3 * 2 ** (((plain[10] ?? 0) & 7) + 1) : 0);
  const block = (...head: number[]) =>
    Buffer.concat([Buffer.from(head), Buffer.from([SECRET.length]), Buffer.from(SECRET), Buffer.from([0])]);
  const xmp = block(0x21, 0xff, 11, ...Buffer.from('XMP DataXMP'));
  const dressed = Buffer.concat([plain.subarray(0, start), block(0x21, 0xfe), xmp, plain.subarray(start)]);
  expect(cleanPicture('image/gif', dressed)).toEqual(plain);
  expect((await sharp(plain, { animated: true }).metadata()).pages).toBe(2);
});

describe('arbitrary bytes', () => {
  const samples: Buffer[] = [];
  beforeAll(async () => {
    for (const format of FORMATS) samples.push(await personal(format, 6));
    samples.push(await (await scene()).gif().toBuffer());
  });

  test('are cleaned in finite time, and cleaning twice changes nothing more', () => {
    const mimes = [...FORMATS, 'gif'].map(mimeOf);
    fc.assert(
      fc.property(
        fc.nat(3),
        fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { maxLength: 20 }),
        fc.nat(20_000),
        (index, changes, length) => {
          const sample = samples[index] ?? Buffer.alloc(0);
          const bytes = Buffer.from(sample.subarray(0, Math.max(20, Math.min(length, sample.length))));
          for (const [at, value] of changes) bytes[12 + (at % (bytes.length - 12))] = value;
          const mime = mimes[index] ?? '';
          const clean = cleanPicture(mime, bytes);
          expect(cleanPicture(mime, clean).equals(clean)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
