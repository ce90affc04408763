import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { makeDb, makePool } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrations.ts';
import { Jobs } from '../src/platform/jobs/jobs.ts';
import { type PostgresConnection, startPostgres } from '../src/platform/postgres/postgres.ts';
import { makePlayPartitions } from '../src/player/keep-plays.service.ts';

/** One PostgreSQL for a run of tests, to make databases in. */
export interface SharedPostgres {
  connection: PostgresConnection;
  /** A database in it with all tables and no rows. Servers start sooner on a copy. */
  migrated: string;
  end(): Promise<void>;
}

const log = { info: () => {}, warn: console.warn, error: console.error };

/** Nothing here needs to survive a power cut, and many servers are open at once. */
const FOR_TESTS = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', 'max_connections = 400'];

export async function startSharedPostgres(): Promise<SharedPostgres> {
  const folder = await mkdtemp(path.join(tmpdir(), 'ams-test-'));
  const first = await startPostgres(folder, log);
  const client = new pg.Client(first.connection);
  await client.connect();
  for (const setting of FOR_TESTS) await client.query(`alter system set ${setting}`);
  await client.end();
  await first.stop();

  const { connection, stop } = await startPostgres(folder, log);
  const end = async (): Promise<void> => {
    await stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { connection, migrated: await makeMigrated(connection), end };
}

/** What a server does to an empty database when it starts. */
async function makeMigrated(connection: PostgresConnection): Promise<string> {
  const database = 'migrated';
  await ask(connection, `create database ${database}`);
  const logger = pino({ level: 'warn' });
  const pool = makePool({ ...connection, database }, logger);
  const db = makeDb(pool);
  await migrate(db);
  await new Jobs(pool, '', logger).migrate();
  await makePlayPartitions(db);
  await db.destroy();
  return database;
}

/** A new database: empty, or a copy of `template`. */
export async function copyDatabase(
  server: PostgresConnection,
  template = 'template0',
): Promise<PostgresConnection & { url: string }> {
  const database = `test_${randomBytes(8).toString('hex')}`;
  await ask(server, `create database ${database} template ${template} strategy file_copy`);
  const url = `postgres://${server.user}@localhost:${server.port}/${database}?host=${encodeURIComponent(server.host)}`;
  return { ...server, database, url };
}

export const dropDatabase = (server: PostgresConnection, database: string): Promise<void> =>
  ask(server, `drop database ${database} with (force)`);

async function ask(server: PostgresConnection, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  await client.query(statement);
  await client.end();
}
