import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBuckets } from './token-bucket.ts';

const RATE = { burst: 10, perSecond: 2 };
const pauses = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 200 });

test('over any stretch of time no more get through than the burst and the rate allow', () => {
  fc.assert(
    fc.property(pauses, (list) => {
      let now = 0;
      const buckets = new TokenBuckets(RATE, () => now);
      const taken = list.flatMap((pause) => {
        now += pause;
        return buckets.take('a') === 0 ? [now] : [];
      });
      for (const [first, start] of taken.entries()) {
        for (const [last, end] of taken.entries()) {
          if (last < first) continue;
          expect(last - first + 1).toBeLessThanOrEqual(RATE.burst + ((end - start) / 1000) * RATE.perSecond + 1e-6);
        }
      }
    }),
  );
});

test('a device that waits for the given time succeeds, and devices do not affect each other', () => {
  let now = 0;
  const buckets = new TokenBuckets(RATE, () => now);
  while (buckets.take('greedy') === 0);
  expect(buckets.take('modest')).toBe(0);
  const wait = buckets.take('greedy');
  expect(wait).toBeGreaterThan(0);
  now += wait;
  expect(buckets.take('greedy')).toBe(0);
});
