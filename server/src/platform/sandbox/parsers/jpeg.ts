import type { Bytes } from './bytes.ts';

/** JPEG markers (ITU-T T.81 table B.1). */
export const MARKER = { start: 0xd8, end: 0xd9, scan: 0xda } as const;

/** One marker, and what follows up to its length; the coded data of a scan is behind it. */
export interface Segment {
  marker: number;
  /** Offset of the content, behind marker and length. */
  start: number;
  end: number;
}

const FIRST_CHUNK_BYTES = 64;
const CHUNK_BYTES = 2 ** 16;

/** Whether a byte behind FF begins a segment: no stuffing, no filling, and none of the markers without content. */
const beginsSegment = (byte: number): boolean => byte > 0x01 && byte < 0xff && !(byte >= 0xd0 && byte <= MARKER.start);

/** Offset of the next segment; the length of the picture when there is none. */
export function nextSegment(bytes: Bytes, from: number): number {
  let size = FIRST_CHUNK_BYTES;
  for (let start = from; start < bytes.length; start += size, size = Math.min(size * 2, CHUNK_BYTES)) {
    // One byte more, for a marker that lies across two chunks.
    const chunk = bytes.at(start, size + 1);
    for (let at = chunk.indexOf(0xff); at >= 0 && at + 1 < chunk.length; at = chunk.indexOf(0xff, at + 1)) {
      if (beginsSegment(chunk[at + 1] ?? 0)) return start + at;
    }
  }
  return bytes.length;
}

/** The segments of a JPEG up to its end marker, which is the last one. Skips what is between them, as decoders do. */
export function* segmentsOf(bytes: Bytes): Generator<Segment> {
  for (let at = nextSegment(bytes, 2); at < bytes.length;) {
    const head = bytes.at(at, 4);
    const marker = head[1] ?? 0;
    if (marker === MARKER.end) {
      yield { marker, start: at + 2, end: at + 2 };
      return;
    }
    if (head.length < 4) return;
    const start = at + 4;
    const end = Math.max(start, at + 2 + head.readUInt16BE(2));
    yield { marker, start, end };
    at = nextSegment(bytes, end);
  }
}

/** Each costs a call of the system. Profiles and notes of the largest pictures fill some hundreds. */
const SEGMENTS_MAX = 10_000;

/**
 * How many scans a JPEG has, counted up to `most`. A decoder goes over all pixels once for each scan, however little
 * data it holds. A file of more segments than any picture counts as one of too many scans.
 */
export function countScans(bytes: Bytes, most: number): number {
  let [scans, segments] = [0, 0];
  for (const { marker } of segmentsOf(bytes)) {
    segments += 1;
    if (marker === MARKER.scan) scans += 1;
    if (scans === most || segments > SEGMENTS_MAX) return most;
  }
  return scans;
}
