import { expect, it } from 'vitest';
import { formatBytes, totalOf } from './format.ts';

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1,023 bytes'],
  [1024, '1 kB'],
  [1024 * 1024 * 1.5, '1.5 MB'],
])('%i bytes are written as %s', (bytes, text) => {
  expect(formatBytes('en', bytes)).toBe(text);
});

it.each([
  [0, 0, 'seconds'],
  [59_400, 59, 'seconds'],
  [59_600, 1, 'minutes'],
  [45 * 60_000, 45, 'minutes'],
  [3_599_000, 1, 'hours'],
  [5_400_000, 1.5, 'hours'],
  [13_319_054_000, 3700, 'hours'],
])('%i ms of running time are %d %s', (milliseconds, value, unit) => {
  expect(totalOf(milliseconds)).toEqual({ value, unit });
});
