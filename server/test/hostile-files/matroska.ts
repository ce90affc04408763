import { float64, join, latin1, u8 } from './bytes.ts';

/** Elements of EBML (RFC 8794) and Matroska (RFC 9559), and a small film made of them. */

/** A size in eight bytes. */
const size8 = (size: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE((1n << 56n) | size);
  return bytes;
};

const sizeOf = (bytes: number): Buffer => (bytes < 127 ? u8(0x80 | bytes) : size8(BigInt(bytes)));

/** An element by its id in hexadecimal. */
export function element(id: string, ...content: Buffer[]): Buffer {
  const bytes = content.reduce((sum, part) => sum + part.length, 0);
  return join(Buffer.from(id, 'hex'), sizeOf(bytes), content);
}

/** An element that ends where its parent does. */
export const endless = (id: string, ...content: Buffer[]): Buffer => join(Buffer.from(id, 'hex'), u8(0xff), content);

/** An element whose declared size is wrong. */
export const lying = (id: string, size: bigint, ...content: Buffer[]): Buffer =>
  join(Buffer.from(id, 'hex'), size8(size), content);

/** An unsigned number; eight bytes hold all there are. */
export function uint(id: string, value: number | bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt.asUintN(64, BigInt(value)));
  return element(id, bytes);
}

export const text = (id: string, value: string): Buffer => element(id, latin1(value));
export const float = (id: string, value: number): Buffer => element(id, float64(value));

export const ID = {
  head: '1a45dfa3', docType: '4282', segment: '18538067', info: '1549a966', scale: '2ad7b1', duration: '4489',
  tracks: '1654ae6b', track: 'ae', number: 'd7', uid: '73c5', type: '83', codec: '86', codecPrivate: '63a2',
  video: 'e0', width: 'b0', height: 'ba', colour: '2eb524', cluster: '1f43b675', timestamp: 'e7', simpleBlock: 'a3',
  blockGroup: 'a0', block: 'a1', cues: '1c53bb6b', cue: 'bb', cueTime: 'b3', cuePositions: 'b7', cueTrack: 'f7',
  cueCluster: 'f1', seekHead: '114d9b74', seek: '4dbb', seekId: '53ab', seekPosition: '53ac', attachments: '1941a469',
  attached: '61a7', fileName: '466e', fileMime: '4660', fileData: '465c', fileUid: '46ae', chapters: '1043a770',
  edition: '45b9', chapter: 'b6', tags: '1254c367', tag: '7373', simpleTag: '67c8', tagName: '45a3', tagText: '4487',
  encodings: '6d80', encoding: '6240', encodingScope: '5032', compression: '5034', algorithm: '4254', settings: '4255',
  encryption: '5035', void: 'ec', nextFile: '3e83bb', nextUid: '3eb923',
} as const; // oxfmt-ignore

/** A black frame of VP8, 64 × 96. */
export const VP8_FRAME = Buffer.from(
  '5003009d012a40006000004708858588858488020200064c27ce9d3a74e9d3a74e9d37c0feffab50801c53bb6b91bb8fb38100b78af78101f18201a0f08103',
  'hex',
);

export const ebmlHead = (docType = 'webm'): Buffer =>
  element(
    ID.head,
    uint('4286', 1),
    uint('42f7', 1),
    uint('42f2', 4),
    uint('42f3', 8),
    text(ID.docType, docType),
    uint('4287', 4),
    uint('4285', 2),
  );

export const info = (...more: Buffer[]): Buffer =>
  element(ID.info, uint(ID.scale, 1_000_000), float(ID.duration, 1000), ...more);

export interface TrackParts {
  codec?: string;
  width?: number | bigint;
  height?: number | bigint;
  more?: Buffer[];
  inVideo?: Buffer[];
}

export const track = ({ codec = 'V_VP8', width = 64, height = 96, more = [], inVideo = [] }: TrackParts = {}): Buffer =>
  element(
    ID.track,
    uint(ID.number, 1),
    uint(ID.uid, 1),
    uint(ID.type, 1),
    text(ID.codec, codec),
    element(ID.video, uint(ID.width, width), uint(ID.height, height), ...inVideo),
    ...more,
  );

/** A block of the first track; `flags` has the lacing. */
export const simpleBlock = (data: Buffer, at = 0, flags = 0x80): Buffer =>
  element(ID.simpleBlock, u8(0x81, (at >> 8) & 0xff, at & 0xff, flags), data);

export const cluster = (...blocks: Buffer[]): Buffer => element(ID.cluster, uint(ID.timestamp, 0), ...blocks);

export interface FilmParts {
  docType?: string;
  info?: Buffer;
  tracks?: Buffer;
  /** Elements of the segment before the tracks, between them and the frames, and behind. */
  first?: Buffer;
  middle?: Buffer;
  clusters?: Buffer;
  last?: Buffer;
}

const NOTHING = Buffer.alloc(0);

/** A film of one frame, with these elements instead of its own. */
export const film = ({
  docType,
  first = NOTHING,
  middle = NOTHING,
  last = NOTHING,
  ...parts
}: FilmParts = {}): Buffer =>
  join(
    ebmlHead(docType),
    element(
      ID.segment,
      first,
      parts.info ?? info(),
      parts.tracks ?? element(ID.tracks, track()),
      middle,
      parts.clusters ?? cluster(simpleBlock(VP8_FRAME)),
      last,
    ),
  );
