import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIRST_QUANTUM_MS, judge, LONGEST_MS, type Measured, SHORT_MS, STALLED_MS } from './pace.ts';

const measured = fc.record({
  elapsedMs: fc.integer({ min: 0, max: 2 * LONGEST_MS }),
  stalledMs: fc.integer({ min: 0, max: 2 * STALLED_MS }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});
const LONG = { lane: 'long', quantumMs: FIRST_QUANTUM_MS } as const;
const SHORT = { lane: 'short' } as const;
const at = (elapsedMs: number, share: number): Measured => ({ elapsedMs, stalledMs: 0, share });

test('a short conversion never exceeds its share of time', () => {
  fc.assert(
    fc.property(measured, fc.boolean(), (now, wait) => {
      if (judge(now, SHORT, wait) === 'goOn') expect(now.elapsedMs).toBeLessThanOrEqual(SHORT_MS);
    }),
  );
});

test('a long conversion continues unless another owner waits', () => {
  expect(judge(at(FIRST_QUANTUM_MS + 1, 0.5), LONG, false)).toBe('goOn');
  expect(judge(at(FIRST_QUANTUM_MS + 1, 0.5), LONG, true)).toBe('makeRoom');
  expect(judge(at(FIRST_QUANTUM_MS - 1, 0.5), LONG, true)).toBe('goOn');
});

test('conversions with enough progress are never too slow, others always are', () => {
  fc.assert(
    fc.property(measured, fc.constantFrom(SHORT, LONG), fc.boolean(), (now, bounds, wait) => {
      const isStuck = now.stalledMs > STALLED_MS || now.elapsedMs > LONGEST_MS;
      const willBeLate = now.share > 0 && now.elapsedMs / now.share > LONGEST_MS;
      const verdict = judge(now, bounds, wait);
      if (isStuck) expect(verdict).toBe('tooSlow');
      else if (!willBeLate) expect(verdict).not.toBe('tooSlow');
    }),
  );
});

test('a film that would take too long at its measured pace ends after a minute', () => {
  expect(judge(at(61_000, 61_000 / LONGEST_MS / 2), LONG, false)).toBe('tooSlow');
  expect(judge(at(59_000, 0.0001), LONG, false)).toBe('goOn');
});
