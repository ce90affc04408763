import { pino } from 'pino';
import { expect, test } from 'vitest';
import { isDatabaseAway } from './away.ts';
import { makeDb, makePool } from './database.ts';

/** The error of a statement when the database is at this host. */
async function failureAt(host: string): Promise<unknown> {
  const db = makeDb(makePool({ host, connectionTimeoutMillis: 3000 }, pino({ level: 'silent' })));
  const error: unknown = await db
    .selectNoFrom((of) => of.lit(1).as('one'))
    .execute()
    .catch((caught: unknown) => caught);
  await db.destroy();
  return error;
}

test('a database whose name leads nowhere now, as during a fail-over, is away', async () => {
  expect(isDatabaseAway(await failureAt('database.invalid'))).toBe(true);
});

test.each(['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EAI_AGAIN', 'ENOTFOUND'])(
  'a database that cannot be reached (%s) is away',
  (code) => {
    expect(isDatabaseAway(Object.assign(new Error('connect'), { code }))).toBe(true);
  },
);
