import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Gaps } from './statement.gaps.ts';
import type { CarriedBy } from './statement.queries.ts';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-11-21T12:00:00Z');
const RULES = { timeZone: 'UTC', expiresOn: null, hours: null };
const PERIOD = { from: '2026-11-21', to: '2026-11-30' };

/** `isMoved`: re-planning has taken all of its plays away. */
const carrier = (everyMs: number, isMoved: boolean): CarriedBy => ({
  deviceId: 'screen',
  name: 'Screen',
  area: null,
  isSeen: true,
  mac: null,
  timeZone: 'UTC',
  isOrdered: true,
  joins: [],
  everyMs,
  joinedAt: NOON,
  leftAt: null,
  away: [],
  agreed: RULES,
  now: RULES,
  pace: isMoved ? { everyMs, dueBefore: 0, from: Date.parse('2026-12-01') } : null,
});

/** The gaps of a screen that failed from noon for so long, of which plays were due for `dueMs`. */
function gapsOf(everyMs: number, dueMs: number, failedMs: number, missed: number, isMoved = false) {
  const schedule = { from: '2026-11-21', to: '2026-11-30', weekdays: [], intervals: [], priority: 'normal' as const };
  const order = { plays: 10_000, schedule, bookedAt: NOON, dueUntil: NOON + dueMs };
  const failed = { deviceId: 'screen', kind: 'failed' as const, from: NOON, to: NOON + failedMs };
  return new Gaps(order, PERIOD, 1, [failed], new Map()).of(carrier(everyMs, isMoved), missed);
}

test('a play that only rounding leaves belongs to the recorded reason', () => {
  const span = fc.integer({ min: HOUR_MS, max: 48 * HOUR_MS });
  fc.assert(
    fc.property(
      span,
      fc.integer({ min: 30_000, max: HOUR_MS }),
      fc.boolean(),
      fc.boolean(),
      (dueMs, everyMs, up, isMoved) => {
        // Shares of whole plays go to one screen or another.
        const exact = dueMs / everyMs;
        const missed = Math.max(1, up ? Math.ceil(exact) : Math.floor(exact));
        expect(gapsOf(everyMs, dueMs, dueMs, missed, isMoved).map(({ reason, plays }) => [reason, plays])).toEqual([
          ['failed', missed],
        ]);
      },
    ),
  );
});

test('plays of a time without a recorded reason stay unknown', () => {
  expect(gapsOf(600_000, 4 * HOUR_MS, HOUR_MS, 24).map(({ reason, plays }) => [reason, plays])).toEqual([
    ['failed', 6],
    ['unknown', 18],
  ]);
});
