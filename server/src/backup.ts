/** `npm run backup -- FILE` and `npm run restore -- FILE`: everything of an installation in one file. */
import { inspect } from 'node:util';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { contentNames, holdContents } from './files/blobs.service.ts';
import { BackupError, readArchive, writeArchive } from './platform/backup/archive.ts';
import { type Db, knownMigrations, makeDb, makePool, migrate } from './platform/database.ts';
import { withPostgres } from './platform/postgres.ts';
import { PostgresError } from './platform/postgres/error.ts';
import { openStorage } from './platform/storage.ts';

const log = pino({ level: 'warn' }, pino.destination(2));

/** Writes a back-up; the server may run meanwhile. */
async function backup(config: Config, connection: pg.PoolConfig, file: string): Promise<string> {
  const head = await writeArchive(file, {
    connection,
    blobs: openStorage(config).blobs,
    holdBlobs: holdContents,
    blobNames: contentNames,
  });
  const rows = head.tables.reduce((sum, table) => sum + table.rows, 0);
  return `${file}: ${rows} rows, ${head.blobs} stored files. It holds secrets: keep it where nobody else can read it.`;
}

/** Puts a back-up into an installation that has nothing yet. */
async function restore(config: Config, connection: pg.PoolConfig, file: string): Promise<string> {
  const db = makeDb(makePool(connection, log));
  try {
    if (await hasUsers(db)) {
      throw new BackupError('There is an installation already: set AMS_DATA or DATABASE_URL to an empty one');
    }
    const head = await readArchive(file, {
      connection,
      blobs: openStorage(config).blobs,
      migrate: async (migrations) => {
        const known = new Set(await knownMigrations());
        const unknown = migrations.find((name) => !known.has(name));
        if (unknown) throw new BackupError(`The back-up was made by a newer version (${unknown}): update first`);
        await migrate(db, migrations.at(-1));
      },
    });
    await migrate(db);
    return `Restored what was saved on ${head.madeAt}. Start the server now.`;
  } finally {
    await db.destroy();
  }
}

async function hasUsers(db: Db): Promise<boolean> {
  const { rows } = await sql<{ made: boolean }>`select to_regclass('public.users') is not null as made`.execute(db);
  if (!rows[0]?.made) return false;
  return (await db.selectFrom('users').select('id').limit(1).execute()).length > 0;
}

const COMMANDS = { backup, restore };

const isCommand = (name: string | undefined): name is keyof typeof COMMANDS => name !== undefined && name in COMMANDS;

async function main([name, file, ...rest]: string[]): Promise<void> {
  if (!isCommand(name) || file === undefined || rest.length > 0) {
    throw new BackupError('Say which file: npm run backup -- FILE, or npm run restore -- FILE');
  }
  const config = readConfig(process.env);
  const run = (connection: pg.PoolConfig): Promise<string> => COMMANDS[name](config, connection, file);
  const said =
    config.databaseUrl === undefined
      ? await withPostgres(config.data, log, run)
      : await run({ connectionString: config.databaseUrl });
  process.stdout.write(`${said}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const known = [BackupError, ConfigError, PostgresError].some((kind) => error instanceof kind);
  process.stderr.write(`${known && error instanceof Error ? error.message : inspect(error)}\n`);
  process.exitCode = 1;
});
