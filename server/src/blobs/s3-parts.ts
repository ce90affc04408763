import { promises as fs } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';

/** A part of a stream as a local file. */
export interface Part {
  path: string;
  bytes: number;
}

/** A part that more bytes are written to. */
class OpenPart {
  readonly path: string;
  bytes = 0;
  readonly #file: FileHandle;

  private constructor(place: string, file: FileHandle) {
    this.path = place;
    this.#file = file;
  }

  static async begin(folder: string): Promise<OpenPart> {
    const place = path.join(folder, uuidv7());
    return new OpenPart(place, await fs.open(place, 'wx'));
  }

  /** Removes the part when the disk does not take all of the bytes. */
  async write(chunk: Buffer): Promise<void> {
    try {
      await this.#file.appendFile(chunk);
    } catch (error) {
      await this.#file.close();
      await fs.rm(this.path, { force: true });
      throw error;
    }
    this.bytes += chunk.length;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/**
 * Splits a stream into local files of `partBytes`; the last one may be smaller. `take` gets each when it is complete and
 * owns the file. When the stream fails, what came before is taken, too; then its error is thrown.
 */
export async function splitIntoParts(
  stream: Readable,
  partBytes: number,
  folder: string,
  take: (part: Part) => Promise<void>,
): Promise<void> {
  await fs.mkdir(folder, { recursive: true });
  let open: OpenPart | undefined;
  const takeOpen = async (): Promise<void> => {
    if (!open) return;
    const full = open;
    open = undefined;
    await full.close();
    await take(full);
  };
  try {
    for await (const chunk of stream) {
      for (let rest: Buffer = chunk; rest.length > 0;) {
        const part: OpenPart = open ?? (await OpenPart.begin(folder));
        const fitting = rest.subarray(0, partBytes - part.bytes);
        // One that fails is not taken.
        open = undefined;
        await part.write(fitting);
        open = part;
        rest = rest.subarray(fitting.length);
        if (open.bytes === partBytes) await takeOpen();
      }
    }
  } finally {
    await takeOpen();
  }
}
