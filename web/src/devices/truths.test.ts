import type { Device } from '@ams/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { device } from '../../test/device.ts';
import { contentOf, expiryOf, screenNames, shownOn } from './truths.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const before = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();
const ad = { id: '0190a000-0000-7000-8000-000000000002', name: 'Autumn' };
const said = (playing: Partial<Device['playing']>) => ({ playing: { live: false, ...playing } });
const playing = { releaseId: '0190a000-0000-7000-8000-000000000003', ad, sha256: null, poster: null };

test('content is never called complete before the device says so', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), (doneBytes, totalBytes) => {
      const content = contentOf({ download: { state: 'waiting', doneBytes, totalBytes } });
      expect(content.state).not.toBe('done');
      expect('percent' in content ? content.percent : 0).toBeLessThan(100);
    }),
  );
  expect(contentOf({ download: { state: 'waiting', doneBytes: 1, totalBytes: 4, reason: 'diskFull' } })).toEqual({
    state: 'failed',
    reason: 'diskFull',
  });
});

test('what a device said is stale after 20 seconds; one that keeps saying so is believed', () => {
  const shown = (live: boolean, seconds: number) =>
    shownOn(device(said({ live, main: playing, at: before(seconds) })), 'main', NOW).state;
  expect(shown(false, 19)).toBe('playing');
  expect(shown(false, 21)).toBe('stale');
  expect(shown(true, 3600)).toBe('playing');
  expect(shownOn(device(said({ at: before(5) })), 'main', NOW).state).toBe('nothing');
  expect(shownOn(device(said({ at: before(90) })), 'main', NOW).state).toBe('unknown');
  expect(shownOn(device(), 'main', NOW).state).toBe('unknown');
});

test('a device with one screen has no second one, whatever it says of it', () => {
  expect(screenNames(device({ screens: [{}], ...said({ secondary: playing }) }))).toEqual(['main']);
  expect(screenNames(device(said({ secondary: playing })))).toEqual(['main', 'secondary']);
  expect(screenNames(device({ screens: [{}, {}] }))).toEqual(['main', 'secondary']);
});

test('expiry goes by the calendar of the device’s own time zone', () => {
  const expiry = (expiresAt: string | null, timeZone = 'UTC') => expiryOf(device({ expiresAt, timeZone }), NOW);
  expect(expiry(null)).toBe('never');
  expect(expiry('2026-11-20')).toBe('expired');
  expect(expiry('2026-11-21')).toBe('expiring');
  expect(expiry('2026-11-21', 'Pacific/Kiritimati')).toBe('expired');
  expect(expiry('2026-12-20')).toBe('expiring');
  expect(expiry('2026-12-21')).toBe('valid');
});
