import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import type { Piece } from '../platform/sandbox/answers.ts';

const CHUNK_BYTES = 2 ** 18;

/**
 * What the pieces of a file consist of, in parts that fill `chunk`: small pieces are written together. Throws when the
 * file lacks a piece, and when they are not in its order.
 */
async function* partsOf(file: fs.FileHandle, pieces: readonly Piece[], chunk: Buffer): AsyncGenerator<Buffer> {
  let filled = 0;
  let end = 0;
  for (const piece of pieces) {
    const isCarried = piece instanceof Uint8Array;
    const [from, to] = isCarried ? [0, piece.length] : [piece.from, piece.to];
    if (!isCarried && from < end) throw new Error('the pieces are not in the order of the file');
    if (!isCarried) end = Math.max(end, to);
    for (let at = from; at < to;) {
      const size = Math.min(chunk.length - filled, to - at);
      if (isCarried) chunk.set(piece.subarray(at, at + size), filled);
      const added = isCarried ? size : (await file.read(chunk, filled, size, at)).bytesRead;
      if (added === 0) throw new Error(`the file has ${at} bytes and not ${to}`);
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
