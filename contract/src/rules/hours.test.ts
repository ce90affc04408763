import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWithinHours, msWithinHours, nextHoursChange, type WeeklyHours } from './hours.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const at = (text: string) => Date.parse(text);
const office: WeeklyHours = {
  weekly: {
    1: [
      { from: '08:00', to: '12:00' },
      { from: '13:00', to: '18:00' },
    ],
    5: [{ from: '20:00', to: '02:00' }],
  },
  exceptions: [
    { date: '2028-02-29', hours: [{ from: '10:00', to: '11:00' }] },
    { date: '2026-11-30', hours: [] },
  ],
};

test('without hours a device always works', () => {
  expect(isWithinHours(null, at('2026-11-22T03:00:00Z'), 'UTC')).toBe(true);
  expect(nextHoursChange(null, at('2026-11-22T03:00:00Z'), 'UTC')).toBeNull();
});

test('hours are half-open and follow the clock of the device', () => {
  const monday = (clock: string) => isWithinHours(office, at(`2026-11-23T${clock}:00Z`), 'UTC');
  expect(['07:59', '08:00', '11:59', '12:00', '13:00', '18:00'].map(monday)).toEqual([
    false,
    true,
    true,
    false,
    true,
    false,
  ]);
  expect(isWithinHours(office, at('2026-11-23T00:30:00Z'), 'Asia/Shanghai')).toBe(true);
});

test('hours over midnight belong to the day they start on', () => {
  expect(isWithinHours(office, at('2026-11-28T01:59:00Z'), 'UTC')).toBe(true);
  expect(isWithinHours(office, at('2026-11-28T02:00:00Z'), 'UTC')).toBe(false);
  expect(nextHoursChange(office, at('2026-11-27T21:00:00Z'), 'UTC')).toBe(at('2026-11-28T02:00:00Z'));
});

test('an exception takes the place of the hours of its weekday, on 29 February too', () => {
  expect(isWithinHours(office, at('2026-11-30T09:00:00Z'), 'UTC')).toBe(false);
  expect(nextHoursChange(office, at('2026-11-30T07:00:00Z'), 'UTC')).toBe(at('2026-12-04T20:00:00Z'));
  expect(isWithinHours(office, at('2028-02-29T10:30:00Z'), 'UTC')).toBe(true);
  expect(isWithinHours(office, at('2027-03-01T10:30:00Z'), 'UTC')).toBe(true);
});

test('a device without any hours stays dark until an exception, however far away', () => {
  const closed: WeeklyHours = {
    weekly: {},
    exceptions: [{ date: '2031-05-01', hours: [{ from: '09:00', to: '10:00' }] }],
  };
  expect(nextHoursChange(closed, at('2026-11-22T00:00:00Z'), 'UTC')).toBe(at('2031-05-01T09:00:00Z'));
  expect(nextHoursChange({ weekly: {}, exceptions: [] }, at('2026-11-22T00:00:00Z'), 'UTC')).toBeNull();
});

test('a day with hours of its own may be the last one that there is', () => {
  const [monday, noon] = [at('2026-11-23T07:00:00Z'), at('2026-11-23T12:00:00Z')];
  for (const date of ['9999-12-23', '9999-12-30', '9999-12-31']) {
    for (const hours of [[], [{ from: '20:00', to: '02:00' }]]) {
      const exceptions = [{ date, hours }];
      for (const timeZone of ['UTC', 'Pacific/Kiritimati', 'America/Los_Angeles']) {
        expect(nextHoursChange({ weekly: {}, exceptions: [] }, noon, timeZone)).toBeNull();
        const next = (hoursOf: WeeklyHours) => nextHoursChange(hoursOf, monday, timeZone);
        expect(next({ ...office, exceptions })).toBe(next({ ...office, exceptions: [] }));
        expect(() => next({ weekly: {}, exceptions })).not.toThrow();
      }
    }
  }
});

test('hours that begin in a skipped hour begin when the clock has gone forward', () => {
  const sundays: WeeklyHours = { weekly: { 7: [{ from: '02:30', to: '05:00' }] }, exceptions: [] };
  const begin = nextHoursChange(sundays, at('2027-03-28T00:00:00Z'), 'Europe/Berlin') ?? 0;
  expect(new Date(begin).toISOString()).toBe('2027-03-28T01:00:00.000Z');
  expect(msWithinHours(sundays, at('2027-03-28T00:00:00Z'), at('2027-03-28T12:00:00Z'), 'Europe/Berlin')).toBe(
    2 * HOUR_MS,
  );
});

test('an hour that the clock repeats counts twice', () => {
  const sundays: WeeklyHours = { weekly: { 7: [{ from: '01:00', to: '04:00' }] }, exceptions: [] };
  expect(msWithinHours(sundays, at('2027-10-30T12:00:00Z'), at('2027-10-31T12:00:00Z'), 'Europe/Berlin')).toBe(
    4 * HOUR_MS,
  );
});

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const spans = fc.array(fc.record({ from: clock, to: fc.oneof(clock, fc.constant('24:00')) }), { maxLength: 3 });
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Pacific/Kiritimati', 'Australia/Lord_Howe');
/** Days around the changes of daylight saving time in those zones, and 29 February. */
const days = [
  '2028-02-28',
  '2028-02-29',
  '2028-03-12',
  '2028-03-26',
  '2028-04-02',
  '2028-10-01',
  '2028-10-29',
  '2028-11-05',
];
const weekly = fc.record({
  weekly: fc.record({ 1: spans, 2: spans, 3: spans, 6: spans, 7: spans }),
  exceptions: fc.uniqueArray(fc.record({ date: fc.constantFrom(...days), hours: spans }), {
    selector: ({ date }) => date,
    maxLength: 3,
  }),
});

test('the next change is the first minute at which the state differs', () => {
  fc.assert(
    fc.property(
      weekly,
      zone,
      fc.constantFrom(...days),
      fc.integer({ min: -720, max: 720 }),
      (hours, name, day, offset) => {
        const now = at(`${day}T12:00:00Z`) + offset * MINUTE_MS;
        const state = isWithinHours(hours, now, name);
        const next = nextHoursChange(hours, now, name);
        const limit = Math.min(next ?? Number.POSITIVE_INFINITY, now + 36 * HOUR_MS);
        for (let minute = now; minute < limit; minute += MINUTE_MS) {
          if (isWithinHours(hours, minute, name) !== state) throw new Error(new Date(minute).toISOString());
        }
        if (next !== null) expect(isWithinHours(hours, next, name)).toBe(!state);
      },
    ),
    { numRuns: 60 },
  );
});
