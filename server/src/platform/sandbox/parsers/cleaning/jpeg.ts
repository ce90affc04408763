import { inMemory } from '../bytes.ts';
import { MARKER, nextSegment, segmentsOf } from '../jpeg.ts';
import { orientationOf, orientationOnly } from './exif.ts';

/** ITU-T T.81 table B.1. */
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const COM = 0xfe;
const EXIF = 'Exif\0\0';
const JFIF_BYTES = 14;

const isApplication = (marker: number): boolean => marker >= APP0 && marker <= 0xef;
const isNamed = (body: Buffer, name: string): boolean => body.toString('latin1', 0, name.length) === name;

function segment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, body]);
}

/** JFIF without its thumbnail. */
function plainJfif(body: Buffer): Buffer {
  const plain = Buffer.from(body.subarray(0, JFIF_BYTES));
  plain.writeUInt16BE(0, 12);
  return plain;
}

/** The retained part of a segment: colours and orientation, not place and author. */
function kept(marker: number, body: Buffer, seenExif: boolean): Buffer | undefined {
  if (marker === APP0 && isNamed(body, 'JFIF\0') && body.length >= JFIF_BYTES) return segment(marker, plainJfif(body));
  if (marker === APP1 && isNamed(body, EXIF) && !seenExif) {
    const orientation = orientationOf(body.subarray(EXIF.length));
    if (orientation === 1) return undefined;
    return segment(marker, Buffer.concat([Buffer.from(EXIF, 'latin1'), orientationOnly(orientation)]));
  }
  if (marker === APP2 && isNamed(body, 'ICC_PROFILE\0')) return segment(marker, body);
  if (marker === APP14 && isNamed(body, 'Adobe')) return segment(marker, body);
  if (isApplication(marker) || marker === COM) return undefined;
  return segment(marker, body);
}

/**
 * The parts of a JPEG without metadata, and without anything behind its end; the coded picture is the same. A truncated
 * file remains truncated: the decoder has to detect it.
 */
export function cleanJpeg(bytes: Buffer): Buffer[] {
  const readable = inMemory(bytes);
  const parts: Buffer[] = [bytes.subarray(0, 2)];
  let seenExif = false;
  for (const { marker, start, end } of segmentsOf(readable)) {
    if (marker === MARKER.end) {
      parts.push(Buffer.from([0xff, marker]));
      break;
    }
    const body = bytes.subarray(start, end);
    const part = kept(marker, body, seenExif);
    if (part) parts.push(part);
    seenExif ||= marker === APP1 && isNamed(body, EXIF);
    if (marker === MARKER.scan) parts.push(bytes.subarray(end, nextSegment(readable, end)));
  }
  return parts;
}
