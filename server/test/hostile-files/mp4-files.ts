import { deflateSync } from 'node:zlib';
import { join, latin1, mutate, nest, repeat, u16, u32, u64, u8 } from './bytes.ts';
import { filesOf, type HostileFile } from './file.ts';
import {
  AVCC,
  box,
  descriptor,
  FRAME,
  FTYP,
  fragmented,
  full,
  lyingBox,
  mdhd,
  moof,
  movie,
  mvhd,
  SAMPLES,
  table,
  tkhd,
  visualEntry,
} from './movie.ts';
import { scanBomb } from './jpeg.ts';

const mp4 = filesOf('mp4', 'video', '.mp4');
const mov = filesOf('mov', 'video', '.mov');

const MOST = 0xffffffff;
/** Number of samples of eight bytes each that exceeds any memory. */
const ABSURD = 0x20000000;
const EMPTY = Buffer.alloc(0);
const TINY = (size: number): Buffer => repeat(SAMPLES, u32(size));

const sampleTables = (): HostileFile[] => [
  mp4('stts of 0x20000000 samples with ctts', 'an array with an item per sample', () =>
    movie({
      stts: table('stts', 2, u32(ABSURD, 1, SAMPLES, 100)),
      ctts: table('ctts', 1000, repeat(1000, u32(1, 1))),
    }),
  ),
  mp4('stts with a count and no rows', 'a table that is trusted', () => movie({ stts: table('stts', MOST, EMPTY) })),
  mp4('stts of all samples there can be', 'a sum of counts', () => movie({ stts: table('stts', 1, u32(MOST, 0)) })),
  mp4('stts whose durations overflow', 'a sum of durations', () =>
    movie({ stts: table('stts', 4, repeat(4, u32(MOST, MOST))) }),
  ),
  mp4('stts of 300,000 rows', 'a scan of the table per sample', () =>
    movie({ stts: table('stts', 300_000, repeat(300_000, u32(1, 1))) }),
  ),
  mp4('stts of no rows', 'a division by the sum', () => movie({ stts: table('stts', 0, EMPTY) })),
  mp4('stts of negative duration', 'time that runs back', () => movie({ stts: table('stts', 1, u32(SAMPLES, -1)) })),
  mp4('ctts with a count and no rows', 'a table that is trusted', () => movie({ ctts: table('ctts', MOST, EMPTY) })),
  mp4('ctts of 0x20000000 samples', 'an array with an item per sample', () =>
    movie({ ctts: table('ctts', 1, u32(ABSURD, 5)) }),
  ),
  mp4('ctts of extreme offsets', 'a sort by time', () =>
    movie({ ctts: table('ctts', 2, u32(5, 0x80000000, 5, 0x7fffffff), 1) }),
  ),
  mp4('stsz of all samples there can be', 'an array with an item per sample', () =>
    movie({ stsz: full('stsz', u32(1, MOST)) }),
  ),
  mp4('stsz of 0x20000000 samples without sizes', 'a table that is trusted', () =>
    movie({ stsz: full('stsz', u32(0, ABSURD)) }),
  ),
  mp4('stsz of samples of 4 GiB', 'a buffer of a sample', () => movie({ stsz: full('stsz', u32(MOST, SAMPLES)) })),
  mp4('stsz of samples of 2 GiB each', 'a buffer of a sample', () =>
    movie({ stsz: full('stsz', join(u32(0, SAMPLES), TINY(0x7fffffff))) }),
  ),
  mp4('stz2 of an unknown width', 'a division by the width', () =>
    movie({ stsz: full('stz2', join(u32(3, MOST), TINY(1))) }),
  ),
  mp4('stsc that begins at chunk 0', 'an index below the first', () => movie({ stsc: table('stsc', 1, u32(0, 1, 1)) })),
  mp4('stsc of all samples in a chunk', 'a loop over samples', () =>
    movie({ stsc: table('stsc', 1, u32(1, MOST, 1)) }),
  ),
  mp4('stsc that runs backwards', 'a difference of chunks', () =>
    movie({ stsc: table('stsc', 3, u32(9, 1, 1, 5, 1, 1, 1, 1, 1)) }),
  ),
  mp4('stsc with a count and no rows', 'a table that is trusted', () => movie({ stsc: table('stsc', MOST, EMPTY) })),
  mp4('stsc without samples', 'a division by samples', () => movie({ stsc: table('stsc', 1, u32(1, 0, 1)) })),
  mp4('stsc of an absent description', 'an index of descriptions', () =>
    movie({ stsc: table('stsc', 1, u32(1, SAMPLES, MOST)) }),
  ),
  mp4('stco with a count and no rows', 'a table that is trusted', () => movie({ stco: table('stco', MOST, EMPTY) })),
  mp4('stco beyond the file', 'a read out of range', () => movie({ stco: table('stco', 1, u32(MOST)) })),
  mp4('stco into the header', 'a header read as media', () => movie({ stco: table('stco', 1, u32(0)) })),
  mp4('stco of 1,000,000 chunks', 'a loop over chunks', () =>
    movie({ stco: table('stco', 1_000_000, repeat(1_000_000, u32(40))) }),
  ),
  mp4('co64 beyond 2^63', 'numbers that are no safe integers', () =>
    movie({ stco: table('co64', 2, u64(2n ** 63n, 2n ** 64n - 1n)) }),
  ),
  mp4('stss with a count and no rows', 'a table that is trusted', () => movie({ stss: table('stss', MOST, EMPTY) })),
  mp4('stss that runs backwards', 'a search by halves', () => movie({ stss: table('stss', 3, u32(MOST, 5, 0)) })),
  mp4('samples of no bytes, 100,000 of them', 'a packet per sample', () =>
    movie({
      stts: table('stts', 1, u32(100_000, 1)),
      stsz: full('stsz', join(u32(0, 100_000), Buffer.alloc(400_000))),
      stsc: table('stsc', 1, u32(1, 100_000, 1)),
    }),
  ),
];

const headers = (): HostileFile[] => [
  mp4('mvhd without a time scale', 'a division by the scale', () => movie({ mvhd: mvhd(0, 1000) })),
  mp4('mdhd without a time scale', 'a division by the scale', () => movie({ mdhd: mdhd(0, 1000) })),
  mp4('a film of 136 years in one frame', 'a limit by declared duration', () =>
    movie({ mvhd: mvhd(1, MOST), mdhd: mdhd(1, MOST), stts: table('stts', 1, u32(SAMPLES, MOST / 16)) }),
  ),
  mp4('mdhd of 2^64 ticks', 'numbers that are no safe integers', () =>
    movie({ mdhd: full('mdhd', join(u64(0n, 0n), u32(1), u64(2n ** 64n - 1n), u16(0x55c4, 0)), 1) }),
  ),
  mp4('tkhd of 65,535 pixels', 'a picture by the header', () => movie({ tkhd: tkhd(65_535, 65_535) })),
  mp4('tkhd whose matrix is nothing', 'a rotation by the matrix', () =>
    movie({ tkhd: tkhd(64, 96, Buffer.alloc(36)) }),
  ),
  mp4('tkhd whose matrix is everything', 'a rotation by the matrix', () =>
    movie({ tkhd: tkhd(64, 96, u32(...Array.from({ length: 9 }, () => MOST))) }),
  ),
  mp4('avc1 of 65,535 × 65,535', 'a frame by the description', () =>
    movie({ stsd: table('stsd', 1, visualEntry('avc1', 0xffff, 0xffff, box('avcC', AVCC))) }),
  ),
  mp4('avcC of sets longer than it', 'a length that is trusted', () =>
    movie({
      stsd: table('stsd', 1, visualEntry('avc1', 64, 96, box('avcC', AVCC.subarray(0, 5), u8(0xff), u16(0xffff)))),
    }),
  ),
  mp4('avcC of nothing', 'a read out of range', () =>
    movie({ stsd: table('stsd', 1, visualEntry('avc1', 64, 96, box('avcC'))) }),
  ),
  mp4('hvcC of 255 arrays', 'a length that is trusted', () =>
    movie({
      stsd: table(
        'stsd',
        1,
        visualEntry('hvc1', 64, 96, box('hvcC', Buffer.alloc(22, 1), u8(255), repeat(255, u8(32, 255, 255)))),
      ),
    }),
  ),
  mp4('av1C and vpcC that are noise', 'a parser of headers in bits', () =>
    movie({
      stsd: table(
        'stsd',
        2,
        join(
          visualEntry('av01', 64, 96, box('av1C', Buffer.alloc(64, 0xff))),
          visualEntry('vp09', 64, 96, box('vpcC', Buffer.alloc(3, 0xff))),
        ),
      ),
    }),
  ),
  mp4('esds of 5,000 nested descriptors', 'recursion', () =>
    movie({
      stsd: table(
        'stsd',
        1,
        visualEntry(
          'mp4v',
          64,
          96,
          full(
            'esds',
            nest(5000, (inner) => descriptor(3, join(u8(0, 1, 0), inner))),
          ),
        ),
      ),
    }),
  ),
  mp4('esds that says 256 MiB', 'a length that is trusted', () =>
    movie({
      stsd: table('stsd', 1, visualEntry('mp4v', 64, 96, full('esds', descriptor(3, u8(0, 1, 0), 2 ** 28 - 1)))),
    }),
  ),
  mp4('stsd of 10,000 descriptions', 'a decoder per description', () =>
    movie({ stsd: table('stsd', 10_000, repeat(10_000, visualEntry('avc1', 64, 96, box('avcC', AVCC)))) }),
  ),
  mp4('stsd with a count and no rows', 'a table that is trusted', () => movie({ stsd: table('stsd', MOST, EMPTY) })),
  mp4('hdlr without an end', 'a text that is trusted', () =>
    movie({ hdlr: full('hdlr', join(u32(0), latin1('vide'), Buffer.alloc(12), Buffer.alloc(100_000, 0x41))) }),
  ),
  mp4('5,000 tracks', 'a search per track', () => movie({ tracks: 5000 })),
  mp4('two films in one', 'the first header or the last', () => join(movie(), movie({ mvhd: mvhd(0, 0) }))),
  mp4('100,000 brands', 'a loop over brands', () =>
    movie({ ftyp: box('ftyp', latin1('isom'), u32(1), repeat(100_000, latin1('isom'))) }),
  ),
  mov('cmov that inflates to 256 MiB', 'a decompression bomb', () =>
    join(
      FTYP,
      box(
        'moov',
        box('cmov', box('dcom', latin1('zlib')), box('cmvd', u32(2 ** 28), deflateSync(Buffer.alloc(2 ** 28)))),
      ),
    ),
  ),
  mov('a frame of 883 scans', 'a decoder of pictures within a film', () => {
    const picture = scanBomb();
    return movie({
      mdat: picture,
      stsd: table('stsd', 1, visualEntry('jpeg', 6320, 6320)),
      stts: table('stts', 1, u32(1, 1000)),
      stsc: table('stsc', 1, u32(1, 1, 1)),
      stsz: full('stsz', u32(picture.length, 1)),
    });
  }),
  mov('raw frames of 65,535 × 65,535', 'a frame by the description', () =>
    movie({ stsd: table('stsd', 1, visualEntry('raw ', 0xffff, 0xffff)) }),
  ),
];

const edits = (): HostileFile[] => [
  mp4('elst of an empty edit without end', 'a film that never begins', () =>
    movie({ elst: full('elst', join(u32(1), u64(2n ** 63n, -1n), u16(1, 0)), 1) }),
  ),
  mp4('elst of 200,000 edits', 'an index per edit', () =>
    movie({ elst: table('elst', 200_000, repeat(200_000, u32(1, 0, 0x10000))) }),
  ),
  mp4('elst with a count and no rows', 'a table that is trusted', () => movie({ elst: table('elst', MOST, EMPTY) })),
  mp4('elst at no speed', 'a division by the rate', () => movie({ elst: table('elst', 1, u32(1000, 0, 0)) })),
  mp4('elst before the beginning', 'a negative time', () =>
    movie({ elst: table('elst', 1, u32(MOST, -1000, 0x10000)) }),
  ),
  ...[0, 1, MOST].map((size) =>
    mp4(`sidx whose references have ${size} bytes`, 'a chain of indexes', () =>
      movie({ before: full('sidx', join(u32(1, 1, 0, 0), u16(0, 500), repeat(500, u32(0x80000000 | size, 1000, 0)))) }),
    ),
  ),
  mp4('sidx with a count and no rows', 'a table that is trusted', () =>
    movie({ before: full('sidx', join(u32(1, 1, 0, 0), u16(0, 0xffff))) }),
  ),
  mp4('sidx that begins at 2^63', 'numbers that are no safe integers', () =>
    movie({ before: full('sidx', join(u32(1, 0), u64(0n, 2n ** 63n), u16(0, 1), u32(1, 1, 0)), 1) }),
  ),
  mp4('sidx, 20,000 of them', 'an index per box', () =>
    movie({ before: repeat(20_000, full('sidx', join(u32(1, 1, 0, 0), u16(0, 1), u32(8, 1, 0)))) }),
  ),
  mp4('trun of all samples there can be', 'an array with an item per sample', () =>
    fragmented(moof(full('trun', u32(MOST)))),
  ),
  mp4('trun of 0x20000000 default samples', 'an array with an item per sample', () =>
    fragmented(moof(full('trun', u32(ABSURD)), full('tfhd', u32(1, 1, 1), 0, 0x20018)), box('mdat', FRAME)),
  ),
  mp4('trun of samples of 4 GiB', 'a buffer of a sample', () =>
    fragmented(moof(full('trun', u32(2, MOST, MOST), 0, 0x200))),
  ),
  mp4('tfhd based at 2^63', 'numbers that are no safe integers', () =>
    fragmented(moof(full('trun', u32(1)), full('tfhd', join(u32(1), u64(2n ** 63n)), 0, 1))),
  ),
  mp4('moof, 20,000 empty ones', 'a search per fragment', () => fragmented(repeat(20_000, moof(full('trun', u32(0)))))),
  mp4('tfra that points at itself', 'a chain of fragments', () =>
    fragmented(box('mfra', full('tfra', join(u32(1, 0, MOST), u32(0, 0)))), full('mfro', u32(8))),
  ),
  mp4('traf of a track that is not there', 'a look-up that fails', () =>
    fragmented(moof(full('trun', u32(1)), full('tfhd', u32(MOST), 0, 0x20000))),
  ),
];

const boxes = (): HostileFile[] => [
  ...['moov', 'trak', 'udta', 'meta', 'edts', 'dinf', 'ilst', 'wave'].map((type) =>
    mp4(`${type} in itself, 10,000 deep`, 'recursion', () => {
      const wrap = type === 'meta' ? (inner: Buffer) => full(type, inner) : (inner: Buffer) => box(type, inner);
      return type === 'moov' ? join(FTYP, nest(10_000, wrap)) : movie({ inMoov: nest(10_000, wrap) });
    }),
  ),
  mp4('a box of size 0 in the middle', 'a box to the end of the file', () =>
    movie({ inMoov: lyingBox(0, 'udta', Buffer.alloc(50)) }),
  ),
  mp4('a box of 64 bits and no bytes', 'an endless loop', () =>
    movie({ before: join(u32(1), latin1('free'), u64(0n)) }),
  ),
  mp4('a box of 2^63 bytes', 'numbers that are no safe integers', () =>
    movie({ before: join(u32(1), latin1('free'), u64(2n ** 63n)) }),
  ),
  mp4('a moov of 2^53 bytes', 'a buffer by the header', () =>
    join(FTYP, u32(1), latin1('moov'), u64(2n ** 53n), mvhd(1, 1)),
  ),
  mp4('a moov of 4 GiB', 'a buffer by the header', () => join(FTYP, lyingBox(MOST, 'moov', mvhd(1, 1)))),
  mp4('a box of 7 bytes', 'an endless loop', () => movie({ before: lyingBox(7, 'free') })),
  mp4('a box of 1 GiB in the film', 'a length that is trusted', () => movie({ inTrak: lyingBox(2 ** 30, 'udta') })),
  mp4('200,000 empty boxes', 'a loop over boxes', () => movie({ before: repeat(200_000, box('free')) })),
  mp4('200,000 empty boxes in the film', 'a loop over boxes', () => movie({ inMoov: repeat(200_000, box('skip')) })),
  mp4('a cover that is a bomb', 'a picture within a film', () =>
    movie({
      inMoov: box(
        'udta',
        full(
          'meta',
          join(
            full('hdlr', join(u32(0), latin1('mdirappl'), Buffer.alloc(9))),
            box('ilst', box('covr', box('data', u32(13, 0), scanBomb()))),
          ),
        ),
      ),
    }),
  ),
  mp4('100,000 tags', 'a tag each', () =>
    movie({ inMoov: box('udta', repeat(100_000, box('\xa9nam', u16(1, 0x15c7), latin1('x')))) }),
  ),
  mp4('a chapter list of 255 long names', 'a length that is trusted', () =>
    movie({
      inMoov: box('udta', full('chpl', join(u32(0), u8(255), repeat(255, join(u64(2n ** 63n), u8(255), latin1('x')))))),
    }),
  ),
  mp4('senc of all samples there can be', 'an array with an item per sample', () =>
    movie({ inStbl: full('senc', u32(MOST), 0, 2), inMoov: full('pssh', join(Buffer.alloc(16), u32(MOST))) }),
  ),
  mp4('sgpd and sbgp without end', 'a group per sample', () =>
    movie({
      inStbl: join(full('sgpd', join(latin1('roll'), u32(0, MOST)), 1), full('sbgp', join(latin1('roll'), u32(MOST)))),
    }),
  ),
];

const LINKS = [
  'file:///etc/passwd',
  '/etc/passwd',
  '../../../../etc/passwd',
  'http://127.0.0.1:9/secret',
  'concat:/etc/passwd|/etc/hosts',
];

const references = (): HostileFile[] => [
  ...LINKS.map((link) =>
    mov(`media in ${link}`, 'a file or an address that is not the film', () =>
      movie({ dref: table('dref', 1, full('url ', latin1(`${link}\0`))) }),
    ),
  ),
  mov('media in an alias of the disk', 'a file that is not the film', () =>
    movie({
      dref: table(
        'dref',
        1,
        full(
          'alis',
          join(
            u32(0, 150 * 65_536 + 2),
            Buffer.alloc(142),
            u16(2, 11),
            latin1('/etc/passwd\0'),
            u16(18, 11),
            latin1('/etc/passwd\0'),
            u16(-1),
          ),
        ),
      ),
    }),
  ),
  mov('media in a reference movie', 'a file or an address that is not the film', () =>
    join(
      FTYP,
      box(
        'moov',
        box('rmra', box('rmda', full('rdrf', join(latin1('url '), u32(19), latin1('file:///etc/passwd\0'))))),
      ),
    ),
  ),
  mov('dref with a count and no rows', 'a table that is trusted', () => movie({ dref: table('dref', MOST, EMPTY) })),
];

const damaged = (): HostileFile[] => {
  const seeds = Array.from({ length: 16 }, (_, index) => index + 1);
  return [
    ...seeds.map((seed) =>
      mp4(`with noise, ${seed}`, 'whatever breaks', () =>
        mutate(movie({ ctts: table('ctts', 1, u32(SAMPLES, 5)) }), seed),
      ),
    ),
    ...[0.3, 0.6, 0.9].map((share) =>
      mp4(`cut at ${share * 100} %`, 'a read out of range', () =>
        movie().subarray(0, Math.floor(movie().length * share)),
      ),
    ),
  ];
};

export const mp4Files = (): HostileFile[] => [
  ...sampleTables(),
  ...headers(),
  ...edits(),
  ...boxes(),
  ...references(),
  ...damaged(),
];
