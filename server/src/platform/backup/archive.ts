import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { extract, pack, type Pack } from 'tar-stream';
import { z } from 'zod';
import type { Blobs } from '../blobs.ts';
import { dumpTable, loadTable, migrationsOf, partitionsOf, suspendRules, tablesOf } from './rows.ts';

/** What a person has to read when a back-up cannot be made or restored: one line. */
export class BackupError extends Error {
  override name = 'BackupError';
}

const HEAD = 'backup.json';
/** The archive holds secrets. */
const PRIVATE = 0o600;

/** The first entry of an archive; blobs follow by their SHA-256, then tables.. */
const Head = z.object({
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  migrations: z.array(z.string()),
  partitions: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), rows: z.number().int() })),
  blobs: z.number().int(),
});
export type Head = z.output<typeof Head>;

interface Source {
  connection: pg.ClientConfig;
  blobs: Blobs;
  /** Keeps blobs from being removed for as long as the client lives. */
  holdBlobs(client: pg.Client): Promise<unknown>;
  /** Which blobs the rows name that the client sees. */
  blobNames(client: pg.Client): Promise<string[]>;
}

/**
 * Writes everything into one tar file, while the server may run: all rows are of one instant, and every blob
 * they name is there. The file appears under its name when it is whole.
 */
export async function writeArchive(file: string, { connection, blobs, holdBlobs, blobNames }: Source): Promise<Head> {
  const folder = await mkdtemp(path.join(path.dirname(path.resolve(file)), '.backup-'));
  const client = new pg.Client(connection);
  try {
    await client.connect();
    // Before the instant that the transaction sees: what its rows name must not go any more.
    await holdBlobs(client);
    await client.query('begin isolation level repeatable read read only');
    const names = await blobNames(client);
    const tables: Head['tables'] = [];
    for (const name of await tablesOf(client)) {
      tables.push({ name, rows: await dumpTable(client, name, path.join(folder, name)) });
    }
    const head: Head = {
      format: 1,
      madeAt: new Date().toISOString(),
      migrations: await migrationsOf(client),
      partitions: await partitionsOf(client),
      tables,
      blobs: names.length,
    };
    const whole = path.join(folder, 'archive');
    const archive = pack();
    const written = pipeline(archive, createWriteStream(whole, { flush: true, mode: PRIVATE }));
    await Promise.all([written, fill(archive, { head, folder, names, blobs })]);
    await rename(whole, file);
    return head;
  } finally {
    await client.end();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Content {
  head: Head;
  folder: string;
  names: string[];
  blobs: Blobs;
}

async function fill(archive: Pack, { head, folder, names, blobs }: Content): Promise<void> {
  try {
    archive.entry({ name: HEAD }, JSON.stringify(head, undefined, 2));
    for (const name of names) {
      const size = await blobs.size(name);
      if (size === undefined) throw new BackupError(`The stored file ${name} is missing: nothing was written`);
      await add(archive, `blobs/${name}`, size, await blobs.read(name));
    }
    for (const { name } of head.tables) {
      const file = path.join(folder, name);
      await add(archive, `tables/${name}.jsonl.gz`, (await stat(file)).size, createReadStream(file));
    }
    archive.finalize();
  } catch (error) {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

const add = (archive: Pack, name: string, size: number, content: Readable): Promise<void> =>
  pipeline(content, archive.entry({ name, size }));

interface Target {
  connection: pg.ClientConfig;
  blobs: Blobs;
  /** Makes the schema as these migrations left it; throws when one of them is not known. */
  migrate(migrations: string[]): Promise<void>;
}

/**
 * Puts an archive into an installation without users. Rows come in one transaction after all blobs: what
 * breaks half-way leaves blobs at most, which restoring again finds and cleaning removes.
 */
export async function readArchive(file: string, target: Target): Promise<Head> {
  const folder = await mkdtemp(path.join(path.dirname(path.resolve(file)), '.restore-'));
  try {
    const head = await unpack(file, folder, target.blobs);
    await target.migrate(head.migrations);
    await loadTables(target.connection, head, folder);
    return head;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Blobs go where they belong, tables into the folder. */
async function unpack(file: string, folder: string, blobs: Blobs): Promise<Head> {
  const archive = extract();
  const read = pipeline(createReadStream(file), archive);
  const seen = { head: undefined as Head | undefined, blobs: 0 };
  const take = async (): Promise<void> => {
    for await (const entry of archive) {
      const [kind = '', name = ''] = entry.header.name.split('/');
      const content = Readable.from(entry, { objectMode: false });
      if (kind === HEAD) seen.head = readHead(await text(content));
      else if (kind === 'blobs') seen.blobs += await takeBlob(content, path.basename(name), folder, blobs);
      else if (kind === 'tables') {
        await pipeline(content, createWriteStream(path.join(folder, path.basename(name, '.jsonl.gz'))));
      } else throw new BackupError(`${file} is no back-up of this system`);
    }
  };
  await Promise.all([read, take()]);
  if (!seen.head) throw new BackupError(`${file} is no back-up of this system`);
  if (seen.blobs !== seen.head.blobs) {
    throw new BackupError(`${file} is cut short: it has ${seen.blobs} of ${seen.head.blobs} stored files`);
  }
  return seen.head;
}

function readHead(json: string): Head {
  const head = Head.safeParse(JSON.parse(json));
  if (!head.success) throw new BackupError('The back-up was made by a version of the system that this one cannot read');
  return head.data;
}

async function takeBlob(content: Readable, name: string, folder: string, blobs: Blobs): Promise<number> {
  const file = path.join(folder, 'blob');
  const hash = createHash('sha256');
  content.on('data', (chunk: Uint8Array) => hash.update(chunk));
  await pipeline(content, createWriteStream(file));
  if (hash.digest('hex') !== name) throw new BackupError(`The stored file ${name} in the back-up is damaged`);
  await blobs.adopt(name, file);
  return 1;
}

async function loadTables(connection: pg.ClientConfig, head: Head, folder: string): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query('begin');
    const tables = head.tables.map(({ name }) => name);
    const rules = await suspendRules(client, tables);
    for (const statement of head.partitions) await client.query(statement);
    for (const { name, rows } of head.tables) {
      const loaded = await loadTable(client, name, path.join(folder, name));
      if (loaded !== rows) throw new BackupError(`The table ${name} in the back-up has ${loaded} of ${rows} rows`);
    }
    await rules.resume();
    await client.query('commit');
  } finally {
    await client.end();
  }
}
