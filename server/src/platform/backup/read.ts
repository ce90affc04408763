import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { extract, type Header } from 'tar-stream';
import { BackupError, Contents, CONTENTS_MAX_BYTES, type ContentStore, memberOf } from './archive.ts';
import { withClient } from './client.ts';
import { makePartitions } from './partitions.ts';
import { loadTable, migrationsOf, suspendRules, tablesOf } from './rows.ts';
import { authenticate, openArchive, requireSeal, type SealedArchive, sealedBytes, Sealing } from './seal.ts';
import { makeWorkFolder } from './work-folder.ts';

export const TAKEN = 'The target already contains an installation: set AMS_DATA or DATABASE_URL to an empty one';

interface Target {
  connection: pg.ClientConfig;
  blobs: Pick<ContentStore, 'size' | 'adopt' | 'remove'>;
  /** Makes the schema as these migrations left it; throws when they are not those of a version that is known. */
  migrate(migrations: string[]): Promise<void>;
}

/**
 * Puts an archive into an installation without users. Nothing is parsed before the seal fits; then blobs are stored,
 * then all rows in one transaction. If anything fails, what was stored is removed again.
 * @param key undefined: the operator has lost it and vouches for the archive
 */
export async function readArchive(file: string, target: Target, key: Buffer | undefined): Promise<Contents> {
  const archive = await openArchive(file);
  if (key) await authenticate(archive, key);
  await using folder = await makeWorkFolder(path.join(path.dirname(path.resolve(file)), '.restore-'));
  const stored: string[] = [];
  try {
    const contents = await unpack(archive, key, { folder: folder.path, blobs: target.blobs, stored });
    await target.migrate(contents.migrations);
    await loadTables(target.connection, contents, folder.path, () => stored.splice(0));
    return contents;
  } catch (error) {
    await Promise.allSettled(stored.map((name) => target.blobs.remove(name)));
    throw error;
  }
}

interface Unpacking {
  /** The target of restored tables. */
  folder: string;
  blobs: Target['blobs'];
  /** Blobs that were not there before. */
  stored: string[];
}

/** Members found in an archive: SHA-256 by name. */
interface Found {
  tables: Map<string, string>;
  blobs: Set<string>;
  contents: Contents | undefined;
}

const damaged = ({ file }: SealedArchive, what: string): BackupError => new BackupError(`${file} is damaged: ${what}`);

async function unpack(archive: SealedArchive, key: Buffer | undefined, unpacking: Unpacking): Promise<Contents> {
  const found: Found = { tables: new Map(), blobs: new Set(), contents: undefined };
  const sealing = new Sealing(key ?? Buffer.alloc(0));
  const members = extract();
  const take = async (): Promise<void> => {
    for await (const entry of members) await takeMember(archive, entry, found, unpacking);
  };
  await Promise.all([pipeline(sealedBytes(archive), sealing, members), take()]).catch((error: unknown) => {
    // The library's own errors, about a tar file that is none, are the ones without a code.
    if (!(error instanceof Error) || error instanceof BackupError || 'code' in error) throw error;
    throw damaged(archive, error.message);
  });
  // Once more: the file may have changed since it was authenticated.
  if (key) requireSeal(archive, sealing);
  return requireWhole(archive, found);
}

async function takeMember(
  archive: SealedArchive,
  entry: AsyncIterable<unknown> & { header: Header },
  found: Found,
  unpacking: Unpacking,
): Promise<void> {
  const { name, type, size } = entry.header;
  const member = type === 'file' ? memberOf(name) : undefined;
  if (!member || found.contents) throw damaged(archive, 'it contains an unexpected member');
  if (size > archive.bytes) throw damaged(archive, 'a member is larger than the archive');
  const content = Readable.from(entry, { objectMode: false });
  if (member.kind === 'contents') found.contents = await readContents(archive, content, size);
  else if (member.kind === 'table') {
    if (found.tables.has(member.name)) throw damaged(archive, `it holds the table ${member.name} twice`);
    found.tables.set(member.name, await takeFile(content, path.join(unpacking.folder, member.name)));
  } else {
    if (found.blobs.has(member.name)) throw damaged(archive, `it holds the stored file ${member.name} twice`);
    found.blobs.add(member.name);
    await takeBlob(archive, content, member.name, unpacking);
  }
}

async function readContents(archive: SealedArchive, content: Readable, size: number): Promise<Contents> {
  if (size > CONTENTS_MAX_BYTES) throw damaged(archive, 'its list is too long');
  const json = await text(content);
  const parsed = Contents.safeParse(parseJson(json));
  if (!parsed.success) throw damaged(archive, 'its list cannot be read');
  return parsed.data;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Stores a stream as a file; answers its SHA-256. */
async function takeFile(content: Readable, file: string): Promise<string> {
  const hash = createHash('sha256');
  const hashed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  await pipeline(content, hashed, createWriteStream(file));
  return hash.digest('hex');
}

async function takeBlob(
  archive: SealedArchive,
  content: Readable,
  name: string,
  { folder, blobs, stored }: Unpacking,
): Promise<void> {
  // No table has such a name.
  const file = path.join(folder, '.blob');
  if ((await takeFile(content, file)) !== name) throw damaged(archive, `the stored file ${name} is not what it was`);
  if ((await blobs.size(name)) === undefined) stored.push(name);
  await blobs.adopt(name, file);
}

/** Throws unless the archive holds exactly the members of its list. */
function requireWhole(archive: SealedArchive, { tables, blobs, contents }: Found): Contents {
  if (!contents) throw damaged(archive, 'it has no list');
  const missing =
    contents.tables.find(({ name, sha256 }) => tables.get(name) !== sha256)?.name ??
    contents.blobs.find((name) => !blobs.has(name));
  if (missing !== undefined) throw damaged(archive, `${missing} is missing or changed`);
  const listed = new Set([...contents.tables.map(({ name }) => name), ...contents.blobs]);
  const stray = [...tables.keys(), ...blobs].find((name) => !listed.has(name));
  if (stray !== undefined) throw damaged(archive, `${stray} is not on its list`);
  return contents;
}

/** `keepBlobs` is called when rows may need the stored blobs although an error follows. */
const loadTables = (
  connection: pg.ClientConfig,
  contents: Contents,
  folder: string,
  keepBlobs: () => void,
): Promise<void> =>
  withClient(connection, async (client) => {
    await client.query('begin');
    if (!(await isFree(client))) {
      // Its people may have uploaded the same files. It removes at night what nobody needs.
      keepBlobs();
      throw new BackupError(TAKEN);
    }
    await requireSchema(client, contents);
    const tables = await requireTables(client, contents);
    const rules = await suspendRules(client, tables);
    const stray = await makePartitions(client, contents.partitions);
    if (stray !== undefined) throw new BackupError(`The backup contains an impossible part of a table: ${stray}`);
    for (const { name, rows } of contents.tables) {
      const loaded = await loadTable(client, name, path.join(folder, name), rows);
      if (loaded !== rows) throw new BackupError(`The table ${name} in the backup has ${loaded} of ${rows} rows`);
    }
    await rules.resume();
    // If the connection breaks now, nobody knows whether the rows are there.
    keepBlobs();
    await client.query('commit');
  });

/** A server may have started here since the restore began. No other one creates its first user before the restore ends. */
async function isFree(client: pg.Client): Promise<boolean> {
  await client.query('lock table users in access exclusive mode');
  const { rows } = await client.query('select from users limit 1');
  return rows.length === 0;
}

/** Throws if the schema is that of another version: migrations that follow would not change the rows of the archive. */
async function requireSchema(client: pg.Client, { migrations }: Contents): Promise<void> {
  const later = (await migrationsOf(client)).find((migration) => !migrations.includes(migration));
  if (later === undefined) return;
  throw new BackupError(
    `The target has the schema of a later version than the backup (${later}): set AMS_DATA or DATABASE_URL to an empty one`,
  );
}

/** The tables of the schema. Throws unless the archive has just these. */
async function requireTables(client: pg.Client, contents: Contents): Promise<string[]> {
  const tables = await tablesOf(client);
  const given = new Set(contents.tables.map(({ name }) => name));
  const odd = tables.find((name) => !given.delete(name)) ?? [...given][0];
  if (odd !== undefined) throw new BackupError(`The backup does not match the schema of its version: table ${odd}`);
  return tables;
}
