import { constants, deflateSync, crc32 } from 'node:zlib';
import { join, latin1, mutate, repeat, u16, u32, u8 } from './bytes.ts';
import { filesOf, type HostileFile } from './file.ts';

/** Chunks of PNG, third edition, and pictures made of them. */

const png = filesOf('png', 'picture', '.png');
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export function chunk(type: string, content: Buffer): Buffer {
  const body = join(latin1(type), content);
  return join(u32(content.length), body, u32(crc32(body)));
}

interface Header {
  width: number;
  height: number;
  depth?: number;
  colour?: number;
  interlace?: number;
}

const header = ({ width, height, depth = 8, colour = 0, interlace = 0 }: Header): Buffer =>
  chunk('IHDR', join(u32(width, height), u8(depth, colour, 0, 0, interlace)));

const END = chunk('IEND', Buffer.alloc(0));

const BLOCK = deflateSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH }).subarray(2);

/** A zlib stream of so many megabytes of zeros, a thousandth as long (RFC 1950); its sum is not right. */
export const zeros = (megabytes: number): Buffer => join(u8(0x78, 0x9c), repeat(megabytes, BLOCK), u8(3, 0), u32(1));

const picture = (head: Header, data: Buffer, ...chunks: Buffer[]): Buffer =>
  join(SIGNATURE, header(head), chunks, chunk('IDAT', data), END);

const SMALL: Header = { width: 16, height: 16 };
const smallData = deflateSync(Buffer.alloc(17 * 16));
const small = (...chunks: Buffer[]): Buffer => picture(SMALL, smallData, ...chunks);

/** An animation (APNG) of frames like the picture; `count` is their declared number. */
const animation = (head: Header, data: Buffer, frames: number, count = frames): Buffer => {
  const control = (sequence: number): Buffer =>
    chunk('fcTL', join(u32(sequence, head.width, head.height, 0, 0), u16(0, 0), u8(0, 0)));
  const later = repeat(frames - 1, (index) =>
    join(control(index * 2 + 1), chunk('fdAT', join(u32(index * 2 + 2), data))),
  );
  const start = [header(head), chunk('acTL', u32(count, 0)), control(0), chunk('IDAT', data)];
  return join(SIGNATURE, start, later, END);
};

const zipped = (bytes: number): Buffer => zeros(bytes);

export const pngFiles = (): HostileFile[] => [
  png('of 65,535 × 65,535', 'memory by the header', () => picture({ width: 65_535, height: 65_535 }, smallData)),
  png('of 2^31 × 2^31', 'a product that overflows', () =>
    picture({ width: 2 ** 31 - 1, height: 2 ** 31 - 1 }, smallData),
  ),
  png('of 2^32 - 1 × 1', 'a line', () => picture({ width: 2 ** 32 - 1, height: 1 }, smallData)),
  png('of 0 × 0', 'a division by the size', () => picture({ width: 0, height: 0 }, smallData)),
  png('of 50,000 × 50,000 in zeros', 'a decompression bomb', () =>
    picture({ width: 50_000, height: 50_000 }, zeros(600)),
  ),
  png('of 39 megapixels of 64 bits', 'a decompression bomb within the limit of pixels', () =>
    picture({ width: 6240, height: 6240, depth: 16, colour: 6 }, zeros(298)),
  ),
  png('of 39 interlaced megapixels of 64 bits', 'a decompression bomb within the limit of pixels', () =>
    picture({ width: 6240, height: 6240, depth: 16, colour: 6, interlace: 1 }, zeros(298)),
  ),
  png('of 256 pixels and 500 MB', 'a decompression bomb behind the picture', () => picture(SMALL, zeros(500))),
  png('with a text that inflates to 500 MB', 'a decompression bomb in the header', () =>
    small(chunk('zTXt', join(latin1('x\0\0'), zipped(500)))),
  ),
  png('with an international text that inflates to 500 MB', 'a decompression bomb in the header', () =>
    small(chunk('iTXt', join(latin1('x\0\u0001\0\0\0'), zipped(500)))),
  ),
  png('with a profile that inflates to 500 MB', 'a colour profile', () =>
    small(chunk('iCCP', join(latin1('x\0\0'), zipped(500)))),
  ),
  png('with 20 profiles of 100 MB', 'a colour profile', () =>
    small(repeat(20, chunk('iCCP', join(latin1('x\0\0'), zipped(100))))),
  ),
  png('of 100,000 texts', 'a loop over chunks', () => small(repeat(100_000, chunk('tEXt', latin1('a\0b'))))),
  png('of 200,000 empty data chunks', 'a loop over chunks', () =>
    small(repeat(200_000, chunk('IDAT', Buffer.alloc(0)))),
  ),
  png('of a chunk of 2^31 bytes', 'a length that is trusted', () =>
    join(SIGNATURE, header(SMALL), u32(2 ** 31), latin1('tEXt')),
  ),
  png('of 1000 headers', 'the first header or the last', () =>
    small(repeat(1000, header({ width: 60_000, height: 60_000 }))),
  ),
  png('of a depth of 255', 'memory by the header', () => picture({ ...SMALL, depth: 255, colour: 255 }, smallData)),
  png('with a palette of nothing', 'an index out of range', () =>
    picture({ ...SMALL, colour: 3 }, smallData, chunk('PLTE', Buffer.alloc(0))),
  ),
  png('with a palette of 5 MB', 'a table by the header', () =>
    picture({ ...SMALL, colour: 3 }, smallData, chunk('PLTE', Buffer.alloc(5_000_001))),
  ),
  png('with EXIF that is noise', 'a parser of EXIF', () => small(chunk('eXIf', Buffer.alloc(60_000, 0xff)))),
  png('with sums that are wrong', 'a decoder that continues', () =>
    join(small().subarray(0, 29), u32(0), small().subarray(33)),
  ),
  png('moving, 10,000 frames', 'a frame each', () => animation(SMALL, smallData, 10_000)),
  png('moving, 200 frames of 4000 × 4000', 'memory per frame', () =>
    animation({ width: 4000, height: 4000 }, zeros(16), 200),
  ),
  png('moving, 2^31 frames that are not there', 'a table that is trusted', () =>
    animation(SMALL, smallData, 2, 2 ** 31),
  ),
  png('and a page', 'a browser that looks at the bytes', () => join(small(), latin1('<script>alert(1)</script>'))),
  ...Array.from({ length: 8 }, (_, index) =>
    png(`with noise, ${index + 1}`, 'whatever breaks', () => mutate(animation(SMALL, smallData, 5), index + 1)),
  ),
];
