import type { Bytes } from './bytes.ts';

/** JPEG markers (ITU-T T.81 table B.1). */
const MARKER = { start: 0xd8, end: 0xd9, scan: 0xda };
const isBare = (marker: number): boolean => (marker >= 0xd0 && marker <= MARKER.start) || marker === 0x01;
const CHUNK_BYTES = 2 ** 16;

/** Offset of the next marker after the coded data of a scan: FF with neither 00 (stuffing) nor a restart behind it. */
function endOfScan(bytes: Bytes, from: number): number {
  for (let start = from; start < bytes.length; start += CHUNK_BYTES) {
    // One byte more, for a marker that lies across two chunks.
    const chunk = bytes.at(start, CHUNK_BYTES + 1);
    for (let at = chunk.indexOf(0xff); at >= 0 && at + 1 < chunk.length; at = chunk.indexOf(0xff, at + 1)) {
      const next = chunk[at + 1] ?? 0;
      if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return start + at;
    }
  }
  return bytes.length;
}

/**
 * How many scans a JPEG has, counted up to `most`. A decoder goes over all pixels once for each scan, however little
 * data it holds.
 */
export function countScans(bytes: Bytes, most: number): number {
  let scans = 0;
  let at = 2;
  while (at + 4 <= bytes.length && scans < most) {
    const head = bytes.at(at, 4);
    const marker = head[1] ?? 0;
    if (head[0] !== 0xff || marker === MARKER.end) return scans;
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else if (marker === MARKER.scan) {
      scans += 1;
      at = endOfScan(bytes, at + 2 + head.readUInt16BE(2));
    } else at += 2 + head.readUInt16BE(2);
  }
  return scans;
}
