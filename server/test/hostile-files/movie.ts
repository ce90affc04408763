import { join, latin1, repeat, u16, u32, u8 } from './bytes.ts';

/** Boxes of ISO/IEC 14496-12, and a small film made of them whose every box can be replaced. */

export const box = (type: string, ...content: Buffer[]): Buffer =>
  join(u32(8 + content.reduce((bytes, part) => bytes + part.length, 0)), latin1(type), content);

/** A box whose declared length is wrong. */
export const lyingBox = (size: number, type: string, ...content: Buffer[]): Buffer =>
  join(u32(size), latin1(type), content);

/** A box with version and flags. */
export const full = (type: string, content: Buffer, version = 0, flags = 0): Buffer =>
  box(type, u32(version * 2 ** 24 + flags), content);

/** A table: version, flags, a count that need not be true, and rows. */
export const table = (type: string, count: number, rows: Buffer, version = 0): Buffer =>
  full(type, join(u32(count), rows), version);

const WIDTH = 64;
const HEIGHT = 96;
export const SAMPLES = 10;
/** H.264 baseline, 64 × 96. */
export const AVCC = Buffer.from(
  '0142c00affe100176742c00ad90436c044000003000400000300503c48992001000568cb83cb20',
  'hex',
);
/** A black frame of it. */
export const FRAME = Buffer.from('0000001c6588840df2628000b6fc9c9c9d75d75d75d75d75d75d75d75d75d75e', 'hex');

const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
export const FTYP = box('ftyp', latin1('isom'), u32(0x200), latin1('isomiso2avc1mp41'));

export const visualEntry = (codec: string, width: number, height: number, ...extensions: Buffer[]): Buffer =>
  box(
    codec,
    Buffer.alloc(6),
    u16(1),
    Buffer.alloc(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    Buffer.alloc(32),
    u16(24, 0xffff),
    ...extensions,
  );

/** Boxes by the name under which a film may have them otherwise; undefined takes one out. */
export interface Parts {
  stsd?: Buffer | undefined;
  stts?: Buffer | undefined;
  ctts?: Buffer | undefined;
  stsc?: Buffer | undefined;
  stsz?: Buffer | undefined;
  stco?: Buffer | undefined;
  stss?: Buffer | undefined;
  elst?: Buffer | undefined;
  dref?: Buffer | undefined;
  mvhd?: Buffer | undefined;
  tkhd?: Buffer | undefined;
  mdhd?: Buffer | undefined;
  hdlr?: Buffer | undefined;
  ftyp?: Buffer | undefined;
  /** More boxes in the sample table, the track, the film, the file before it and after it. */
  inStbl?: Buffer;
  inTrak?: Buffer;
  inMoov?: Buffer;
  before?: Buffer;
  after?: Buffer;
  /** Number of copies of the track. */
  tracks?: number;
  /** Content of the media data. */
  mdat?: Buffer;
}

export const mvhd = (scale: number, duration: number): Buffer =>
  full(
    'mvhd',
    join(u32(0, 0, scale, duration, 0x10000), u16(0x100, 0), Buffer.alloc(8), MATRIX, Buffer.alloc(24), u32(2)),
  );

export const tkhd = (width: number, height: number, matrix: Buffer = MATRIX): Buffer =>
  full('tkhd', join(u32(0, 0, 1, 0, 1000), Buffer.alloc(16), matrix, u32(width * 65_536, height * 65_536)), 0, 3);

export const mdhd = (scale: number, duration: number): Buffer =>
  full('mdhd', join(u32(0, 0, scale, duration), u16(0x55c4, 0)));

const frames = repeat(SAMPLES, FRAME);

const stbl = (parts: Parts, dataAt: number): Buffer => {
  const boxes: Parts = {
    stsd: table('stsd', 1, visualEntry('avc1', WIDTH, HEIGHT, box('avcC', AVCC))),
    stts: table('stts', 1, u32(SAMPLES, 100)),
    stsc: table('stsc', 1, u32(1, SAMPLES, 1)),
    stsz: full('stsz', u32(FRAME.length, SAMPLES)),
    stco: table('stco', 1, u32(dataAt)),
    ...parts,
  };
  const { stsd, stts, ctts, stss, stsc, stsz, stco, inStbl } = boxes;
  return box('stbl', ...[stsd, stts, ctts, stss, stsc, stsz, stco, inStbl].filter((one) => one !== undefined));
};

function trak(parts: Parts, dataAt: number): Buffer {
  const handler = full('hdlr', join(u32(0), latin1('vide'), Buffer.alloc(12), latin1('video\0')));
  const boxes: Parts = {
    tkhd: tkhd(WIDTH, HEIGHT),
    mdhd: mdhd(1000, 1000),
    hdlr: handler,
    dref: table('dref', 1, full('url ', Buffer.alloc(0), 0, 1)),
    ...parts,
  };
  const there = (...some: (Buffer | undefined)[]): Buffer[] => some.filter((one) => one !== undefined);
  const minf = box('minf', full('vmhd', Buffer.alloc(8), 0, 1), box('dinf', ...there(boxes.dref)), stbl(parts, dataAt));
  const edits = there(parts.elst && box('edts', parts.elst));
  const mdia = box('mdia', ...there(boxes.mdhd, boxes.hdlr), minf);
  return box('trak', ...there(boxes.tkhd), ...edits, mdia, ...there(parts.inTrak));
}

/** A film of ten black frames in a second, with these boxes instead of its own. */
export function movie(parts: Parts = {}): Buffer {
  const { before = Buffer.alloc(0), after = Buffer.alloc(0), tracks = 1, mdat = frames, inMoov } = parts;
  const ftyp = 'ftyp' in parts ? (parts.ftyp ?? Buffer.alloc(0)) : FTYP;
  // The media come first, so that their place does not depend on what follows.
  const head = join(ftyp, before, box('mdat', mdat));
  const one = trak(parts, head.length - mdat.length);
  const moov = box('moov', parts.mvhd ?? mvhd(1000, 1000), repeat(tracks, one), ...(inMoov ? [inMoov] : []));
  return join(head, moov, after);
}

/** A film in fragments (ISO/IEC 14496-12 §8.8): a header without samples, and these boxes. */
export const fragmented = (...fragments: Buffer[]): Buffer =>
  movie({
    stts: table('stts', 0, Buffer.alloc(0)),
    stsc: table('stsc', 0, Buffer.alloc(0)),
    stsz: full('stsz', u32(0, 0)),
    stco: table('stco', 0, Buffer.alloc(0)),
    inMoov: box('mvex', full('trex', u32(1, 1, 100, FRAME.length, 0))),
    after: join(fragments),
  });

/** A fragment with this track run. */
export const moof = (trun: Buffer, tfhd = full('tfhd', u32(1), 0, 0x20000)): Buffer =>
  box('moof', full('mfhd', u32(1)), box('traf', tfhd, full('tfdt', u32(0)), trun));

/** An elementary stream descriptor whose descriptors nest (ISO/IEC 14496-1 §8.3). */
export const descriptor = (tag: number, content: Buffer, size = content.length): Buffer =>
  join(
    u8(tag, 0x80 | ((size >>> 21) & 0x7f), 0x80 | ((size >>> 14) & 0x7f), 0x80 | ((size >>> 7) & 0x7f), size & 0x7f),
    content,
  );
