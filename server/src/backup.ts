/**
 * `npm run backup -- FILE` and `npm run restore -- FILE`, both with `--key KEYFILE`: everything of an installation in
 * one sealed file.
 */
import { constants } from 'node:os';
import path from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { readConfig } from './config.ts';
import { type Config, ConfigError } from './platform/process/config.ts';
import { openStorage, storedContents } from './features.ts';
import { BackupError } from './platform/backup/archive.ts';
import { readArchive, TAKEN } from './platform/backup/read.ts';
import { openKey, readKey } from './platform/backup/seal.ts';
import { writeArchive } from './platform/backup/write.ts';
import { type Db, makeDb, makePool } from './platform/database/database.ts';
import { knownMigrations, migrate } from './platform/database/migrations.ts';
import { withPostgres } from './platform/postgres/postgres.ts';
import { PostgresError } from './platform/postgres/error.ts';
import { withoutSecrets } from './platform/auth/secrets.ts';

const log = pino({ level: 'warn' }, pino.destination(2));

const USAGE = 'Usage: npm run backup -- FILE --key KEYFILE, or npm run restore -- FILE --key KEYFILE';
/** Lost files that are named on the screen; the archive lists all of them. */
const NAMED_MAX = 20;

interface Command {
  config: Config;
  connection: pg.PoolConfig;
  file: string;
  keyFile: string;
  /** Restore without the key: the operator has lost it and vouches for the file. */
  unauthenticated: boolean;
}

/** Writes a backup; the server may keep running. If stored files are missing, throws `BackupError` after writing. */
async function backup({ config, connection, file, keyFile }: Command): Promise<string> {
  await requireInstallation(connection);
  const { key, isNew } = await openKey(keyFile);
  if (isNew) {
    process.stdout.write(
      `CREATED A NEW KEY: ${keyFile}\nBackups sealed with this key cannot be restored without it. Copy it now to a place away from this computer and from the backups.\n`,
    );
  }
  const source = {
    connection,
    blobs: (await openStorage(config)).blobs,
    holdBlobs: storedContents.hold,
    blobNames: storedContents.names,
  };
  const { tables, blobs, lost } = await writeArchive(file, source, key);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const written = `${file}: ${rows} rows, ${blobs.length} stored files`;
  if (lost.length > 0)
    throw new BackupError(`${written}. LOST, missing or damaged: ${await namesOf(connection, lost)}`);
  return `${written}. It contains secrets: keep it where nobody else can read it.`;
}

/** Without the settings of the server, a new and empty database would be backed up. */
async function requireInstallation(connection: pg.PoolConfig): Promise<void> {
  const db = makeDb(makePool(connection, log));
  try {
    if (await hasUsers(db)) return;
    throw new BackupError('There is no installation here: set DATABASE_URL and AMS_DATA as for the server');
  } finally {
    await db.destroy();
  }
}

/** Lost contents, each with the names that people know it by. */
async function namesOf(connection: pg.PoolConfig, lost: string[]): Promise<string> {
  const db = makeDb(makePool(connection, log));
  try {
    const uses = await storedContents.usesOf(db, lost.slice(0, NAMED_MAX));
    const named = uses.map(({ sha256, names }) => `${sha256} (${names.join(', ') || 'no file'})`);
    const more = lost.length - named.length;
    return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  } finally {
    await db.destroy();
  }
}

/** Restores a backup into an empty installation. */
async function restore({ config, connection, file, keyFile, unauthenticated }: Command): Promise<string> {
  const db = makeDb(makePool(connection, log));
  try {
    if (await hasUsers(db)) throw new BackupError(TAKEN);
    const target = {
      connection,
      blobs: (await openStorage(config)).blobs,
      migrate: async (migrations: string[]) => {
        await requireKnown(migrations);
        await migrate(db, migrations.at(-1));
      },
    };
    const contents = await readArchive(file, target, unauthenticated ? undefined : await requireKey(keyFile));
    await migrate(db);
    const { madeAt, lost } = contents;
    const missing = lost.length > 0 ? ` Stored files missing from the backup: ${lost.length}.` : '';
    return `Restored the backup of ${madeAt}.${missing} Start the server now.${unauthenticated ? ' ITS SEAL WAS NOT CHECKED.' : ''}`;
  } finally {
    await db.destroy();
  }
}

async function requireKey(keyFile: string): Promise<Buffer> {
  try {
    return await readKey(keyFile);
  } catch (error) {
    if (error instanceof BackupError) throw error;
    throw new BackupError(`Specify the key that sealed the backup, --key KEYFILE: ${wordsOf(error)}`);
  }
}

/** Throws unless these are all migrations that this version has, up to the last of them. */
async function requireKnown(migrations: string[]): Promise<void> {
  const known = (await knownMigrations()).toSorted();
  const unknown = migrations.find((migration) => !known.includes(migration));
  if (unknown) throw new BackupError(`A newer version (${unknown}) created the backup: update first`);
  const missing = known.slice(0, known.indexOf(migrations.at(-1) ?? '')).find((each) => !migrations.includes(each));
  if (missing) throw new BackupError(`A version without ${missing} created the backup: restore it with that version`);
}

async function hasUsers(db: Db): Promise<boolean> {
  const { rows } = await sql<{ made: boolean }>`select to_regclass('public.users') is not null as made`.execute(db);
  if (!rows[0]?.made) return false;
  return (await db.selectFrom('users').select('id').limit(1).execute()).length > 0;
}

const COMMANDS = { backup, restore };

const isCommand = (word: string | undefined): word is keyof typeof COMMANDS => word !== undefined && word in COMMANDS;

const OPTIONS = { key: { type: 'string' }, unauthenticated: { type: 'boolean', default: false } } as const;

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch {
    throw new BackupError(USAGE);
  }
}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = readArguments(args);
  const [command, file, ...rest] = positionals;
  if (!isCommand(command) || file === undefined || rest.length > 0) throw new BackupError(USAGE);
  const config = readConfig(process.env);
  const keyFile = values.key ?? path.join(config.data, 'backup.key');
  const run = (connection: pg.PoolConfig): Promise<string> =>
    COMMANDS[command]({ config, connection, file, keyFile, unauthenticated: values.unauthenticated });
  const said =
    config.databaseUrl === undefined
      ? await withPostgres(config.data, log, run)
      : await run({ connectionString: config.databaseUrl });
  process.stdout.write(`${said}\n`);
}

/** Errors of the system, the database and the libraries carry a code; what carries none is a defect. */
function wordsOf(error: unknown): string {
  const isOurs = [BackupError, ConfigError, PostgresError].some((kind) => error instanceof kind);
  if (!(error instanceof Error) || !(isOurs || 'code' in error)) return inspect(error);
  return (error.message || String('code' in error && error.code)).replaceAll('\n', ' ');
}

// Unfinished archives are removed when the process exits (work-folder.ts), which a signal alone does not let it do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${withoutSecrets(wordsOf(error), process.env)}\n`);
  process.exitCode = 1;
});
