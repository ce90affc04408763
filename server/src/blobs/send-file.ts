import type { FileHandle } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { ByteRange } from './blobs.ts';

const BUFFER_BYTES = 256 * 1024;
/** A client that reads nothing for this long is disconnected. */
export const STALLED_MS = 60_000;

/** Settles when the bytes are out and their buffer is free again; throws when the reader left. */
async function write(to: ServerResponse, bytes: Buffer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const left = (): void => reject(new Error('the reader left'));
  to.once('close', left);
  to.write(bytes, () => resolve());
  if (to.destroyed) left();
  await promise.finally(() => to.off('close', left));
}

/**
 * Answers with a part of a file, from one buffer: a reader costs the same however much there is and however slowly it
 * is read. Ends with the last byte, or with the reader.
 */
export async function sendFile(
  file: FileHandle,
  { start, end }: ByteRange,
  to: ServerResponse,
  stalledMs = STALLED_MS,
): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(BUFFER_BYTES, end - start + 1));
  to.setTimeout(stalledMs, () => to.destroy());
  try {
    for (let at = start; at <= end;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at + 1), at);
      if (bytesRead === 0) throw new Error('the file is shorter than it was');
      await write(to, buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    to.end();
  } catch {
    // Without its announced length nobody takes it for whole.
    to.destroy();
  }
}
