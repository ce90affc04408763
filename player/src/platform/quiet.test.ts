import { expect, test } from 'vitest';
import { isReloadTime } from './quiet.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

test('over a week a device reloads once a night, in the quiet hour of its own zone, each MAC at its own minute', () => {
  const begin = Date.parse('2026-11-21T12:00:00Z');
  for (const [mac, minute] of [
    ['02:00:00:00:00:00', 0],
    ['02:00:00:00:00:2a', 42],
  ] as const) {
    const reloads: string[] = [];
    let startedAt = begin;
    for (let now = begin; now < begin + 7 * 24 * HOUR; now += MINUTE) {
      if (!isReloadTime(now, 'Asia/Shanghai', mac, now - startedAt)) continue;
      reloads.push(new Date(now).toISOString().slice(11, 16));
      startedAt = now;
    }
    // Three o'clock in Shanghai is seven in the evening in UTC.
    expect(reloads).toEqual(Array.from({ length: 7 }, () => `19:${String(minute).padStart(2, '0')}`));
  }
});

test('a device that was switched on in the quiet hour does not reload at once', () => {
  const on = Date.parse('2026-11-21T03:01:00Z');
  expect(isReloadTime(on + MINUTE, 'UTC', '02:00:00:00:00:00', MINUTE)).toBe(false);
});
