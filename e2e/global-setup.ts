import { startSharedPostgres } from '../server/test/shared-postgres.ts';

/** One PostgreSQL for all stories of a run: to make and to start another takes 2 s of a processor. */
export default async function setup(): Promise<() => Promise<void>> {
  const { connection, migrated, end } = await startSharedPostgres();
  process.env['AMS_TEST_POSTGRES'] = JSON.stringify({ connection, migrated });
  return end;
}
