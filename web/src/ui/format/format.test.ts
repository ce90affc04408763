import { expect, it } from 'vitest';
import { formatBytes, shortAge, totalOf } from './format.ts';

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

it('how long something has been so, in one short unit of at least a minute', () => {
  const ages = [0, 59_000, 60_000, 3_599_000, 3_600_000, 86_399_000, 86_400_000, 400 * 86_400_000];
  expect(ages.map((age) => shortAge('en', 0, age))).toEqual(['1m', '1m', '1m', '59m', '1h', '23h', '1d', '400d']);
  expect(shortAge('en', 5000, 0)).toBe('1m');
});
