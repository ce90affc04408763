import { createWriteStream, promises as fs } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DataStore, ERRORS, Server, Upload } from '@tus/server';

/** Uploads as files of one folder and nothing else, as `@tus/file-store` keeps them; on the disk before the last answer only with `SYNC=on`. */
class FileStore extends DataStore {
  readonly #folder: string;
  readonly #uploads = new Map<string, Upload>();
  override extensions = ['creation'];

  constructor(folder: string) {
    super();
    this.#folder = folder;
  }

  override async create(upload: Upload): Promise<Upload> {
    await fs.writeFile(path.join(this.#folder, upload.id), '');
    this.#uploads.set(upload.id, upload);
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const { size, metadata } = this.#uploads.get(id) ?? {};
    if (size === undefined) throw ERRORS.FILE_NOT_FOUND;
    const { size: offset } = await fs.stat(path.join(this.#folder, id));
    return new Upload({ id, size, offset, ...(metadata && { metadata }) });
  }

  override async write(readable: Readable, id: string, offset: number): Promise<number> {
    const file = createWriteStream(path.join(this.#folder, id), { flags: 'r+', start: offset });
    await pipeline(readable, file);
    const end = offset + file.bytesWritten;
    if (process.env['SYNC'] === 'on' && end === this.#uploads.get(id)?.size)
      await syncFile(path.join(this.#folder, id));
    return end;
  }
}

async function syncFile(file: string): Promise<void> {
  const handle = await fs.open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

const server = new Server({
  path: '/uploads',
  datastore: new FileStore(process.env['FOLDER'] ?? ''),
  relativeLocation: true,
});
const listening = server.listen({ port: 0, host: '127.0.0.1' }, () => {
  const address = listening.address();
  if (typeof address === 'object' && address) console.log(`http://127.0.0.1:${address.port}`);
});
