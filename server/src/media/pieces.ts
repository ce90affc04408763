import { createHash } from 'node:crypto';
import { promises as fs } from 'node:fs';
import type { Piece } from '../platform/sandbox/answers.ts';

const CHUNK_BYTES = 2 ** 18;

/** Throws when the file ends before `to`. */
async function* chunksOf(file: fs.FileHandle, { from, to }: { from: number; to: number }, chunk: Buffer) {
  for (let at = from; at < to;) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, to - at), at);
    if (bytesRead === 0) throw new Error(`the file has ${at} bytes and not ${to}`);
    yield chunk.subarray(0, bytesRead);
    at += bytesRead;
  }
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
  let end = 0;
  await using original = await fs.open(source);
  await using copy = await fs.open(target, 'w');
  const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  try {
    for (const piece of pieces) {
      if ('from' in piece) {
        if (piece.from < end) throw new Error('the pieces are not in the order of the file');
        end = Math.max(end, piece.to);
      }
      for await (const part of piece instanceof Uint8Array ? [piece] : chunksOf(original, piece, chunk)) {
        hash.update(part);
        bytes += part.length;
        await copy.writeFile(part);
      }
    }
  } finally {
    // Given back at once: collecting garbage for it costs more than copying.
    chunk.buffer.transfer(0);
  }
  return { sha256: hash.digest('hex'), bytes };
}
