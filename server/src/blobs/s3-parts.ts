import { createWriteStream, promises as fs, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
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
  readonly #file: WriteStream;

  constructor(folder: string) {
    this.path = path.join(folder, uuidv7());
    this.#file = createWriteStream(this.path);
  }

  async write(chunk: Buffer): Promise<void> {
    this.bytes += chunk.length;
    if (!this.#file.write(chunk)) await once(this.#file, 'drain');
  }

  async close(): Promise<void> {
    this.#file.end();
    await finished(this.#file);
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
        open ??= new OpenPart(folder);
        const fitting = rest.subarray(0, partBytes - open.bytes);
        await open.write(fitting);
        rest = rest.subarray(fitting.length);
        if (open.bytes === partBytes) await takeOpen();
      }
    }
  } finally {
    await takeOpen();
  }
}
