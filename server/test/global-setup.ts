import type { TestProject } from 'vitest/node';
import type { PostgresConnection } from '../src/platform/postgres/postgres.ts';
import { startSharedPostgres } from './shared-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** One PostgreSQL for the run, to make databases in. */
    postgres: PostgresConnection;
    /** A database in it that has the newest schema and no rows, to copy: servers of tests start sooner. */
    migrated: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A single file that needs none (scripts/test-one.mjs).
  if (process.env['AMS_TEST_DATABASE'] === 'off') return async () => {};
  const { connection, migrated, end } = await startSharedPostgres();
  project.provide('postgres', connection);
  project.provide('migrated', migrated);
  return end;
}
