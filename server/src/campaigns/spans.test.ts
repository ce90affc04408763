import fc from 'fast-check';
import { expect, test } from 'vitest';
import { intersect, lengthOf, merge, subtract } from './spans.ts';

const spans = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 1, max: 10 })), { maxLength: 8 })
  .map((all) => merge(all.toSorted(([a], [b]) => a - b).map(([from, length]) => ({ from, to: from + length }))));

const has = (all: ReturnType<typeof merge>, at: number): boolean => all.some(({ from, to }) => at >= from && at < to);

test('an instant is in the intersection, the difference or the union of spans as in theirs', () => {
  fc.assert(
    fc.property(spans, spans, fc.integer({ min: 0, max: 60 }), (a, b, at) => {
      expect(has(intersect(a, b), at)).toBe(has(a, at) && has(b, at));
      expect(has(subtract(a, b), at)).toBe(has(a, at) && !has(b, at));
      expect(lengthOf(intersect(a, b)) + lengthOf(subtract(a, b))).toBe(lengthOf(a));
    }),
  );
});
