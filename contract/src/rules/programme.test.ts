import fc from 'fast-check';
import { expect, test } from 'vitest';
import { covers, coversThroughout } from './programme.ts';
import { addDays } from './zone.ts';

const HALF_HOUR_MS = 1_800_000;
const DAY_MS = 86_400_000;

const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Africa/Cairo', 'Australia/Lord_Howe');
const clock = fc
  .integer({ min: 0, max: 47 })
  .map((half) => `${String(half >> 1).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`);
const gapless = fc.tuple(clock, clock).map(([a, b]) => [
  { from: a, to: b },
  { from: b, to: a },
]);
const FIRST = '2027-02-20';
const schedule = fc.record(
  {
    from: fc.integer({ min: 0, max: 5 }).map((days) => addDays(FIRST, days)),
    to: fc.integer({ min: 20, max: 60 }).map((days) => addDays(FIRST, days)),
    weekdays: fc.oneof(fc.constant<number[]>([]), fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 5 })),
    hours: fc.oneof(gapless, fc.array(fc.record({ from: clock, to: clock }), { maxLength: 2 })),
  },
  { requiredKeys: [] },
);

test('a schedule covers a time throughout if it covers each half hour of it, over weeks and changes of the clock', () => {
  fc.assert(
    fc.property(
      schedule,
      zone,
      fc.integer({ min: 0, max: 20 * 48 }),
      fc.integer({ min: 0, max: 40 * 48 }),
      (given, timeZone, first, length) => {
        const from = Date.parse(FIRST) + first * HALF_HOUR_MS;
        const to = from + length * HALF_HOUR_MS;
        let isCovered = true;
        for (let at = from; at <= to && isCovered; at += HALF_HOUR_MS) isCovered = covers(given, at, timeZone);
        expect(coversThroughout(given, from, to, timeZone)).toBe(isCovered);
      },
    ),
    { numRuns: 2000 },
  );
});

// A walk from day to day runs into the limit.
test(
  'a schedule that a device follows for thousands of years is judged without a long search',
  { timeout: 20_000 },
  () => {
    const from = Date.parse('2026-11-27T12:00:00Z');
    expect(coversThroughout({ from: '2026-01-01' }, from, from + 2_800_000 * DAY_MS, 'Europe/Berlin')).toBe(true);
    expect(coversThroughout({ weekdays: [1, 2, 3] }, from, from + 2_800_000 * DAY_MS, 'Europe/Berlin')).toBe(false);
  },
);
