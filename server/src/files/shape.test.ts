import { expect, test } from 'vitest';
import { fitsItsPlace } from './shape.ts';

test.each([
  ['an upright picture on an upright screen', 1, 1, 1080, 1920, true],
  ['a slightly wider one', 1, 1, 1200, 1800, true],
  ['a wide picture on an upright screen', 1, 1, 1920, 1080, false],
  ['a full-screen video', 1, 2, 1080, 1920, true],
  ['a video for the middle of three', 1, 2, 1080, 960, true],
  ['a very wide video', 1, 2, 2560, 1080, false],
  ['the top of three', 1, 3, 1080, 480, true],
  ['the bottom of two', 1, 5, 1080, 640, true],
  ['a wide picture on a wide screen', 2, 1, 1920, 1080, true],
  ['the left of three', 2, 3, 480, 1080, true],
  ['a square on the right of three', 2, 4, 1000, 1000, false],
] as const)('%s', (_, screen, type, width, height, fits) => {
  expect(fitsItsPlace(screen, type, width, height)).toBe(fits);
});

test('an unknown size is no reason to warn', () => expect(fitsItsPlace(1, 1, null, null)).toBe(true));
