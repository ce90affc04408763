import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { startTestServer } from '../../../test/server.ts';
import { compiledForms } from './forms.ts';

const { deps } = await startTestServer();

const runForm = compiledForms();

test('each run of a form has its own values, in any order and number', async () => {
  let made = 0;
  const run = (form: string, values: { first: number; second?: number | undefined }) =>
    runForm(deps.db, form, values, ({ first, second }) => {
      made += 1;
      const text = second === undefined ? sql`` : sql`${second}::int as second,`;
      return sql<object>`select ${text} ${first}::int as first, ${'constant'}::text as kept, ${first}::int + 1 as next`;
    });
  for (const first of [1, 2]) {
    expect(await run('a', { first, second: 3 })).toEqual([{ second: 3, first, kept: 'constant', next: first + 1 }]);
    expect(await run('a', { first })).toEqual([{ first, kept: 'constant', next: first + 1 }]);
    expect(await run('a', { first, second: undefined })).toHaveLength(1);
  }
  expect(made).toBe(2);
  await run('b', { first: 1 });
  expect(made).toBe(3);
});
