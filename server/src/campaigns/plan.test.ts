import { addDays, zonedInstant } from '@ams/contract';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { endOf, OpenTimes, startOf } from './carriers.ts';
import type { CarrierRow } from './delivery.queries.ts';
import { planOf } from './plan.ts';

const MINUTE_MS = 60_000;
const SCHEDULE = { from: '2026-10-20', to: '2026-10-30', weekdays: null, hours: null };
const BEGIN = Date.parse('2026-10-17T00:00:00Z');
const END = Date.parse('2026-11-03T00:00:00Z');
const DAYS = Array.from({ length: 14 }, (_, index) => addDays('2026-10-18', index));
const ORDER = { ordered: 5000 };

type Ruled = Pick<CarrierRow, 'timeZone' | 'expiresOn' | 'hours' | 'bookedAt'>;

const rowOf = (ruled: Ruled, index = 0): CarrierRow => ({
  ...{ campaignId: 'campaign', deviceId: `${index}`, schedule: SCHEDULE, everyMs: 700_000, spotMs: 10_000 },
  ...{ dueBefore: 0, pacedFrom: BEGIN, silentHours: 12, online: true, lastSeenAt: null, expired: false },
  ...{ hasFailed: false, played: 0 },
  ...ruled,
});

const instant = fc.integer({ min: BEGIN, max: END });
const rows = fc
  .array(
    fc.record<Ruled>({
      timeZone: fc.constantFrom('UTC', 'Asia/Kolkata', 'Europe/Berlin', 'America/Los_Angeles'),
      expiresOn: fc.constantFrom(null, '2026-10-24'),
      hours: fc.constantFrom(null, {
        weekly: { 1: [{ from: '08:15', to: '20:00' }], 6: [{ from: '22:00', to: '02:00' }] },
        exceptions: [],
      }),
      bookedAt: fc.oneof(fc.constant(BEGIN), instant),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all) => all.map(rowOf));

/** Open time of each device by itself, from when it was booked. */
function openOf(all: readonly CarrierRow[], spanOf: (row: CarrierRow) => [from: number, to: number]): number {
  const times = new OpenTimes();
  return all.reduce((sum, row) => {
    const [from, to] = spanOf(row);
    return sum + times.between(row, Math.max(from, row.bookedAt), Math.max(to, row.bookedAt));
  }, 0);
}

test('the plan of an order is the sum of its devices, whenever each was booked', () => {
  fc.assert(
    fc.property(rows, instant, (all, at) => {
      const plan = planOf(ORDER, all, new OpenTimes());
      const whole = openOf(all, (row) => [startOf(row), endOf(row)]);
      const playsIn = (open: number) => (whole === 0 ? 0 : (ORDER.ordered * open) / whole);
      expect(plan.by(at)).toBe(playsIn(openOf(all, (row) => [startOf(row), at])));
      for (const day of DAYS) {
        const open = openOf(all, ({ timeZone }) => [
          zonedInstant(day, 0, timeZone),
          Math.min(zonedInstant(addDays(day, 1), 0, timeZone), at),
        ]);
        expect(plan.on(day, at)).toBe(playsIn(open));
      }
    }),
  );
});

test('moments at which devices were booked multiply neither the days of a plan nor its questions for open time', () => {
  const count = (moments: number): { dates: number; questions: number } => {
    let questions = 0;
    const of = OpenTimes.prototype.of;
    const counted = new Map<unknown, (at: number) => number>();
    const asked = vi.spyOn(OpenTimes.prototype, 'of').mockImplementation(function (this: OpenTimes, row) {
      const open = of.call(this, row);
      const own = counted.get(open) ?? ((at: number) => ((questions += 1), open(at)));
      counted.set(open, own);
      return own;
    });
    const rules = { timeZone: 'Europe/Berlin', expiresOn: null, hours: null };
    const joined = Array.from({ length: moments }, (_, index) =>
      rowOf({ ...rules, bookedAt: Date.parse('2026-10-22T08:00:00Z') + index * MINUTE_MS }, index),
    );
    const times = new OpenTimes();
    // The days of the flight are computed when they are first asked for.
    times.between(joined[0] ?? rowOf({ ...rules, bookedAt: BEGIN }), BEGIN, END);
    const parse = vi.spyOn(Date, 'parse');
    const plan = planOf(ORDER, joined, times);
    for (const day of DAYS) plan.on(day, END);
    const dates = parse.mock.calls.length;
    parse.mockRestore();
    asked.mockRestore();
    return { dates, questions };
  };
  const [one, many] = [count(1), count(200)];
  expect(many.dates).toBe(one.dates);
  // Each moment counts in the whole and on its day only.
  expect(many.questions - one.questions).toBeLessThan(200 * 5);
});
