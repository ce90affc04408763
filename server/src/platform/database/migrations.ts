import { promises as fs } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { FileMigrationProvider, type Migration, Migrator } from 'kysely/migration';
import { PostgresError } from '../postgres/error.ts';
import type { Db } from './database.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../../migrations');
/** The migrations that `schema.sql` sums up. Only databases that an earlier version created run them one by one. */
const HISTORY = path.join(FOLDER, 'history');
const SCHEMA = path.join(FOLDER, 'schema.sql');

type Migrations = Record<string, Migration>;

const readFolder = (migrationFolder: string): Promise<Migrations> =>
  new FileMigrationProvider({ fs, path, migrationFolder }).getMigrations();

/** The same names as `history`; the first one creates the whole schema, the others have nothing left to do. */
function squash(history: Migrations): Migrations {
  const createSchema: Migration = {
    up: async (db) => {
      await sql.raw(await fs.readFile(SCHEMA, 'utf8')).execute(db);
    },
  };
  const names = Object.keys(history).toSorted();
  return Object.fromEntries(names.map((name, place) => [name, place === 0 ? createSchema : { up: async () => {} }]));
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await fs.readdir(folder)).filter((file) => file.endsWith('.ts')).map((file) => path.parse(file).name);

/** Names of the migrations that this version of the system knows, in no order. */
export const knownMigrations = async (): Promise<string[]> =>
  (await Promise.all([namesIn(HISTORY), namesIn(FOLDER)])).flat();

/** Names of the migrations that a database has run. */
async function doneMigrations(db: Db): Promise<string[]> {
  const { rows } = await sql<{ made: boolean }>`select to_regclass('kysely_migration') is not null as made`.execute(db);
  if (!rows[0]?.made) return [];
  const done = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  return done.rows.map(({ name }) => name);
}

const OLDEST_MAJOR = 15;

/** Refuses a new database that is too old, or that could not store or search the letters that people write. */
async function checkNew(db: Db): Promise<void> {
  const { rows } = await sql<{ major: number; encoding: string }>`
    select current_setting('server_version_num')::integer / 10000 as major,
      current_setting('server_encoding') as encoding`.execute(db);
  for (const { major, encoding } of rows) {
    if (major < OLDEST_MAJOR) throw new PostgresError(`PostgreSQL ${major} is too old: use ${OLDEST_MAJOR} or newer`);
    if (encoding !== 'UTF8') {
      throw new PostgresError(
        `the database has the encoding ${encoding}: create it again with createdb --encoding=UTF8 --locale=C.UTF-8 --template=template0`,
      );
    }
  }
}

/**
 * Brings the schema up to date, or to one migration; servers that start at once wait for each other. An empty database
 * gets `schema.sql` instead of the history, or a `PostgresError` when it cannot be used. The schema of a newer version is left as it is, so that a version that is
 * rolled back to runs on it.
 */
export async function migrate(db: Db, upTo?: string): Promise<void> {
  const [known, done] = await Promise.all([knownMigrations(), doneMigrations(db)]);
  if (done.some((name) => !known.includes(name))) return;
  // Most starts: migrations are not even loaded.
  if (upTo === undefined && done.length === known.length) return;
  if (done.length === 0) await checkNew(db);
  const [history, later] = await Promise.all([readFolder(HISTORY), readFolder(FOLDER)]);
  const reachesSchema = upTo === undefined || Object.keys(history).every((name) => name <= upTo);
  const first = done.length === 0 && reachesSchema ? squash(history) : history;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...first, ...later }) } });
  const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo);
  if (error) throw error;
}
