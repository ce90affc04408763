import { join, latin1, repeat, u16, u8 } from './bytes.ts';

/** Segments of ITU-T T.81, and pictures made of them. */

export const SOI = u8(0xff, 0xd8);
export const EOI = u8(0xff, 0xd9);

/** A marker with its length, which need not be true. */
export const segment = (marker: number, content: Buffer, length = content.length + 2): Buffer =>
  join(u8(0xff, marker), u16(length), content);

const quantization = (value = 1): Buffer => segment(0xdb, join(u8(0), Buffer.alloc(64, value)));

export interface Component {
  id: number;
  sampling?: number;
}

const GREY: Component[] = [{ id: 1 }];

/** Start of frame; `kind` 0 baseline, 2 progressive, 3 lossless, 5 hierarchical, 9 arithmetic. */
export const frame = (kind: number, width: number, height: number, components = GREY, precision = 8): Buffer =>
  segment(
    0xc0 + kind,
    join(
      u8(precision),
      u16(height, width),
      u8(components.length),
      components.map(({ id, sampling = 0x11 }) => u8(id, sampling, 0)),
    ),
  );

/** A Huffman table with so many symbols of equal length; class 0 for DC, 1 for AC. */
export const huffman = (kind: 0 | 1, symbols: number[]): Buffer => {
  const bits = symbols.length <= 1 ? 1 : Math.ceil(Math.log2(symbols.length + 1));
  const counts = Buffer.alloc(16);
  counts[bits - 1] = symbols.length;
  return segment(0xc4, join(u8(kind * 16), counts, u8(...symbols)));
};

export interface Scan {
  from: number;
  to: number;
  /** Bits that came before, and that are left. */
  high: number;
  low: number;
  components?: number[];
}

export const scanHead = ({ from, to, high, low, components = [1] }: Scan): Buffer =>
  segment(
    0xda,
    join(
      u8(components.length),
      components.map((id) => u8(id, 0)),
      u8(from, to, high * 16 + low),
    ),
  );

/** Bits of an entropy-coded part, padded with ones and stuffed (§F.1.2.3). */
function entropyCoded(parts: readonly (readonly [value: number, width: number])[]): Buffer {
  const binary = parts.map(([value, width]) => value.toString(2).padStart(width, '0')).join('');
  const octets = binary.padEnd(Math.ceil(binary.length / 8) * 8, '1').match(/.{8}/g) ?? [];
  return join(octets.map((octet) => (octet === '11111111' ? u8(0xff, 0) : u8(Number.parseInt(octet, 2)))));
}

const RUN_MAX = 0x7fff;

/** "Nothing in so many blocks", in the two codes of the table that `scanBomb` has. */
function runs(blocks: number): Buffer {
  const parts: [number, number][] = [];
  let left = blocks;
  while (left > 0) {
    const run = Math.min(left, RUN_MAX);
    const width = Math.floor(Math.log2(run));
    parts.push([width, 4]);
    if (width > 0) parts.push([run - 2 ** width, width]);
    left -= run;
  }
  return entropyCoded(parts);
}

const BLOCK = 8;
/** Ends of bands of 2^0 to 2^14 blocks; a symbol's code is its number, four bits long. */
const BAND_ENDS = Array.from({ length: 15 }, (_, width) => width * 16);

/** A grey progressive picture of so many scans, all of them allowed: each walks through every block. */
export function scanBomb(side = 6320, scans = 883): Buffer {
  const blocks = Math.ceil(side / BLOCK) ** 2;
  const nothing = runs(blocks);
  const parts = [SOI, quantization(), frame(2, side, side), huffman(0, [0]), huffman(1, BAND_ENDS)];
  parts.push(scanHead({ from: 0, to: 0, high: 0, low: 0 }), Buffer.alloc(Math.ceil(blocks / BLOCK)));
  for (let scan = 1; scan < scans; scan += 1) {
    const coefficient = 1 + Math.floor((scan - 1) / 14);
    const low = 13 - ((scan - 1) % 14);
    const high = low === 13 ? 0 : low + 1;
    parts.push(scanHead({ from: coefficient, to: coefficient, high, low }), nothing);
  }
  return join(parts, EOI);
}

/** A small grey picture, with more segments behind its beginning. */
export const smallJpeg = (...segments: Buffer[]): Buffer =>
  join(
    SOI,
    segments,
    quantization(),
    frame(0, 16, 16),
    huffman(0, [0]),
    huffman(1, [0]),
    segment(0xda, u8(1, 1, 0, 0, 63, 0)),
    u8(0),
    EOI,
  );

/** A picture of any size whose every block is grey. */
export function greyJpeg(width: number, height: number, more: Buffer[] = [], real = true): Buffer {
  const blocks = real ? Math.ceil(width / BLOCK) * Math.ceil(height / BLOCK) : 0;
  const tables = [quantization(), ...more, frame(0, width, height), huffman(0, [0]), huffman(1, [0])];
  return join(SOI, tables, segment(0xda, u8(1, 1, 0, 0, 63, 0)), Buffer.alloc(Math.ceil((blocks * 2) / BLOCK)), EOI);
}

/** EXIF with these entries in its first directory (TIFF 6.0), little-endian. */
export const exif = (directory: Buffer): Buffer =>
  segment(0xe1, join(latin1('Exif\0\0II*\0'), Buffer.from([8, 0, 0, 0]), directory));

/** Empty restart intervals, comments and whatever else fills a header. */
export const many = (count: number, marker: number, content: Buffer): Buffer => repeat(count, segment(marker, content));
