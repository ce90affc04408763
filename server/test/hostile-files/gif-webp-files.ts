import { join, latin1, mutate, repeat, u16le, u24le, u32le, u8 } from './bytes.ts';
import { filesOf, type HostileFile } from './file.ts';

const gif = filesOf('gif', 'picture', '.gif');
const webp = filesOf('webp', 'picture', '.webp');

/** GIF89a: a screen of two colours, then whatever follows. */
const screen = (width: number, height: number): Buffer =>
  join(latin1('GIF89a'), u16le(width, height), u8(0x80, 0, 0), u8(0, 0, 0, 255, 255, 255));

/** A picture of the screen, whose data are "clear, white, end" unless others are given. */
const image = (width: number, height: number, data = u8(2, 2, 0x44, 0x01, 0), left = 0, top = 0): Buffer =>
  join(u8(0x2c), u16le(left, top, width, height), u8(0), data);

const delay = (hundredths: number): Buffer => join(u8(0x21, 0xf9, 4, 0), u16le(hundredths), u8(0, 0));
const LOOP = join(u8(0x21, 0xff, 11), latin1('NETSCAPE2.0'), u8(3, 1), u16le(0), u8(0));
const GIF_END = u8(0x3b);

/** LZW data of 2-bit codes that restart repeatedly and never end. */
const clears = (bytes: number): Buffer =>
  join(u8(2), repeat(Math.ceil(bytes / 255), join(u8(255), Buffer.alloc(255, 0x24))), u8(0));

const small = (...blocks: Buffer[]): Buffer => join(screen(8, 8), blocks, image(8, 8), GIF_END);

const gifFiles = (): HostileFile[] => [
  gif('of 65,535 × 65,535', 'memory by the header', () => join(screen(65_535, 65_535), image(65_535, 65_535), GIF_END)),
  gif('of 65,535 × 1', 'a line', () => join(screen(65_535, 1), image(65_535, 1), GIF_END)),
  gif('of 0 × 0', 'a division by the size', () => join(screen(0, 0), image(0, 0), GIF_END)),
  gif('of 10,000 frames', 'a frame each', () =>
    join(screen(8, 8), LOOP, repeat(10_000, join(delay(1), image(8, 8))), GIF_END),
  ),
  gif('of 10,000 frames of 6000 × 6000', 'memory per frame', () =>
    join(screen(6000, 6000), LOOP, repeat(10_000, join(delay(0), image(1, 1))), GIF_END),
  ),
  gif('of frames that lie outside', 'a write out of range', () =>
    join(screen(8, 8), repeat(20, image(60_000, 60_000, undefined, 60_000, 60_000)), GIF_END),
  ),
  gif('whose codes are 255 bits long', 'a table by the header', () =>
    join(screen(8, 8), image(8, 8, u8(255, 1, 0, 0)), GIF_END),
  ),
  gif('whose codes begin anew for 2 MB', 'a decoder that starts anew', () =>
    join(screen(3000, 3000), image(3000, 3000, clears(2_000_000)), GIF_END),
  ),
  gif('with comments of 4 MB', 'a loop over blocks', () =>
    small(u8(0x21, 0xfe), repeat(16_000, join(u8(255), Buffer.alloc(255, 0x41))), u8(0)),
  ),
  gif('of 300,000 empty extensions', 'a loop over blocks', () => small(repeat(300_000, u8(0x21, 0xfe, 0)))),
  gif('that loops 65,535 times', 'a duration', () => small(LOOP, delay(65_535))),
  gif('without an end', 'a read out of range', () => join(screen(8, 8), u8(0x21, 0xfe), Buffer.alloc(300, 0xff))),
  gif('and a script', 'a browser that looks at the bytes', () =>
    join(latin1('GIF89a/*'), Buffer.alloc(100), latin1('*/=1;alert(1)')),
  ),
  ...Array.from({ length: 6 }, (_, index) =>
    gif(`with noise, ${index + 1}`, 'whatever breaks', () =>
      mutate(join(screen(64, 64), repeat(20, image(8, 8)), GIF_END), index + 1),
    ),
  ),
];

/** RIFF chunks of WebP (RFC 9649). */
const riff = (type: string, content: Buffer, size = content.length): Buffer =>
  join(latin1(type), u32le(size), content, Buffer.alloc(content.length % 2));

const file = (...chunks: Buffer[]): Buffer => riff('RIFF', join(latin1('WEBP'), chunks));

/** A lossless picture of one colour: its five codes have one symbol each, so that a pixel takes no bit (RFC 9649 §3). */
function plain(width: number, height: number): Buffer {
  let value = BigInt(width - 1) | (BigInt(height - 1) << 14n);
  // No alpha, version 0, no transform, no cache, no groups; five simple codes of one symbol of one bit, 0.
  const codes = 0b0001_0001_0001_0001_0001n;
  value |= codes << 35n;
  const data = Buffer.alloc(10);
  for (let at = 0; at < data.length; at += 1) data[at] = Number((value >> BigInt(at * 8)) & 0xffn);
  return riff('VP8L', join(u8(0x2f), data));
}

const ANIMATED = 2;
const extended = (flags: number, width: number, height: number): Buffer =>
  riff('VP8X', join(u8(flags, 0, 0, 0), u24le(width - 1), u24le(height - 1)));
const loop = riff('ANIM', join(u32le(0), u16le(0)));
const shown = (width: number, height: number, ...content: Buffer[]): Buffer =>
  riff('ANMF', join(u24le(0), u24le(0), u24le(width - 1), u24le(height - 1), u24le(10), u8(0), content));

const webpFiles = (): HostileFile[] => [
  webp('of 16,383 × 16,383 in 32 bytes', 'a decompression bomb', () => file(plain(16_383, 16_383))),
  webp('of 6320 × 6320 in 32 bytes', 'a decompression bomb within the limit of pixels', () => file(plain(6320, 6320))),
  webp('on a canvas of 2^24 × 2^24', 'a product that overflows', () =>
    file(extended(0, 2 ** 24, 2 ** 24), plain(8, 8)),
  ),
  webp('of 10,000 frames', 'a frame each', () =>
    file(extended(ANIMATED, 8, 8), loop, repeat(10_000, shown(8, 8, plain(8, 8)))),
  ),
  webp('of 10,000 frames of 6000 × 6000', 'memory per frame', () =>
    file(extended(ANIMATED, 6000, 6000), loop, repeat(10_000, shown(6000, 6000, plain(6000, 6000)))),
  ),
  webp('of frames in frames', 'recursion', () => {
    let inner = plain(8, 8);
    for (let depth = 0; depth < 2000; depth += 1) inner = shown(8, 8, inner);
    return file(extended(ANIMATED, 8, 8), loop, inner);
  }),
  webp('of frames without a picture', 'a picture that is not there', () =>
    file(extended(ANIMATED, 4000, 4000), loop, repeat(5000, shown(4000, 4000))),
  ),
  webp('of RIFF that says 4 GiB', 'a length that is trusted', () =>
    riff('RIFF', join(latin1('WEBP'), plain(8, 8)), 0xffffffff),
  ),
  webp('of a picture that says 4 GiB', 'a length that is trusted', () =>
    file(riff('VP8 ', Buffer.alloc(30), 0xfffffffe)),
  ),
  webp('with EXIF, XMP and a profile of noise', 'parsers of metadata', () =>
    file(
      extended(0x2c, 8, 8),
      ...['ICCP', 'EXIF', 'XMP '].map((type) => riff(type, Buffer.alloc(100_000, 0xff))),
      plain(8, 8),
    ),
  ),
  webp('of 200,000 unknown chunks', 'a loop over chunks', () =>
    file(extended(0, 8, 8), repeat(200_000, riff('JUNK', Buffer.alloc(0))), plain(8, 8)),
  ),
  webp('of nothing', 'a read out of range', () => file(riff('VP8L', Buffer.alloc(0)))),
  ...Array.from({ length: 6 }, (_, index) =>
    webp(`with noise, ${index + 1}`, 'whatever breaks', () =>
      mutate(file(extended(ANIMATED, 64, 64), loop, repeat(5, shown(64, 64, plain(64, 64)))), index + 1, 20),
    ),
  ),
];

export const gifAndWebpFiles = (): HostileFile[] => [...gifFiles(), ...webpFiles()];
