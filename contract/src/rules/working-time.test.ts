import fc from 'fast-check';
import { expect, test } from 'vitest';
import { msWithinHours, type WeeklyHours } from './hours.ts';
import { darkOutside, presenceStretches, uptimeOf } from './presence.ts';
import { workedSince, workingSpans } from './working-time.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const at = (text: string) => Date.parse(text);
const day = [{ from: '08:00', to: '20:00' }];
const everyDay: WeeklyHours = {
  weekly: { 1: day, 2: day, 3: day, 4: day, 5: day, 6: day, 7: day },
  exceptions: [{ date: '2026-11-24', hours: [] }],
};

test('the working time of two days skips the night and a holiday', () => {
  const spans = workingSpans(everyDay, at('2026-11-23T06:00:00Z'), at('2026-11-25T09:00:00Z'), 'UTC');
  expect(spans).toEqual([
    { from: at('2026-11-23T08:00:00Z'), to: at('2026-11-23T20:00:00Z') },
    { from: at('2026-11-25T08:00:00Z'), to: at('2026-11-25T09:00:00Z') },
  ]);
  expect(workingSpans(null, 1, 2, 'UTC')).toEqual([{ from: 1, to: 2 }]);
});

test('a quarter of an hour of work is counted from the beginning of the hours, over nights', () => {
  const since = (now: string, minutes: number, hours: WeeklyHours | null = everyDay) => {
    const instant = workedSince(hours, minutes * MINUTE_MS, at(now), 'UTC');
    return instant && new Date(instant).toISOString();
  };
  expect(since('2026-11-23T12:00:00Z', 15)).toBe('2026-11-23T11:45:00.000Z');
  expect(since('2026-11-23T08:05:00Z', 15)).toBe('2026-11-22T19:50:00.000Z');
  expect(since('2026-11-25T08:05:00Z', 15)).toBe('2026-11-23T19:50:00.000Z');
  expect(since('2026-11-23T07:59:00Z', 15)).toBeNull();
  expect(since('2026-11-23T07:59:00Z', 15, null)).toBe('2026-11-23T07:44:00.000Z');
  expect(
    since('2026-11-23T08:30:00Z', 60, { weekly: { 1: [{ from: '08:00', to: '08:20' }] }, exceptions: [] }),
  ).toBeNull();
});

test('a wait that is longer than the hours of two weeks is counted over as many as it takes, a year at most', () => {
  const short: WeeklyHours = { weekly: { 1: [{ from: '08:00', to: '09:00' }] }, exceptions: [] };
  const since = (hours: number) => workedSince(short, hours * HOUR_MS, at('2026-11-23T08:30:00Z'), 'UTC');
  expect(since(1)).toBe(at('2026-11-16T08:30:00Z'));
  expect(since(5)).toBe(at('2026-10-19T08:30:00Z'));
  expect(since(168)).toBe(at('2025-11-24T08:30:00Z'));
});

test('uptime counts working hours only', () => {
  const [from, to] = [at('2026-11-23T00:00:00Z'), at('2026-11-24T00:00:00Z')];
  const changes = [
    { at: from, online: false },
    { at: at('2026-11-23T11:00:00Z'), online: true },
    { at: at('2026-11-23T21:00:00Z'), online: false },
  ];
  const stretches = darkOutside(presenceStretches(changes, from, to), workingSpans(everyDay, from, to, 'UTC'));
  expect(stretches.map(({ state }) => state)).toEqual(['dark', 'offline', 'online', 'dark']);
  expect(uptimeOf(stretches)).toBe(0.75);
});

const clock = fc
  .integer({ min: 0, max: 1439 })
  .map((minutes) => [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':'));
const spans = fc.array(fc.record({ from: clock, to: clock }), { maxLength: 2 });
const hours = fc.record({
  weekly: fc.record({ 1: spans, 4: spans, 7: spans }),
  exceptions: fc.uniqueArray(fc.record({ date: fc.constantFrom('2027-03-28', '2027-03-30'), hours: spans }), {
    selector: ({ date }) => date,
  }),
});

test('the spans add up to the working time, and marked stretches fill the same time in order', () => {
  const start = at('2027-03-26T00:00:00Z');
  const instant = fc.integer({ min: 0, max: 168 * 60 }).map((minutes) => start + minutes * MINUTE_MS);
  const changes = fc
    .array(fc.record({ at: instant, online: fc.boolean() }), { maxLength: 8 })
    .map((list) => list.toSorted((a, b) => a.at - b.at));
  fc.assert(
    fc.property(hours, instant, fc.integer({ min: 1, max: 80 }), changes, (given, from, length, list) => {
      const to = from + length * HOUR_MS;
      const working = workingSpans(given, from, to, 'Europe/Berlin');
      const sum = working.reduce((total, span) => total + span.to - span.from, 0);
      expect(sum).toBe(msWithinHours(given, from, to, 'Europe/Berlin'));
      const marked = darkOutside(presenceStretches(list, from, to), working);
      expect([marked[0]?.from, marked.at(-1)?.to]).toEqual([from, to]);
      for (const [index, stretch] of marked.entries()) {
        const next = marked[index + 1];
        if (next) expect([next.from, next.state === stretch.state]).toEqual([stretch.to, false]);
      }
    }),
    { numRuns: 40 },
  );
});
