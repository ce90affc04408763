import { expect, test } from 'vitest';
import { noneMatchNames, rangeApplies } from './entity-tags.ts';

test('entity tags are compared weakly by If-None-Match and strongly by If-Range', () => {
  expect(noneMatchNames(undefined, '"a"')).toBe(false);
  expect(noneMatchNames('"b", W/"a"', '"a"')).toBe(true);
  expect(noneMatchNames('*', '"a"')).toBe(true);
  expect(rangeApplies(undefined, '"a"')).toBe(true);
  expect(rangeApplies('"a"', '"a"')).toBe(true);
  expect(rangeApplies('W/"a"', '"a"')).toBe(false);
  expect(rangeApplies('Sat, 21 Nov 2026 10:00:00 GMT', '"a"')).toBe(false);
});
