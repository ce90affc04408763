import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { makeDb } from '../src/platform/database/database.ts';
import { migrate } from '../src/platform/database/migrations.ts';
import { type PostgresConnection, startPostgres } from '../src/platform/postgres/postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One PostgreSQL for the run, to make databases in. */
    postgres: PostgresConnection;
    /** A database in it that has the newest schema and no rows, to copy: servers of tests start sooner. */
    migrated: string;
  }
}

const log = { info: () => {}, warn: console.warn, error: console.error };

/** Nothing here needs to survive a power cut, and many servers are open at once. */
const FOR_TESTS = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', 'max_connections = 400'];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A single file that needs none (scripts/test-one.mjs).
  if (process.env['AMS_TEST_DATABASE'] === 'off') return async () => {};
  const folder = await mkdtemp(path.join(tmpdir(), 'ams-test-'));
  const first = await startPostgres(folder, log);
  const client = new pg.Client(first.connection);
  await client.connect();
  for (const setting of FOR_TESTS) await client.query(`alter system set ${setting}`);
  await client.end();
  await first.stop();

  const postgres = await startPostgres(folder, log);
  project.provide('postgres', postgres.connection);
  project.provide('migrated', await makeMigrated(postgres.connection));
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function makeMigrated(connection: PostgresConnection): Promise<string> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('create database migrated');
  await client.end();
  const db = makeDb(new pg.Pool({ ...connection, database: 'migrated' }));
  await migrate(db);
  await db.destroy();
  return 'migrated';
}
