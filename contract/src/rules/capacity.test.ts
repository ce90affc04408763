import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FlightGrid, flightMinutes, freeByHour, type Load, occupancyOf } from './capacity.ts';
import { spanMinutes } from './clock.ts';
import { isExpired } from './expiry.ts';
import { type Flight, flightLeft } from './flight.ts';
import { type WeeklyHours, spansOf } from './hours.ts';
import { covers } from './programme.ts';
import { addDays, isoWeekday } from './zone.ts';

const MINUTE_MS = 60_000;
const FIRST_DAY = '2028-02-20';

const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 30, 45))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const flight = fc
  .record({
    first: fc.integer({ min: 0, max: 20 }),
    days: fc.integer({ min: 0, max: 16 }),
    weekdays: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { maxLength: 4 }), { nil: null }),
    hours: fc.option(fc.array(fc.record({ from: clock, to: clock }), { maxLength: 2 }), { nil: null }),
  })
  .map(({ first, days, weekdays, hours }): Flight => {
    const from = addDays(FIRST_DAY, first);
    return { from, to: addDays(from, days), weekdays, hours };
  });
const loads = fc.array(fc.record({ flight, share: fc.constantFrom(0.1, 0.2, 0.25, 0.3) }), { maxLength: 5 });

/** Every quarter of an hour of a flight: the loads that the player's own rule lets run then. */
function* quarters(own: Flight, all: readonly Load[]) {
  const end = Date.parse(`${addDays(own.to, 2)}T00:00:00Z`);
  for (let at = Date.parse(`${own.from}T00:00:00Z`); at < end; at += 15 * MINUTE_MS) {
    if (!covers(own, at, 'UTC')) continue;
    yield { at, sum: all.reduce((sum, load) => (covers(load.flight, at, 'UTC') ? sum + load.share : sum), 0) };
  }
}

test('the peak is that of every quarter of an hour, one by one', () => {
  fc.assert(
    fc.property(flight, loads, (own, all) => {
      const peak = Math.max(0, ...Array.from(quarters(own, all), ({ sum }) => sum));
      expect(occupancyOf(own, all).peak).toBeCloseTo(peak, 9);
    }),
    { numRuns: 60 },
  );
});

test('each hour of the week has what is free at its fullest moment', () => {
  fc.assert(
    fc.property(flight, loads, (own, all) => {
      const expected: (number | null)[][] = Array.from({ length: 7 }, () => Array<number | null>(24).fill(null));
      for (const { at, sum } of quarters(own, all)) {
        const day = expected[isoWeekday(new Date(at).toISOString().slice(0, 10)) - 1] ?? [];
        const hour = new Date(at).getUTCHours();
        day[hour] = Math.min(day[hour] ?? 0.8, Math.max(0.8 - sum, 0));
      }
      const occupancy = occupancyOf(own, all);
      const free = freeByHour([{ occupancy, sellable: 0.8 }]);
      for (const [day, hours] of expected.entries()) {
        for (const [hour, share] of hours.entries()) {
          expect(free[day]?.[hour]).toBeCloseTo(share ?? 0, 9);
          expect((occupancy.week[day * 24 + hour] ?? 0) < 0).toBe(share === null);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('the length of a flight counts overlapping hours once', () => {
  fc.assert(
    fc.property(flight, (own) => {
      expect(flightMinutes(own)).toBe(Array.from(quarters(own, [])).length * 15);
    }),
    { numRuns: 60 },
  );
});

test('the rest of a flight is what has not begun by the clock of the device, to the minute', () => {
  const anyQuarter = fc.integer({ min: -2 * 96, max: 20 * 96 });
  fc.assert(
    fc.property(flight, loads, anyQuarter, (own, all, count) => {
      const now = Date.parse(`${own.from}T00:00:00Z`) + count * 15 * MINUTE_MS;
      const ahead = Array.from(quarters(own, all)).filter(({ at }) => at >= now);
      for (const moment of [now - MINUTE_MS + 1, now]) {
        const { flight: rest, passed } = flightLeft(own, moment, 'UTC');
        const grid = new FlightGrid(
          rest,
          all.map((load) => load.flight),
          [null],
          passed,
        );
        const { openMinutes, peak } = grid.measure(null, all);
        expect(openMinutes).toBe(ahead.length * 15);
        expect(peak).toBeCloseTo(Math.max(0, ...ahead.map(({ sum }) => sum)), 9);
      }
    }),
    { numRuns: 60 },
  );
});

test('closed hours of a screen count neither as open time nor as a conflict', () => {
  const office = { weekly: { 1: [{ from: '22:00', to: '02:00' }] }, exceptions: [{ date: '2028-02-28', hours: [] }] };
  const own: Flight = { from: '2028-02-21', to: '2028-03-05' };
  const night: Load = { flight: { ...own, weekdays: [2], hours: [{ from: '00:00', to: '24:00' }] }, share: 0.5 };
  // Monday the 21st from 22:00 and the two hours after midnight; the 28th is an exception.
  const { openMinutes, peak, peakAt, week } = occupancyOf(own, [night], office);
  expect(openMinutes).toBe(4 * 60);
  expect({ peak, peakAt }).toEqual({ peak: 0.5, peakAt: { weekday: 2, hour: 0 } });
  expect(week[22]).toBe(0);
  expect(week[21]).toBeLessThan(0);
  expect(week[24 + 1]).toBe(0.5);
  expect(occupancyOf(own, [{ flight: { ...own, weekdays: [3] }, share: 0.7 }], office).peak).toBe(0);
});

test('after its last day a screen is closed, or has no room for what is the same in every hour', () => {
  const lastDays = fc.integer({ min: -3, max: 20 });
  fc.assert(
    fc.property(flight, loads, lastDays, (own, all, days) => {
      const on = addDays(own.from, days);
      const open = Array.from(quarters(own, all)).filter(({ at }) => !isExpired(on, 'UTC', at));
      const late = Array.from(quarters(own, all)).find(({ at }) => isExpired(on, 'UTC', at));
      const peak = Math.max(0, ...open.map(({ sum }) => sum));
      const closed = occupancyOf(own, all, null, { on, after: 'closed' });
      expect(closed.peak).toBeCloseTo(peak, 9);
      expect(closed.openMinutes).toBe(open.length * 15);
      expect(closed.bookedMinutes).toBeCloseTo(
        open.reduce((sum, quarter) => sum + quarter.sum * 15, 0),
        6,
      );
      const full = occupancyOf(own, all, null, { on, after: 'full' });
      expect(full.openMinutes).toBe(closed.openMinutes);
      expect(full.peak).toBe(late ? Infinity : closed.peak);
      if (!late) return;
      const [weekday, hour] = [
        isoWeekday(new Date(late.at).toISOString().slice(0, 10)),
        new Date(late.at).getUTCHours(),
      ];
      expect(full.peakAt).toEqual({ weekday, hour });
      expect(freeByHour([{ occupancy: full, sellable: 0.8 }])[weekday - 1]?.[hour]).toBe(0);
    }),
    { numRuns: 60 },
  );
});

const DAY_MINUTES = 24 * 60;
/** Flights begin on the first 21 days, take up to 17, and may run over midnight. */
const ALL_DAYS = 21 + 17 + 1;

/** Of each minute from the first day on, whether (1) spans cover it that begin on some days. */
function minutesOf(spansOn: (date: string) => readonly { from: string; to: string }[]): Uint8Array {
  const covered = new Uint8Array((ALL_DAYS + 1) * DAY_MINUTES);
  // Spans of the day before may run over midnight.
  for (let day = -1; day < ALL_DAYS; day += 1) {
    for (const span of spansOn(addDays(FIRST_DAY, day))) {
      const { from, to } = spanMinutes(span);
      covered.fill(1, Math.max(day * DAY_MINUTES + from, 0), Math.max(day * DAY_MINUTES + to, 0));
    }
  }
  return covered;
}

const ALL_DAY = [{ from: '00:00', to: '24:00' }];

const flightMinutesOf = ({ from, to, weekdays, hours }: Flight): Uint8Array =>
  minutesOf((date) => {
    const isDay = !weekdays || weekdays.length === 0 || weekdays.includes(isoWeekday(date));
    if (date < from || date > to || !isDay) return [];
    return hours && hours.length > 0 ? hours : ALL_DAY;
  });

const anyClock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':'));
const spans = fc.array(fc.record({ from: anyClock, to: anyClock }), { maxLength: 2 });
const anyFlight = fc.tuple(flight, fc.option(spans, { nil: null })).map(([own, hours]): Flight => ({ ...own, hours }));
const workingHours = fc.option(
  fc.record({
    weekly: fc.record({ 1: spans, 3: spans, 6: spans, 7: spans }, { requiredKeys: [] }),
    exceptions: fc.uniqueArray(
      fc.record({ date: fc.integer({ min: 0, max: 37 }).map((day) => addDays(FIRST_DAY, day)), hours: spans }),
      { maxLength: 3, selector: ({ date }) => date },
    ),
  }),
  { nil: null },
);
/** Any share that two whole numbers of milliseconds make: hardly one of them is a sum of powers of two. */
const anyShare = fc
  .tuple(fc.integer({ min: 1, max: 60_000 }), fc.integer({ min: 60_000, max: 400_000 }))
  .map(([spotMs, everyMs]) => spotMs / everyMs);
const screen = fc.record({
  hours: workingHours,
  loads: fc.array(fc.record({ campaign: fc.integer({ min: 0, max: 4 }), share: anyShare }), { maxLength: 8 }),
});

/** What a screen shows, added up minute by minute. */
function everyMinute(own: Uint8Array, hours: WeeklyHours | null, all: readonly { on: Uint8Array; share: number }[]) {
  const open = minutesOf((date) => (hours ? spansOf(hours, date) : ALL_DAY));
  const sums: { minute: number; sum: number }[] = [];
  for (const [minute, isOwn] of own.entries()) {
    if (isOwn === 0 || open[minute] === 0) continue;
    sums.push({ minute, sum: all.reduce((sum, { on, share }) => (on[minute] === 1 ? sum + share : sum), 0) });
  }
  return sums;
}

test('screens measured one after the other on one grid show what adds up minute by minute', () => {
  fc.assert(
    fc.property(
      anyFlight,
      fc.array(anyFlight, { minLength: 5, maxLength: 5 }),
      fc.array(screen, { maxLength: 4 }),
      (own, campaigns, screens) => {
        const grid = new FlightGrid(
          own,
          campaigns,
          screens.map(({ hours }) => hours),
        );
        const ownMinutes = flightMinutesOf(own);
        const minutes = campaigns.map(flightMinutesOf);
        const firstWeekday = isoWeekday(FIRST_DAY) - 1;
        for (const { hours, loads: shares } of screens) {
          const measured = grid.measure(
            hours,
            shares.flatMap(({ campaign, share }) =>
              campaigns.slice(campaign, campaign + 1).map((each) => ({ flight: each, share })),
            ),
          );
          const sums = everyMinute(
            ownMinutes,
            hours,
            shares.flatMap(({ campaign, share }) => minutes.slice(campaign, campaign + 1).map((on) => ({ on, share }))),
          );
          const week = new Float64Array(7 * 24).fill(-1);
          for (const { minute, sum } of sums) {
            const cell = (firstWeekday * 24 + Math.floor(minute / 60)) % week.length;
            week[cell] = Math.max(week[cell] ?? -1, sum);
          }
          expect(measured.openMinutes).toBe(sums.length);
          expect(measured.bookedMinutes).toBeCloseTo(
            sums.reduce((total, { sum }) => total + sum, 0),
            6,
          );
          expect(measured.peak).toBeCloseTo(Math.max(0, ...week), 12);
          for (const [cell, sum] of week.entries()) {
            const found = measured.week[cell] ?? NaN;
            // Nothing is left of what ended, however small.
            if (sum <= 0) expect(found).toBe(sum);
            else expect(found).toBeCloseTo(sum, 12);
          }
        }
      },
    ),
    { numRuns: 40 },
  );
});
