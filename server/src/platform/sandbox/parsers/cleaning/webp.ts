import { orientationOf, orientationOnly } from './exif.ts';

/** WebP container specification: https://developers.google.com/speed/webp/docs/riff_container */
const KEPT = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
const EXIF_PREFIX = 'Exif\0\0';

interface Chunk {
  type: string;
  data: Buffer;
}

function chunksOf(bytes: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  for (let at = 12; at + 8 <= end;) {
    const size = bytes.readUInt32LE(at + 4);
    chunks.push({
      type: bytes.toString('latin1', at, at + 4),
      data: bytes.subarray(at + 8, Math.min(end, at + 8 + size)),
    });
    at += 8 + size + (size % 2);
  }
  return chunks;
}

/** A chunk as it is stored: of its declared length, padded to an even size. */
function stored({ type, data }: Chunk): Buffer[] {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return [head, data, Buffer.alloc(data.length % 2)];
}

function orientationIn(chunks: Chunk[]): number {
  const exif = chunks.find(({ type }) => type === 'EXIF')?.data;
  if (!exif) return 1;
  return orientationOf(exif.toString('latin1', 0, 6) === EXIF_PREFIX ? exif.subarray(6) : exif);
}

/** The parts of a WebP without metadata, and without anything behind its end; the coded picture is the same. */
export function cleanWebp(bytes: Buffer): Buffer[] {
  if (bytes.length < 12) return [bytes];
  const chunks = chunksOf(bytes);
  const orientation = orientationIn(chunks);
  const parts = chunks
    .filter(({ type }) => KEPT.has(type))
    .flatMap(({ type, data }) => {
      if (type !== 'VP8X' || data.length === 0) return stored({ type, data });
      const flags = Buffer.from(data);
      flags[0] = ((flags[0] ?? 0) & ~(EXIF_FLAG | XMP_FLAG)) | (orientation === 1 ? 0 : EXIF_FLAG);
      return stored({ type, data: flags });
    });
  if (orientation !== 1) parts.push(...stored({ type: 'EXIF', data: orientationOnly(orientation) }));
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(4 + parts.reduce((sum, { length }) => sum + length, 0), 4);
  return [head, ...parts];
}
