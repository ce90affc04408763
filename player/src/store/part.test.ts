import { createHash } from 'node:crypto';
import { createSHA256 } from 'hash-wasm';
import { expect, test } from 'vitest';
import { digestOf } from './part.ts';

test('a stored file is hashed in browsers whose streams are not async iterable', async () => {
  const text = 'a stored file '.repeat(10_000);
  const stream = new Blob([text]).stream();
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined });
  expect(await digestOf(stream, await createSHA256())).toBe(createHash('sha256').update(text).digest('hex'));
});
