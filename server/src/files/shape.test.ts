import { expect, test } from 'vitest';
import { fitsItsPlace } from './shape.ts';

test.each([
  ['an upright picture on an upright screen', 'vertical', 1, 1080, 1920, true],
  ['a slightly wider one', 'vertical', 1, 1200, 1800, true],
  ['a wide picture on an upright screen', 'vertical', 1, 1920, 1080, false],
  ['a full-screen video', 'vertical', 2, 1080, 1920, true],
  ['a video for the middle of three', 'vertical', 2, 1080, 960, true],
  ['a very wide video', 'vertical', 2, 2560, 1080, false],
  ['the top of three', 'vertical', 3, 1080, 480, true],
  ['the bottom of two', 'vertical', 5, 1080, 640, true],
  ['a wide picture on a wide screen', 'horizontal', 1, 1920, 1080, true],
  ['the left of three', 'horizontal', 3, 480, 1080, true],
  ['a square on the right of three', 'horizontal', 4, 1000, 1000, false],
] as const)('%s', (_, orientation, kind, width, height, fits) => {
  expect(fitsItsPlace(orientation, kind, width, height)).toBe(fits);
});

test('an unknown size is no reason to warn', () => expect(fitsItsPlace('vertical', 1, null, null)).toBe(true));
