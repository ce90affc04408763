import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import type { Piece } from '../platform/sandbox/answers.ts';

const CHUNK_BYTES = 2 ** 18;

/** Fills `room` with bytes of a piece from `at` on; answers how many it got. Throws when the file ends before them. */
async function fill(room: Buffer, file: fs.FileHandle, piece: Piece, at: number): Promise<number> {
  if (piece instanceof Uint8Array) {
    room.set(piece.subarray(at, at + room.length));
    return room.length;
  }
  const { bytesRead } = await file.read(room, 0, room.length, at);
  if (bytesRead === 0) throw new Error(`the file has ${at} bytes and not ${piece.to}`);
  return bytesRead;
}

/**
 * The bytes of the pieces of a file, in parts that fill `chunk`, so that small pieces are written together. Throws when
 * the file lacks a piece, and when they are not in its order.
 */
async function* partsOf(file: fs.FileHandle, pieces: readonly Piece[], chunk: Buffer): AsyncGenerator<Buffer> {
  let filled = 0;
  let end = 0;
  for (const piece of pieces) {
    const { from, to } = piece instanceof Uint8Array ? { from: 0, to: piece.length } : piece;
    if (!(piece instanceof Uint8Array)) {
      if (from < end) throw new Error('the pieces are not in the order of the file');
      end = Math.max(end, to);
    }
    for (let at = from; at < to;) {
      const added = await fill(chunk.subarray(filled, filled + to - at), file, piece, at);
      at += added;
      filled += added;
      if (filled < chunk.length) continue;
      yield chunk;
      filled = 0;
    }
  }
  yield chunk.subarray(0, filled);
}

/**
 * Writes `target`, which is made of pieces of `source`; answers its SHA-256 and size. Throws when `source` lacks one, and when
 * they are not in its order: a child process that was taken over must not fill the disk out of a small file.
 */
export async function writePieces(
  source: string,
  pieces: readonly Piece[],
  target: string,
): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  await using original = await fs.open(source);
  await using copy = await fs.open(target, 'w');
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  try {
    for await (const part of partsOf(original, pieces, chunk)) {
      hash.update(part);
      bytes += part.length;
      await copy.writeFile(part);
    }
  } finally {
    // Given back at once: collecting garbage for it costs more than copying.
    chunk.buffer.transfer(0);
  }
  return { sha256: hash.digest('hex'), bytes };
}
