import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { compiledOnce } from './compiled-once.ts';
import { type Db, makeDb } from './database.ts';

/** Only compiled: no connection is made. */
const db = makeDb(new pg.Pool());

const make = (of: Db) =>
  of
    .selectNoFrom([sql<number>`1 + ${sql.lit(2)}`.as('sum'), sql<string>`${'a value'}::text`.as('value')])
    .select(sql<string>`lower('ABC')`.as('low'));

test('a query that is compiled once has the same text and values as one that is compiled each time', () => {
  const once = compiledOnce(make);
  for (const extra of ['x', 'y', 'z']) {
    const add = (query: ReturnType<typeof make>) =>
      query
        .select(sql<string>`${extra}::text`.as('extra'))
        .where(sql<boolean>`${extra} <> ''`)
        .compile();
    const { sql: text, parameters } = add(once(db));
    expect({ text, parameters }).toEqual({ text: add(make(db)).sql, parameters: ['a value', extra, extra] });
  }
  expect(once(db)).toBe(once(db));
});

test('what is selected twice, behind different values, keeps its text and takes the numbers of the values there', () => {
  const once = compiledOnce(make);
  const inner = once(db).as('i');
  const compiled = () =>
    db
      .selectFrom(once(db).as('o'))
      .innerJoin(inner, (join) => join.on(sql<boolean>`o.sum = ${3}`))
      .select(sql`o.value`.as('value'))
      .compile();
  const first = compiled();
  expect(compiled()).toMatchObject({ sql: first.sql, parameters: first.parameters });
  expect(first.sql.match(/\$\d/g)).toEqual(['$1', '$2', '$3']);
});
