import { expect, it } from 'vitest';
import { formatBytes } from './format.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [1024, '1 kB'],
  [1024 * 1024 * 1.5, '1.5 MB'],
])('%i bytes are written as %s', (bytes, text) => {
  expect(formatBytes('en', bytes)).toBe(text);
});
