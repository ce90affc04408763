import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextPace, secondsLeft, startPace } from './pace.ts';

test('a steady upload shows its speed, however often it is measured', () => {
  const steps = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 10_000 }), (pauses, bytesPerMs) => {
      let at = 0;
      let pace = startPace(0, 0);
      for (const pause of pauses) {
        at += pause;
        pace = nextPace(pace, at, at * bytesPerMs);
      }
      if (pace.bytesPerSecond !== undefined) expect(pace.bytesPerSecond).toBeCloseTo(bytesPerMs * 1000, 3);
    }),
  );
});

test('going back to what the server has begins a new measurement', () => {
  const pace = nextPace({ at: 0, sent: 5000, bytesPerSecond: 900 }, 2000, 3000);
  expect(pace).toEqual({ at: 2000, sent: 3000, bytesPerSecond: undefined });
});

test('the time left is unknown until a speed is', () => {
  expect(secondsLeft(startPace(0, 0), 1000)).toBeUndefined();
  expect(secondsLeft({ at: 0, sent: 0, bytesPerSecond: 0 }, 1000)).toBeUndefined();
  expect(secondsLeft({ at: 0, sent: 0, bytesPerSecond: 300 }, 1000)).toBe(4);
});
