import fc from 'fast-check';
import { expect, test } from 'vitest';
import { occupancyOf } from './capacity.ts';
import { type Flight, flightLeft } from './flight.ts';
import type { WeeklyHours } from './hours.ts';
import { openSpans } from './open-time.ts';
import { addDays } from './zone.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Days on which clocks change, by zone: an hour is skipped, one is repeated. */
const CHANGES = [
  ['Europe/Berlin', '2027-03-28', '2027-10-31'],
  ['America/New_York', '2027-03-14', '2027-11-07'],
  ['America/St_Johns', '2027-03-14', '2027-11-07'],
  ['America/Havana', '2027-03-14', '2027-11-07'],
  ['Australia/Lord_Howe', '2027-10-03', '2027-04-04'],
  ['Africa/Casablanca', '2027-03-14', '2027-02-07'],
  ['Africa/Cairo', '2027-04-30', '2027-10-28'],
  ['America/Santiago', '2027-09-05', '2027-04-03'],
  ['Pacific/Apia', '2027-03-28', '2027-10-31'],
] as const;

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 45))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const spans = fc.array(fc.record({ from: clock, to: clock }), { minLength: 1, maxLength: 2 });
const days = fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 4 });
const working = fc.option(
  fc.record({ weekly: fc.record({ '1': spans, '5': spans, '6': spans, '7': spans }), exceptions: fc.constant([]) }),
);
const changing = fc
  .record({
    change: fc.constantFrom(...CHANGES.flatMap(([zone, ...dates]) => dates.map((date) => ({ zone, date })))),
    before: fc.integer({ min: 0, max: 9 }),
    length: fc.integer({ min: 0, max: 20 }),
    weekdays: fc.option(days),
    hours: fc.option(spans),
    ahead: fc.integer({ min: 24, max: 400 }),
  })
  .map(({ change, before, length, weekdays, hours, ahead }) => {
    const from = addDays(change.date, -before);
    const flight: Flight = { from, to: addDays(from, length), weekdays, hours };
    return { timeZone: change.zone, flight, now: Date.parse(from) - ahead * HOUR_MS };
  });

/** The minutes of the rest of a flight by the calendar that devices play by. */
function playedMinutes(flight: Flight, workingHours: WeeklyHours | null, now: number, timeZone: string): number {
  const rules = { timeZone, expiresOn: null, workingHours };
  const end = Date.parse(addDays(flight.to, 3));
  return openSpans(flight, rules, now, end).reduce((sum, { from, to }) => sum + to - from, 0) / MINUTE_MS;
}

const orderedMinutes = (flight: Flight, workingHours: WeeklyHours | null, now: number, timeZone: string): number => {
  const { flight: rest, passed, jumps } = flightLeft(flight, now, timeZone);
  return occupancyOf(rest, [], workingHours, null, passed, jumps).openMinutes;
};

test('an order counts the minutes that a device plays, on days when the clocks change too', () => {
  fc.assert(
    fc.property(changing, working, ({ timeZone, flight, now }, hours) => {
      expect(orderedMinutes(flight, hours, now, timeZone)).toBe(playedMinutes(flight, hours, now, timeZone));
    }),
    { numRuns: 1000 },
  );
});

test('in the hour that a clock repeats, what is left is never more than the device plays', () => {
  const night: Flight = { from: '2027-10-31', to: '2027-10-31', hours: [{ from: '01:00', to: '05:00' }] };
  const begin = Date.parse('2027-10-30T23:00Z');
  const left = Array.from({ length: 24 }, (_, quarter) => begin + quarter * 15 * MINUTE_MS).map((now) => ({
    ordered: orderedMinutes(night, null, now, 'Europe/Berlin'),
    played: playedMinutes(night, null, now, 'Europe/Berlin'),
  }));
  expect(left[0]).toEqual({ ordered: 300, played: 300 });
  expect(left.filter(({ ordered, played }) => ordered > played)).toEqual([]);
  expect(left.filter(({ ordered, played }) => played - ordered >= 60)).toEqual([]);
});

test('a flight within the hour that the clock skips is never open', () => {
  const skipped: Flight = { from: '2027-03-28', to: '2027-03-28', hours: [{ from: '02:00', to: '03:00' }] };
  const { flight, passed, jumps } = flightLeft(skipped, Date.parse('2027-03-01'), 'Europe/Berlin');
  expect(jumps).toEqual([{ date: '2027-03-28', from: 120, to: 180 }]);
  expect(occupancyOf(flight, [], null, null, passed, jumps)).toMatchObject({ openMinutes: 0, peakAt: null });
});
