import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeThrottle } from './throttle.ts';

/** A line whose time passes only by waiting. */
function line() {
  let time = 0;
  const sleep = (ms: number) => {
    time += ms;
    return Promise.resolve();
  };
  return { throttle: makeThrottle({ sleep }, () => time), time: () => time, pass: (ms: number) => (time += ms) };
}

const { signal } = new AbortController();

test('the download speed never exceeds the limit, and unused bandwidth is not saved up', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(100_000)), fc.integer({ min: 1000, max: 10 ** 6 }), async (chunks, limit) => {
      const { throttle, time, pass } = line();
      pass(3_600_000);
      const begin = time();
      for (const bytes of chunks) await throttle.pass(bytes, limit, signal);
      const expected = (chunks.reduce((a, b) => a + b, 0) / limit) * 1000;
      expect(time() - begin).toBeCloseTo(expected, 0);
    }),
  );
});

test('without a limit nothing waits', async () => {
  const { throttle, time } = line();
  await throttle.pass(10 ** 9, null, signal);
  expect(time()).toBe(0);
});
