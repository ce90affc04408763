import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

const READ_BYTES = 2 ** 20;

/** SHA-256 of a local file, in lower-case hexadecimal, and its size. */
export async function hashFile(file: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: READ_BYTES })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}
