/**
 * A server reduced to its database, for tests that kill it: starts PostgreSQL on the given folder,
 * prints `ready`, then inserts rows and prints the number of each acknowledged one.
 * SIGINT and SIGTERM end it in an orderly way.
 */
import pg from 'pg';
import { startPostgres } from '../src/platform/postgres/postgres.ts';
import { PostgresError } from '../src/platform/postgres/error.ts';

const [folder = ''] = process.argv.slice(2);
const log = { info: console.error, warn: console.error, error: console.error };

try {
  const postgres = await startPostgres(folder, log);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  console.log('ready');

  const client = new pg.Client(postgres.connection);
  await client.connect();
  await client.query('create table if not exists rows (n int generated always as identity)');
  while (!stop.signal.aborted) {
    const { rows } = await client.query<{ n: number }>('insert into rows default values returning n');
    console.log(rows[0]?.n);
  }
  await client.end();
  await postgres.stop();
} catch (error) {
  if (!(error instanceof PostgresError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
