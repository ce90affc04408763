import type { CalendarSlot } from '@ams/contract';
import { expect, test } from 'vitest';
import { daysOf, firstHour, rangeOf, stepFrom } from './days.ts';

const slot = (from: string, to: string): CalendarSlot => ({ from, to, state: 'plays', releases: [], plays: null });

test('a week runs from Monday to Sunday', () => {
  expect(rangeOf('week', '2026-11-22')).toEqual({ from: '2026-11-16', to: '2026-11-22' });
  expect(rangeOf('week', '2026-11-16')).toEqual({ from: '2026-11-16', to: '2026-11-22' });
  expect(rangeOf('day', '2026-11-22')).toEqual({ from: '2026-11-22', to: '2026-11-22' });
  expect(stepFrom('week', '2026-11-22', -1)).toBe('2026-11-15');
});

test('a slot over midnight has a part on each day, by the clock of the device', () => {
  const slots = [slot('2026-11-20T20:00:00Z', '2026-11-21T05:00:00Z')];
  const days = daysOf(
    slots,
    'Europe/Berlin',
    { from: '2026-11-20', to: '2026-11-22' },
    Date.parse('2026-11-21T11:00Z'),
  );
  expect(days.map(({ pieces }) => pieces.map(({ start, length }) => [start, length]))).toEqual([
    [[21 / 24, 3 / 24]],
    [[0, 6 / 24]],
    [],
  ]);
  expect(days.map(({ now }) => now)).toEqual([undefined, 0.5, undefined]);
});

test('a day of 25 hours is shown whole', () => {
  const whole = [slot('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z')];
  const [day] = daysOf(whole, 'Europe/Berlin', { from: '2026-10-25', to: '2026-10-25' }, 0);
  expect(day?.pieces.map(({ start, length }) => [start, length])).toEqual([[0, 1]]);
});

test('the columns open an hour before now, else before what plays first', () => {
  const range = { from: '2026-11-20', to: '2026-11-21' };
  const hourAt = (at: string, slots: CalendarSlot[]) => firstHour(daysOf(slots, 'UTC', range, Date.parse(at)));
  const nothing: CalendarSlot = { ...slot('2026-11-20T00:00:00Z', '2026-11-20T09:30:00Z'), state: 'nothing' };
  const slots = [nothing, slot('2026-11-20T09:30:00Z', '2026-11-20T12:00:00Z')];
  expect(hourAt('2026-11-21T15:20:00Z', slots)).toBe(14);
  expect(hourAt('2026-11-21T00:20:00Z', slots)).toBe(0);
  expect(hourAt('2026-11-25T15:20:00Z', slots)).toBe(8);
  expect(hourAt('2026-11-25T15:20:00Z', [nothing])).toBe(0);
  expect(hourAt('2026-11-25T15:20:00Z', [])).toBe(0);
});
