import { crc32 } from 'node:zlib';
import { orientationOf, orientationOnly } from './exif.ts';

/** PNG (third edition) §11: what a picture is drawn by. Text, times and what nobody knows are not among it. */
const KEPT = new Set([
  ...['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'cHRM', 'gAMA', 'iCCP', 'sBIT', 'sRGB', 'cICP', 'mDCV', 'cLLI'],
  ...['bKGD', 'hIST', 'pHYs', 'sPLT', 'acTL', 'fcTL', 'fdAT'],
]);
const SIGNATURE_BYTES = 8;
const FRAME_BYTES = 12;

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  const check = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** The parts of a PNG without metadata, and without anything behind its end; what is drawn is the same. */
export function cleanPng(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  let at = SIGNATURE_BYTES;
  while (at + FRAME_BYTES <= bytes.length) {
    const end = at + FRAME_BYTES + bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (KEPT.has(type)) parts.push(bytes.subarray(at, end));
    if (type === 'eXIf') {
      const orientation = orientationOf(bytes.subarray(at + 8, end - 4));
      if (orientation !== 1) parts.push(chunk('eXIf', orientationOnly(orientation)));
    }
    at = end;
    if (type === 'IEND') break;
  }
  return parts;
}
