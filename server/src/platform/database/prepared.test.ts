import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestServer } from '../../../test/server.ts';
import { prepared } from './prepared.ts';

const server = await startTestServer();

test('a connection keeps exactly the marked statements, regardless of their values', async () => {
  await server.deps.db.connection().execute(async (db) => {
    for (const n of [1, 2, 3]) {
      const { rows } = await sql<{ n: number }>`select ${n}::int as n ${prepared}`.execute(db);
      expect(rows).toEqual([{ n }]);
      await sql`select ${n}::int as "not marked"`.execute(db);
    }
    const { rows } = await sql<{ runs: number }>`
      select generic_plans + custom_plans as runs from pg_prepared_statements
      where statement like '%::int as %' and from_sql = false`.execute(db);
    expect(rows).toEqual([{ runs: 3 }]);
  });
});

test('no statement is compiled', async () => {
  const { rows } = await sql`show jit`.execute(server.deps.db);
  expect(rows).toEqual([{ jit: 'off' }]);
});
