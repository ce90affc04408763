import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { startServer } from '../src/lifecycle.ts';
import { callersAt, dataOf, startTestServer } from './server.ts';

const server = await startTestServer();

test('a version that is rolled back to runs on the schema of the newer one', async () => {
  const { db } = server.deps;
  await sql`alter table users add column of_tomorrow integer`.execute(db);
  await sql`insert into kysely_migration (name, timestamp) values ('9999_tomorrow', now()::text)`.execute(db);

  const before = await startServer(server.config, server.connection, pino({ level: 'warn' }));
  try {
    const { login } = callersAt(await before.listen({ port: 0, host: '127.0.0.1' }));
    const { calls } = await login();
    expect(dataOf(await calls.users.list()).items).toHaveLength(1);
  } finally {
    await before.stop();
  }
});
