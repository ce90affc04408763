import { orientationOf, orientationOnly } from './exif.ts';

/** ITU-T T.81 table B.1. */
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const COM = 0xfe;
const EXIF = 'Exif\0\0';
const JFIF_BYTES = 14;

const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);
const isApplication = (marker: number): boolean => marker >= APP0 && marker <= 0xef;

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** The retained part of a segment: colours and orientation, not place and author. */
function kept(marker: number, body: Buffer, seenExif: boolean): Buffer | undefined {
  const is = (name: string): boolean => body.toString('latin1', 0, name.length) === name;
  if (marker === APP0 && is('JFIF\0') && body.length >= JFIF_BYTES) {
    const plain = Buffer.from(body.subarray(0, JFIF_BYTES));
    // Its thumbnail.
    plain.writeUInt16BE(0, 12);
    return segment(marker, plain);
  }
  if (marker === APP1 && is(EXIF) && !seenExif) {
    const orientation = orientationOf(body.subarray(EXIF.length));
    if (orientation === 1) return undefined;
    return segment(marker, Buffer.concat([Buffer.from(EXIF, 'latin1'), orientationOnly(orientation)]));
  }
  if (marker === APP2 && is('ICC_PROFILE\0')) return segment(marker, body);
  if (marker === APP14 && is('Adobe')) return segment(marker, body);
  if (isApplication(marker) || marker === COM) return undefined;
  return segment(marker, body);
}

/** End of the coded picture that begins at `from`: the next marker that is not part of it. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !isAlone(next)) return at;
  }
  return bytes.length;
}

/** A JPEG without metadata, and without anything behind its end; the coded picture is the same. */
export function cleanJpeg(bytes: Buffer): Buffer {
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  let seenExif = false;
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    // Fill bytes, and what does not belong between segments.
    if (bytes[at] !== 0xff || marker === 0xff || marker === 0 || marker === SOI || isAlone(marker)) {
      at += 1;
      continue;
    }
    if (marker === EOI) break;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, end);
    const part = kept(marker, body, seenExif);
    if (part) parts.push(part);
    if (marker === APP1 && body.toString('latin1', 0, EXIF.length) === EXIF) seenExif = true;
    at = Math.max(at + 4, end);
    if (marker !== SOS) continue;
    const scanEnd = endOfScan(bytes, at);
    parts.push(bytes.subarray(at, scanEnd));
    at = scanEnd;
  }
  // A truncated file remains truncated: the decoder has to detect it.
  if (bytes[at] === 0xff && bytes[at + 1] === EOI) parts.push(Buffer.from([0xff, EOI]));
  return Buffer.concat(parts);
}
