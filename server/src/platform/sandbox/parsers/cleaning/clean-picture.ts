import { readFileSync } from 'node:fs';
import { type Piece, PIECES_MAX } from '../../answers.ts';
import { cleanGif } from './gif.ts';
import { cleanJpeg } from './jpeg.ts';
import { cleanPng } from './png.ts';
import { cleanWebp } from './webp.ts';

const CLEANERS: Partial<Record<string, (bytes: Buffer) => Buffer[]>> = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/webp': cleanWebp,
  'image/gif': cleanGif,
};

/**
 * The parts of a picture without metadata on place, time, author and camera (EXIF, XMP, IPTC, text, thumbnails,
 * comments, anything behind its end). What is drawn, how it is turned and its colour profile stay, bit by bit.
 * Throws for a type that is not served.
 */
function cleanParts(mime: string, bytes: Buffer): Buffer[] {
  const clean = CLEANERS[mime];
  if (!clean) throw new Error(`no pictures of type ${mime}`);
  return clean(bytes);
}

export const cleanPicture = (mime: string, bytes: Buffer): Buffer => Buffer.concat(cleanParts(mime, bytes));

function isSame(parts: readonly Buffer[], original: Buffer): boolean {
  let at = 0;
  for (const part of parts) {
    if (!part.equals(original.subarray(at, at + part.length))) return false;
    at += part.length;
  }
  return at === original.length;
}

/** Where in the original a part is, if its memory is there. */
function placeIn(original: Buffer, part: Buffer): Piece | undefined {
  const from = part.byteOffset - original.byteOffset;
  const to = from + part.length;
  return part.buffer === original.buffer && from >= 0 && to <= original.length ? { from, to } : undefined;
}

function toPieces(parts: readonly Buffer[], original: Buffer): Piece[] {
  const pieces: Piece[] = [];
  for (const part of parts) {
    const piece = placeIn(original, part) ?? part;
    const last = pieces.at(-1);
    if (last && 'from' in last && 'from' in piece && last.to === piece.from) last.to = piece.to;
    else if (part.length > 0) pieces.push(piece);
  }
  return pieces.length > PIECES_MAX ? [Buffer.concat(parts)] : pieces;
}

/** A picture's copy without what `cleanParts` leaves out, or null when there is nothing to leave out. */
export function cleanCopy(file: string, mime: string): Piece[] | null {
  const original = readFileSync(file);
  const parts = cleanParts(mime, original);
  const pieces = isSame(parts, original) ? null : toPieces(parts, original);
  // Given back at once: collecting it as garbage costs more than reading it.
  if (original.buffer.byteLength === original.length) original.buffer.transfer(0);
  return pieces;
}
