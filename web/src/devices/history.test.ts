import type { DeviceHistory } from '@ams/contract';
import { expect, test } from 'vitest';
import { daysOf, outagesOf, shownUptime } from './history.ts';

const history = (
  changes: [string, 'online' | 'offline' | 'unknown'][],
  to: string,
  timeZone: string,
): DeviceHistory => ({
  from: changes[0]?.[0] ?? to,
  to,
  timeZone,
  uptime: null,
  stretches: changes.map(([from, state], index) => ({ from, state, to: changes[index + 1]?.[0] ?? to })),
});

test('days are those of the device, 25 hours where summer time ends', () => {
  // Berlin: 25 October 2026 has 25 hours, from 22:00 to 23:00 UTC.
  const days = daysOf(
    history(
      [
        ['2026-10-19T22:00:00.000Z', 'online'],
        ['2026-10-25T10:30:00.000Z', 'offline'],
      ],
      '2026-10-26T11:00:00.000Z',
      'Europe/Berlin',
    ),
  );
  expect(days.map((day) => day.date)).toEqual(
    ['26', '25', '24', '23', '22', '21', '20'].map((day) => `2026-10-${day}`),
  );
  expect(days[1]?.parts).toEqual([
    { state: 'online', start: 0, length: 0.5 },
    { state: 'offline', start: 0.5, length: 0.5 },
  ]);
  expect(days[1]?.uptime).toBe(0.5);
  expect(days[0]?.parts).toEqual([{ state: 'offline', start: 0, length: 0.5 }]);
  expect(days[6]?.uptime).toBe(1);
});

test('interruptions are listed newest first; the one that continues has no end', () => {
  const told = history(
    [
      ['2026-11-20T00:00:00.000Z', 'unknown'],
      ['2026-11-20T01:00:00.000Z', 'offline'],
      ['2026-11-20T02:00:00.000Z', 'online'],
      ['2026-11-20T03:00:00.000Z', 'offline'],
    ],
    '2026-11-20T03:30:00.000Z',
    'UTC',
  );
  expect(outagesOf(told)).toEqual([
    { from: '2026-11-20T03:00:00.000Z', to: undefined, ms: 1_800_000 },
    { from: '2026-11-20T01:00:00.000Z', to: '2026-11-20T02:00:00.000Z', ms: 3_600_000 },
  ]);
});

test('a second away in a week is not called a hundred per cent', () => {
  expect(shownUptime(1)).toBe(1);
  expect(shownUptime(1 - 1 / 604_800)).toBe(0.999);
  expect(shownUptime(0.0001)).toBe(0.001);
  expect(shownUptime(0)).toBe(0);
});
