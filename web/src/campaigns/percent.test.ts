import { expect, test } from 'vitest';
import { freePercent, neededPercent } from './percent.ts';

test('what is free is rounded down, what is needed up, and whole percents stay', () => {
  expect([0.7777, 0.046, 0.57, 0.8 - 0.51, 0].map(freePercent)).toEqual([77, 4, 57, 29, 0]);
  expect([0.7777, 0.049, 0.57, 0.07].map(neededPercent)).toEqual([78, 5, 57, 7]);
});
