import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { pack, type Pack } from 'tar-stream';
import { hashFile } from '../process/hash-file.ts';
import { blobMember, type Contents, CONTENTS_MEMBER, type ContentStore, PRIVATE, tableMember } from './archive.ts';
import { withClient } from './client.ts';
import { partitionsOf } from './partitions.ts';
import { dumpTable, migrationsOf, tablesOf } from './rows.ts';
import { Sealing } from './seal.ts';
import { makeWorkFolder } from './work-folder.ts';

interface Source {
  connection: pg.ClientConfig;
  blobs: Pick<ContentStore, 'size' | 'borrow'>;
  /** Keeps blobs from being removed while the client is connected. */
  holdBlobs(client: pg.Client): Promise<unknown>;
  /** Which blobs the rows name that the client sees. */
  blobNames(client: pg.Client): Promise<string[]>;
}

/** All rows, dumped into `folder`, and the names of the blobs that they need. */
interface Dump {
  rows: Pick<Contents, 'migrations' | 'partitions' | 'tables'>;
  names: string[];
}

/**
 * Writes everything into one sealed tar file, while the server may run: all rows are of one instant. The file appears
 * under its name when it is whole. A blob that is missing or damaged is left out and named in `lost`.
 */
export async function writeArchive(file: string, source: Source, key: Buffer): Promise<Contents> {
  const home = path.dirname(path.resolve(file));
  await using folder = await makeWorkFolder(path.join(home, '.backup-'));
  const whole = path.join(folder.path, 'archive');
  const contents = await withClient(source.connection, async (client) => {
    const dump = await dumpRows(client, source, folder.path);
    const written = await writeMembers(whole, folder.path, dump, source.blobs, key);
    // Nothing holds the blobs once the connection is lost: one that was removed would be named as lost.
    await client.query('select 1');
    return written;
  });
  await rename(whole, file);
  await syncFolder(home);
  return contents;
}

async function dumpRows(client: pg.Client, { holdBlobs, blobNames }: Source, folder: string): Promise<Dump> {
  // Before the instant that the transaction sees: what its rows name must not go any more.
  await holdBlobs(client);
  await client.query('begin isolation level repeatable read read only');
  const tables: Contents['tables'] = [];
  for (const name of await tablesOf(client)) {
    const target = path.join(folder, name);
    const rows = await dumpTable(client, name, target);
    tables.push({ name, rows, sha256: (await hashFile(target)).sha256 });
  }
  const migrations = await migrationsOf(client);
  const rows = { migrations, partitions: await partitionsOf(client), tables };
  const names = await blobNames(client);
  // Copying the blobs may take hours: PostgreSQL could remove no old row meanwhile, and may end an idle transaction.
  await client.query('commit');
  return { rows, names };
}

async function writeMembers(
  whole: string,
  folder: string,
  { rows, names }: Dump,
  blobs: Source['blobs'],
  key: Buffer,
): Promise<Contents> {
  const archive = pack();
  const sealing = new Sealing(key);
  const target = createWriteStream(whole, { mode: PRIVATE, flush: true });
  const fill = async (): Promise<Contents> => {
    try {
      for (const { name } of rows.tables) await addFile(archive, tableMember(name), path.join(folder, name));
      const lost = await addBlobs(archive, blobs, names);
      const kept = names.filter((name) => !lost.has(name));
      const contents: Contents = {
        ...{ format: 2, madeAt: new Date().toISOString(), ...rows },
        ...{ blobs: kept, lost: [...lost] },
      };
      archive.entry({ name: CONTENTS_MEMBER }, JSON.stringify(contents, undefined, 2));
      archive.finalize();
      return contents;
    } catch (error) {
      archive.destroy(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  };
  const sealed = async function* (bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield* bytes;
    yield Buffer.from(sealing.seal());
  };
  const [contents] = await Promise.all([fill(), pipeline(archive, sealing, sealed, target)]);
  return contents;
}

/** Adds blobs and returns those that are missing or have another hash than their name. */
async function addBlobs(archive: Pack, blobs: Source['blobs'], names: string[]): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const name of names) {
    if ((await blobs.size(name)) === undefined) lost.add(name);
    else {
      await using local = await blobs.borrow(name);
      const isWhole = (await hashFile(local.path).catch(() => undefined))?.sha256 === name;
      if (isWhole) await addFile(archive, blobMember(name), local.path);
      else lost.add(name);
    }
  }
  return lost;
}

async function addFile(archive: Pack, name: string, file: string): Promise<void> {
  const { size } = await stat(file);
  await pipeline(createReadStream(file), archive.entry({ name, size }));
}

/** The renamed file must survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
