import { promises as fs } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Arrival, type Blobs, type Incoming, type LocalFile } from './blobs.ts';
import { isDiskFull, StorageFull } from '../platform/http/storage-full.ts';
import { absent, lent } from './disk-blobs.ts';
import { DiskSink } from './disk-sink.ts';
import { requireRoom, whileRoom } from './room.ts';

/** Unfinished uploads as files of one folder, which all server processes share. */
export class DiskIncoming implements Incoming {
  readonly readable = true;
  readonly #folder: string;
  readonly #blobs: Blobs;
  readonly #reserve: number;

  /** @param reserve so many bytes of the disk stay free: the database may be beside the files */
  constructor(folder: string, blobs: Blobs, reserve: number) {
    this.#folder = folder;
    this.#blobs = blobs;
    this.#reserve = reserve;
  }

  async begin(id: string, size: number): Promise<string> {
    await fs.mkdir(this.#folder, { recursive: true });
    await requireRoom(this.#folder, size, this.#reserve);
    await fs.writeFile(this.#path(id), '');
    return '';
  }

  async received({ id }: Arrival): Promise<number | undefined> {
    return fs.stat(this.#path(id)).then(({ size }) => size, absent);
  }

  async append({ id }: Arrival, offset: number, bytes: Readable): Promise<void> {
    try {
      await using file = await fs.open(this.#path(id), 'r+');
      await pipeline(bytes, whileRoom(this.#folder, this.#reserve), new DiskSink(file, offset));
    } catch (error) {
      throw isDiskFull(error) ? new StorageFull('the disk is full') : error;
    }
  }

  async borrow({ id }: Arrival): Promise<LocalFile> {
    return lent(this.#path(id));
  }

  async settle({ id }: Arrival, sha256: string): Promise<void> {
    await this.#blobs.adopt(sha256, this.#path(id));
  }

  async discard({ id }: Pick<Arrival, 'id'>): Promise<void> {
    await fs.rm(this.#path(id), { force: true });
  }

  async abandoned(before: Date): Promise<Pick<Arrival, 'id' | 'place'>[]> {
    const old: Pick<Arrival, 'id' | 'place'>[] = [];
    for (const id of await fs.readdir(this.#folder).catch(() => [])) {
      const stat = await fs.stat(this.#path(id)).catch(absent);
      if (stat && stat.mtime < before) old.push({ id, place: '' });
    }
    return old;
  }

  /** On a disk it renames. */
  async giveUpCopies(): Promise<void> {}

  #path(id: string): string {
    return path.join(this.#folder, id);
  }
}
