import { expect, test } from 'vitest';
import { z } from 'zod';
import { serializerCompiler } from './serialize.ts';

const route = { method: 'GET', url: '/api/things', httpStatus: '200' };
const serialize = serializerCompiler({
  ...route,
  schema: z.object({ items: z.array(z.object({ id: z.uuid(), at: z.iso.datetime().nullable() })) }),
});

const id = '01900001-0000-7000-8000-000000000001';

test('a response has what its schema names and nothing else, at any depth', () => {
  const stray = { items: [{ id, at: null, password_hash: 'secret' }], extra: 1 };
  expect(JSON.parse(serialize(stray))).toEqual({ items: [{ id, at: null }] });
});

test.each([{ items: [{ id: 'no id', at: null }] }, { items: [{ id }] }, { items: [{ id, at: 'yesterday' }] }, {}])(
  'a response that violates its schema is refused: %j',
  (wrong) => {
    expect(() => serialize(wrong)).toThrow(/serializ|schema/i);
  },
);
