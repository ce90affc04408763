import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plannedSlots } from './calendar.ts';
import { isExpired } from './expiry.ts';
import { isWithinHours } from './hours.ts';
import { playingNow } from './programme.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const zone = fc.constantFrom(
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Africa/Cairo',
  'America/Havana',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
);
/** Half of them near a change of clocks. */
const start = fc.oneof(
  fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2030-01-01') }),
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-29T01:00Z',
        '2026-10-25T01:00Z',
        '2026-04-23T22:00Z',
        '2026-11-01T06:00Z',
        '2026-04-04T15:00Z',
      ),
      fc.integer({ min: -30 * HOUR, max: 4 * HOUR }),
    )
    .map(([change, offset]) => Date.parse(change) + offset),
);
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
  .map(([h, m]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`);
const schedule = fc.option(
  fc.record(
    {
      from: fc.constantFrom('2026-03-28', '2026-10-25'),
      to: fc.constantFrom('2026-10-26', '2026-11-02'),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 })),
      hours: fc.array(fc.record({ from: clock, to: fc.oneof(clock, fc.constant('24:00')) }), { maxLength: 3 }),
    },
    { requiredKeys: [] },
  ),
);
const programmes = fc.array(
  fc.record({
    schedule,
    priority: fc.constantFrom('normal' as const, 'urgent' as const, 'takeover' as const),
    endsAt: fc.option(
      fc.constantFrom(
        '2026-03-29T00:30:10.000Z',
        '2026-03-29T11:00:00.000Z',
        '2026-10-25T01:00:00.000Z',
        '2027-01-01T00:00:00.000Z',
      ),
    ),
    replace: fc.boolean(),
    playMode: fc.constantFrom('sequence' as const, 'once' as const),
  }),
  { maxLength: 6 },
);
const spans = fc.array(fc.record({ from: clock, to: clock }), { maxLength: 2 });
const workingHours = fc.option(
  fc.record({
    weekly: fc.record({ '1': spans, '3': spans, '6': spans, '7': spans }, { requiredKeys: [] }),
    exceptions: fc.uniqueArray(
      fc.record({ date: fc.constantFrom('2026-03-29', '2026-10-25', '2026-11-01'), hours: spans }),
      { selector: ({ date }) => date },
    ),
  }),
);
const expiresOn = fc.option(fc.constantFrom('2026-03-28', '2026-03-29', '2026-10-25', '2030-01-01'));

test('at every instant the calendar shows what the device plays, on days when the clocks change too', () => {
  const cases = fc.tuple(
    programmes,
    zone,
    expiresOn,
    workingHours,
    start,
    fc.integer({ min: 1, max: 3 * DAY }),
    fc.array(fc.nat(999)),
  );
  fc.assert(
    fc.property(cases, ([list, timeZone, lastDay, hours, from, length, samples]) => {
      const slots = plannedSlots(list, { timeZone, expiresOn: lastDay, workingHours: hours }, from, from + length);
      const everyHour = Array.from({ length: Math.ceil(length / HOUR) }, (_, nth) => from + nth * HOUR);
      const atEdges = slots.flatMap((slot) => [slot.from, slot.to - 1]);
      for (const at of [
        ...everyHour,
        ...atEdges,
        ...samples.map((part) => from + Math.floor((part / 1000) * length)),
      ]) {
        const slot = slots.find((each) => each.from <= at && at < each.to);
        const over = isExpired(lastDay, timeZone, at);
        const dark = !isWithinHours(hours, at, timeZone);
        expect(slot?.playing).toEqual(over || dark ? [] : playingNow(list, at, timeZone));
        expect([slot?.state === 'expired', slot?.state === 'dark']).toEqual([over, dark && !over]);
      }
    }),
    { numRuns: 300 },
  );
});

test('slots cover the interval without a gap, and neighbours differ', () => {
  fc.assert(
    fc.property(programmes, zone, workingHours, start, (list, timeZone, hours, from) => {
      const to = from + 2 * DAY;
      const slots = plannedSlots(list, { timeZone, expiresOn: null, workingHours: hours }, from, to);
      expect([slots[0]?.from, slots.at(-1)?.to]).toEqual([from, to]);
      for (const [index, slot] of slots.slice(1).entries()) {
        expect(slot.from).toBe(slots[index]?.to);
        expect([slot.state, slot.playing]).not.toEqual([slots[index]?.state, slots[index]?.playing]);
      }
    }),
  );
});

// A search through all of them at each minute runs into the limit.
test('a week of many releases with many hours is computed without a long search', { timeout: 20_000 }, () => {
  const two = (value: number): string => String(value).padStart(2, '0');
  const hoursOf = (minute: number) =>
    Array.from({ length: 24 }, (_, hour) => ({
      from: `${two(hour)}:${two(minute)}`,
      to: `${two(hour)}:${two(minute + 1)}`,
    }));
  const given = Array.from({ length: 100 }, (_, index) => ({
    ...{ priority: 'normal' as const, replace: false, playMode: 'sequence' as const },
    schedule: { from: '2026-01-01', hours: hoursOf((2 * index) % 60) },
  }));
  const from = Date.parse('2026-11-27T00:00:00Z');
  const rules = { timeZone: 'Europe/Berlin', expiresOn: null, workingHours: null };
  expect(plannedSlots(given, rules, from, from + 7 * DAY)).toHaveLength(7 * 24 * 60);
});

test('working hours that differ on each day are looked at on their own day only', () => {
  const two = (value: number): string => String(value).padStart(2, '0');
  const hoursOf = (day: number) =>
    Array.from({ length: 24 }, (_, hour) => ({
      from: `${two(hour)}:${two(day % 30)}`,
      to: `${two(hour)}:${two(30 + (day % 30))}`,
    }));
  const first = Date.parse('2026-11-27T00:00:00Z');
  const exceptions = Array.from({ length: 366 }, (_, day) => ({
    date: new Date(first + day * DAY).toISOString().slice(0, 10),
    hours: hoursOf(day),
  }));
  const rules = { timeZone: 'UTC', expiresOn: null, workingHours: { weekly: {}, exceptions } };
  const given = { priority: 'normal' as const, replace: false, playMode: 'sequence' as const, schedule: null };
  let asked = 0;
  const isFinished = () => {
    asked += 1;
    return false;
  };
  const slots = plannedSlots([given], rules, first, first + 35 * DAY, isFinished);
  expect(slots.filter(({ state }) => state === 'plays')).toHaveLength(35 * 24);
  expect(asked).toBeLessThan(35 * 50);
});
