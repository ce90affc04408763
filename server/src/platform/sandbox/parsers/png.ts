import type { Bytes } from './bytes.ts';

const SIGNATURE_BYTES = 8;
const HEAD_BYTES = 8;
const CHECKSUM_BYTES = 4;

/** Before the picture itself. Each costs a call of the system. */
const CHUNKS_MAX = 10_000;

/**
 * Frames of an animated PNG, from its `acTL` chunk; 1 for any other PNG (W3C PNG, third edition, §11.3.6). Infinity for a
 * file that has more chunks before its picture than any.
 */
export function countFrames(bytes: Bytes): number {
  let at = SIGNATURE_BYTES;
  for (let chunks = 0; at + HEAD_BYTES + 4 <= bytes.length; chunks += 1) {
    if (chunks > CHUNKS_MAX) return Infinity;
    const head = bytes.at(at, HEAD_BYTES + 4);
    const type = head.toString('latin1', 4, 8);
    if (type === 'acTL') return head.readUInt32BE(HEAD_BYTES);
    if (type === 'IDAT') return 1;
    at += HEAD_BYTES + head.readUInt32BE(0) + CHECKSUM_BYTES;
  }
  return 1;
}
