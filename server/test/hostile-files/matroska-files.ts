import { deflateSync } from 'node:zlib';
import { join, latin1, mutate, nest, repeat, u8 } from './bytes.ts';
import { filesOf, type HostileFile } from './file.ts';
import { scanBomb } from './jpeg.ts';
import {
  cluster,
  ebmlHead,
  element,
  endless,
  film,
  float,
  ID,
  info,
  lying,
  simpleBlock,
  text,
  track,
  uint,
  VP8_FRAME,
} from './matroska.ts';
import { zeros } from './png-files.ts';

const mkv = filesOf('mkv', 'video', '.mkv');
const webm = filesOf('webm', 'video', '.webm');

const HUGE = 2n ** 56n - 2n;
const DEEP = 10_000;

const trackFiles = (): HostileFile[] => [
  webm('of one track 5,000 times', 'a search per track', () =>
    // Each is as long as encoders write it.
    film({ tracks: element(ID.tracks, repeat(5000, track({ more: [text('536e', 'x'.repeat(70))] }))) }),
  ),
  mkv('of 5,000 tracks', 'a decoder per track', () =>
    film({
      tracks: element(
        ID.tracks,
        repeat(5000, (index) => join(track({ more: [uint(ID.number, index + 1), uint(ID.uid, index + 1)] }))),
      ),
    }),
  ),
  mkv('of 5,000 headers of tracks', 'the first header or the last', () =>
    film({ tracks: repeat(5000, element(ID.tracks, track())) }),
  ),
  webm('of 2^63 × 2^63 pixels', 'memory by the header', () =>
    film({ tracks: element(ID.tracks, track({ width: 2n ** 63n, height: 2n ** 63n })) }),
  ),
  webm('of 65,535 × 65,535 pixels', 'memory by the header', () =>
    film({ tracks: element(ID.tracks, track({ width: 65_535, height: 65_535 })) }),
  ),
  mkv('of raw frames of 65,535 × 65,535', 'memory by the header', () =>
    film({
      tracks: element(
        ID.tracks,
        track({ codec: 'V_UNCOMPRESSED', width: 65_535, height: 65_535, inVideo: [element('2eb524', latin1('RGBA'))] }),
      ),
    }),
  ),
  mkv('with a frame of 883 scans', 'a decoder of pictures within a film', () =>
    film({
      tracks: element(ID.tracks, track({ codec: 'V_MJPEG', width: 6320, height: 6320 })),
      clusters: cluster(simpleBlock(scanBomb())),
    }),
  ),
  mkv('with 200 frames of 100 scans', 'a decoder of pictures within a film', () =>
    film({
      tracks: element(ID.tracks, track({ codec: 'V_MJPEG', width: 3200, height: 3200 })),
      clusters: repeat(200, cluster(simpleBlock(scanBomb(3200, 100)))),
    }),
  ),
  mkv('with a private header of 2 MB of noise', 'a parser of headers', () =>
    film({
      tracks: element(
        ID.tracks,
        track({ codec: 'V_MPEG4/ISO/AVC', more: [element(ID.codecPrivate, Buffer.alloc(2_000_000, 0xff))] }),
      ),
    }),
  ),
  mkv('with a private header that says 2^56', 'a length that is trusted', () =>
    film({ tracks: element(ID.tracks, track({ codec: 'V_MPEGH/ISO/HEVC', more: [lying(ID.codecPrivate, HUGE)] })) }),
  ),
  mkv('with codecs of QuickTime and Windows', 'parsers that are rarely used', () =>
    film({
      tracks: element(
        ID.tracks,
        ['V_QUICKTIME', 'V_MS/VFW/FOURCC', 'V_REAL/RV40', 'V_THEORA', 'A_VORBIS']
          .map((codec) => track({ codec, more: [element(ID.codecPrivate, Buffer.alloc(90, 0xff))] }))
          .reduce((all, one) => join(all, one)),
      ),
    }),
  ),
  ...(
    [
      ['zlib', 0],
      ['bzip2', 1],
      ['lzo', 2],
      ['unknown', 200],
    ] as const
  ).map(([name, algorithm]) =>
    mkv(`packed by ${name}, 500 MB in a block`, 'a decompression bomb', () =>
      film({
        tracks: element(
          ID.tracks,
          track({
            more: [
              element(
                ID.encodings,
                element(ID.encoding, uint(ID.encodingScope, 3), element(ID.compression, uint(ID.algorithm, algorithm))),
              ),
              element(ID.codecPrivate, zeros(500)),
            ],
          }),
        ),
        clusters: cluster(simpleBlock(algorithm === 0 ? zeros(500) : deflateSync(Buffer.alloc(1000)))),
      }),
    ),
  ),
  mkv('whose frames share a header of 1 MB', 'a decompression bomb', () =>
    film({
      tracks: element(
        ID.tracks,
        track({
          more: [
            element(
              ID.encodings,
              element(
                ID.encoding,
                element(ID.compression, uint(ID.algorithm, 3), element(ID.settings, Buffer.alloc(1_000_000))),
              ),
            ),
          ],
        }),
      ),
      clusters: cluster(repeat(20_000, simpleBlock(u8(1)))),
    }),
  ),
  mkv('encrypted a thousand times', 'recursion', () =>
    film({
      tracks: element(
        ID.tracks,
        track({ more: [element(ID.encodings, repeat(1000, element(ID.encoding, element(ID.encryption))))] }),
      ),
    }),
  ),
];

const sizeFiles = (): HostileFile[] => [
  mkv('of a segment of 2^56 bytes', 'a length that is trusted', () =>
    join(ebmlHead(), lying(ID.segment, HUGE, info())),
  ),
  mkv('of tracks of 2^56 bytes', 'a length that is trusted', () => film({ tracks: lying(ID.tracks, HUGE, track()) })),
  mkv('of a text of 2^40 bytes', 'a buffer by the header', () => film({ first: lying(ID.docType, 2n ** 40n) })),
  mkv('of a gap of 2^40 bytes', 'a length that is trusted', () => film({ first: lying(ID.void, 2n ** 40n) })),
  mkv('of a block of 2 GiB', 'a buffer by the header', () =>
    film({ clusters: cluster(lying(ID.simpleBlock, 2n ** 31n)) }),
  ),
  mkv('of a head of 2^56 bytes', 'a buffer by the header', () => join(lying(ID.head, HUGE), film())),
  mkv('of ids of 255 bytes', 'a number that is trusted', () =>
    join(
      element(ID.head, uint('42f2', 255), uint('42f3', 255), text(ID.docType, 'matroska')),
      film().subarray(ebmlHead().length),
    ),
  ),
  mkv('of another document type of 1 MB', 'a text that is trusted', () => film({ docType: 'x'.repeat(1_000_000) })),
  mkv('of ids that begin with nothing', 'an endless loop', () => film({ first: Buffer.alloc(100_000) })),
  mkv('of numbers of 200 bytes', 'a buffer on the stack', () =>
    film({ info: element(ID.info, element(ID.scale, Buffer.alloc(200, 0xff))) }),
  ),
  ...[ID.segment, ID.cluster, ID.tracks, ID.blockGroup].map((id) =>
    mkv(`of ${DEEP} elements ${id} of unknown size in each other`, 'recursion', () =>
      join(
        ebmlHead(),
        endless(
          ID.segment,
          info(),
          element(ID.tracks, track()),
          nest(DEEP, (inner) => endless(id, inner)),
        ),
      ),
    ),
  ),
  mkv(`of tags in each other, ${DEEP} deep`, 'recursion', () =>
    film({
      first: element(
        ID.tags,
        element(
          ID.tag,
          nest(DEEP, (inner) => element(ID.simpleTag, text(ID.tagName, 'A'), inner)),
        ),
      ),
    }),
  ),
  mkv(`of chapters in each other, ${DEEP} deep`, 'recursion', () =>
    film({
      first: element(
        ID.chapters,
        element(
          ID.edition,
          nest(DEEP, (inner) => element(ID.chapter, uint(ID.uid, 1), inner)),
        ),
      ),
    }),
  ),
  mkv('of 200,000 tags', 'a tag each', () =>
    film({
      first: element(
        ID.tags,
        element(ID.tag, repeat(200_000, element(ID.simpleTag, text(ID.tagName, 'A'), text(ID.tagText, 'b')))),
      ),
    }),
  ),
  mkv('of 5,000 segments', 'the first header or the last', () =>
    join(film(), repeat(5000, element(ID.segment, info()))),
  ),
];

const timeFiles = (): HostileFile[] => [
  ...[Number.NaN, Infinity, -1, 1e300].map((value) =>
    mkv(`of a duration of ${value}`, 'a number that is trusted', () =>
      film({ info: element(ID.info, uint(ID.scale, 1_000_000), float(ID.duration, value)) }),
    ),
  ),
  ...[0n, 2n ** 63n, 2n ** 64n - 1n].map((value) =>
    mkv(`of a time scale of ${value}`, 'a product that overflows', () =>
      film({ info: element(ID.info, uint(ID.scale, value), float(ID.duration, 1000)) }),
    ),
  ),
  mkv('of a cluster at 2^63', 'a sum that overflows', () =>
    film({ clusters: element(ID.cluster, uint(ID.timestamp, 2n ** 63n), simpleBlock(VP8_FRAME)) }),
  ),
  mkv('of 200,000 empty clusters', 'a loop over clusters', () =>
    film({ clusters: repeat(200_000, element(ID.cluster)) }),
  ),
  mkv('of 200,000 empty blocks', 'a packet per block', () =>
    film({ clusters: cluster(repeat(200_000, simpleBlock(Buffer.alloc(0)))) }),
  ),
  mkv('of one block twelve hours later', 'a limit by declared duration', () =>
    film({
      clusters: join(
        cluster(simpleBlock(VP8_FRAME)),
        element(ID.cluster, uint(ID.timestamp, 43_200_000), simpleBlock(VP8_FRAME)),
      ),
    }),
  ),
  ...(
    [
      ['Xiph', 0x02],
      ['EBML', 0x06],
      ['fixed', 0x04],
    ] as const
  ).map(([name, lacing]) =>
    mkv(`of 256 frames in ${name} lacing`, 'a length that is trusted', () =>
      film({ clusters: cluster(simpleBlock(join(u8(255), Buffer.alloc(600, 0xff), VP8_FRAME), 0, 0x80 | lacing)) }),
    ),
  ),
];

const referenceFiles = (): HostileFile[] => [
  mkv('whose index points everywhere, 200,000 times', 'a scan of the index', () =>
    film({
      middle: element(
        ID.cues,
        repeat(
          200_000,
          element(
            ID.cue,
            uint(ID.cueTime, 1),
            element(ID.cuePositions, uint(ID.cueTrack, 1), uint(ID.cueCluster, 2n ** 60n)),
          ),
        ),
      ),
    }),
  ),
  mkv('whose list of places points at itself', 'an endless loop', () =>
    film({
      first: repeat(
        100,
        element(
          ID.seekHead,
          repeat(20, element(ID.seek, element(ID.seekId, Buffer.from(ID.seekHead, 'hex')), uint(ID.seekPosition, 0))),
        ),
      ),
    }),
  ),
  mkv('whose list of places points beyond 2^63', 'a sum that overflows', () =>
    film({
      first: element(
        ID.seekHead,
        element(ID.seek, element(ID.seekId, Buffer.from(ID.cues, 'hex')), uint(ID.seekPosition, 2n ** 63n - 1n)),
      ),
    }),
  ),
  mkv('continued in /etc/passwd', 'a file that is not the film', () =>
    film({ info: info(element(ID.nextFile, latin1('/etc/passwd')), element(ID.nextUid, Buffer.alloc(16, 1))) }),
  ),
  mkv('with 10,000 attachments', 'an attachment each', () =>
    film({
      first: element(
        ID.attachments,
        repeat(10_000, (index) =>
          element(
            ID.attached,
            text(ID.fileName, '../../../x.jpg'),
            text(ID.fileMime, 'image/jpeg'),
            element(ID.fileData, u8(0xff, 0xd8)),
            uint(ID.fileUid, index + 1),
          ),
        ),
      ),
    }),
  ),
  mkv('with a picture of 883 scans attached', 'a picture within a film', () =>
    film({
      first: element(
        ID.attachments,
        element(
          ID.attached,
          text(ID.fileName, 'cover.jpg'),
          text(ID.fileMime, 'image/jpeg'),
          element(ID.fileData, scanBomb()),
          uint(ID.fileUid, 1),
        ),
      ),
    }),
  ),
  mkv('with an attachment of 2^56 bytes', 'a buffer by the header', () =>
    film({
      first: element(ID.attachments, element(ID.attached, text(ID.fileMime, 'image/png'), lying(ID.fileData, HUGE))),
    }),
  ),
  ...Array.from({ length: 12 }, (_, index) =>
    webm(`with noise, ${index + 1}`, 'whatever breaks', () => mutate(film(), index + 1, 40)),
  ),
];

export const matroskaFiles = (): HostileFile[] => [
  ...trackFiles(),
  ...sizeFiles(),
  ...timeFiles(),
  ...referenceFiles(),
];
