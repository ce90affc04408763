import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LevelHours, WorkingHours } from '../hours.ts';
import { levelAt } from './levels.ts';

const at = (text: string) => Date.parse(text);
const evening = [{ from: '20:00', to: '07:00', value: 30 }];

test('a level of certain hours takes the place of the level of the device, over midnight too', () => {
  const level = (clock: string) => levelAt(80, evening, at(`2026-11-23T${clock}:00Z`), 'UTC');
  expect(['06:59', '07:00', '19:59', '20:00', '23:59'].map(level)).toEqual([30, 80, 80, 30, 30]);
  expect(levelAt(null, evening, at('2026-11-23T12:00:00Z'), 'UTC')).toBeNull();
  expect(levelAt(undefined, undefined, at('2026-11-23T12:00:00Z'), 'UTC')).toBeNull();
});

test('hours follow the clock of the device', () => {
  expect(levelAt(80, evening, at('2026-11-23T12:00:00Z'), 'Asia/Tokyo')).toBe(30);
  expect(levelAt(80, evening, at('2026-11-23T12:00:00Z'), 'UTC')).toBe(80);
});

const rulesOf = (schema: typeof WorkingHours | typeof LevelHours, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];

test('working hours are refused with the field and the rule', () => {
  const monday = (...spans: [string, string][]) =>
    rulesOf(WorkingHours, { weekly: { 1: spans.map(([from, to]) => ({ from, to })) } });
  expect(monday(['08:00', '20:00'], ['20:00', '02:00'])).toEqual([]);
  expect(monday(['00:00', '24:00'])).toEqual([]);
  expect(monday(['08:00', '08:00'])).toEqual([['weekly.1.0.to', 'hours.same']]);
  expect(monday(['24:00', '02:00'])).toEqual([['weekly.1.0.from', 'schedule.clock']]);
  expect(monday(['8:00', '12:00'])).toEqual([['weekly.1.0.from', 'schedule.clock']]);
  expect(monday(['08:00', '12:00'], ['11:59', '13:00'])).toEqual([['weekly.1.1.from', 'hours.overlap']]);
  expect(monday(['20:00', '02:00'], ['23:00', '23:30'])).toEqual([['weekly.1.1.from', 'hours.overlap']]);
  const many = Array.from({ length: 25 }, (_, n): [string, string] => {
    const clock = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${minutes % 60 || '00'}`;
    return [clock(n * 30), clock(n * 30 + 30)];
  });
  expect(monday(...many)).toEqual([['weekly.1', 'hours.count']]);
  expect(rulesOf(WorkingHours, { weekly: { 8: [] } })).toHaveLength(1);
});

test('exceptions exist once, on days that exist', () => {
  const on = (...dates: string[]) =>
    rulesOf(WorkingHours, { weekly: {}, exceptions: dates.map((date) => ({ date, hours: [] })) });
  expect(on('2028-02-29', '2026-12-25')).toEqual([]);
  expect(on('2027-02-29')).toEqual([['exceptions.0.date', 'schedule.date']]);
  expect(on('2026-12-25', '2026-12-26', '2026-12-25')).toEqual([['exceptions.2.date', 'hours.date']]);
});

test('levels are percentages, and their hours repeat every day', () => {
  expect(rulesOf(LevelHours, evening)).toEqual([]);
  expect(rulesOf(LevelHours, [{ from: '08:00', to: '09:00', value: 101 }])).toEqual([['0.value', 'level.range']]);
  expect(rulesOf(LevelHours, [...evening, { from: '06:00', to: '08:00', value: 1 }])).toEqual([
    ['1.from', 'hours.overlap'],
  ]);
});

const clock = fc.integer({ min: 0, max: 1439 }).map((minutes) => {
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
  return `${hour}:${minute}`;
});

test('hours that are accepted have one level at every minute', () => {
  const spans = fc.array(fc.record({ from: clock, to: clock, value: fc.integer({ min: 0, max: 100 }) }), {
    minLength: 2,
    maxLength: 4,
  });
  fc.assert(
    fc.property(spans, (given) => {
      if (!LevelHours.safeParse(given).success) return;
      for (let minute = 0; minute < 1440; minute += 7) {
        const now = minute * 60_000;
        const covering = given.filter((span) => levelAt(null, [span], now, 'UTC') !== null);
        expect(covering.length).toBeLessThan(2);
      }
    }),
  );
});
