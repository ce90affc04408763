import { promises as fs } from 'node:fs';

/** A film has a few hundred boxes besides its pictures and sounds; what has more is not looked through. */
const READS_MAX = 20_000;

/** More parts than any film has. */
export class TooManyParts extends Error {
  override name = 'TooManyParts';
}

/** A file of which small pieces are read here and there. */
export interface Reader {
  size: number;
  /** At most `length` bytes from `at` on. Throws `TooManyParts`. */
  read(at: number, length: number): Promise<Buffer>;
}

/** Opens a file for `use`. */
export async function readingFrom<T>(file: string, use: (reader: Reader) => Promise<T>): Promise<T> {
  await using handle = await fs.open(file);
  const { size } = await handle.stat();
  let reads = 0;
  const read = async (at: number, length: number): Promise<Buffer> => {
    reads += 1;
    if (reads > READS_MAX) throw new TooManyParts();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  };
  return await use({ size, read });
}
