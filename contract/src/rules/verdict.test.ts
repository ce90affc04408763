import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Schedule } from '../player.ts';
import { PRIORITIES } from '../vocabulary.ts';
import { explainPlaying } from './programme.ts';
import {
  DEVICE_VERDICTS,
  type DeviceFacts,
  type LastPlay,
  deviceVerdict,
  explainHeld,
  hasPlayedOnce,
  prevents,
} from './verdict.ts';

const NOW = Date.parse('2026-11-21T12:30:00Z');
const hours = [{ from: '12:00', to: '13:00' }];

const release = fc.record({
  name: fc.nat(),
  schedule: fc.constantFrom<Schedule | null>(null, { hours }, { hours: [{ from: '13:00', to: '14:00' }] }),
  priority: fc.constantFrom(...PRIORITIES),
  replace: fc.boolean(),
  playMode: fc.constantFrom('sequence' as const, 'once' as const),
  isWhole: fc.boolean(),
  isFinished: fc.boolean(),
});
const releases = fc.uniqueArray(release, { selector: ({ name }) => name, maxLength: 8 });

test('a release plays only when it is whole and not finished', () => {
  fc.assert(
    fc.property(releases, (list) => {
      for (const { programme, verdict } of explainHeld(list, NOW, 'UTC')) {
        if (verdict.kind === 'plays') expect(programme).toMatchObject({ isWhole: true, isFinished: false });
        expect(verdict.kind === 'finished').toBe(programme.isFinished);
        if (verdict.kind === 'incomplete') expect(programme.isWhole).toBe(false);
      }
    }),
  );
});

test('a device that holds everything and has finished nothing plays by the rules alone', () => {
  fc.assert(
    fc.property(releases, (list) => {
      const held = list.map((each) => ({ ...each, isWhole: true, isFinished: false }));
      expect(explainHeld(held, NOW, 'UTC')).toEqual(explainPlaying(held, NOW, 'UTC'));
    }),
  );
});

test('default content plays while what was released is incomplete, finished or scheduled for later', () => {
  const base = { replace: true, isWhole: true, isFinished: false, playMode: 'sequence' as const };
  const content = { ...base, schedule: null, priority: 'default' as const };
  const kinds = (over: { isWhole?: boolean; isFinished?: boolean; schedule?: Schedule }) =>
    explainHeld([content, { ...base, schedule: null, ...over, priority: 'normal' as const }], NOW, 'UTC').map(
      ({ verdict }) => verdict.kind,
    );
  expect(kinds({})).toEqual(['outranked', 'plays']);
  expect(kinds({ isWhole: false })).toEqual(['plays', 'incomplete']);
  expect(kinds({ isFinished: true })).toEqual(['plays', 'finished']);
  expect(kinds({ schedule: { hours: [{ from: '13:00', to: '14:00' }] } })).toEqual(['plays', 'notScheduled']);
});

test('a release that is not whole keeps no other from the screen', () => {
  fc.assert(
    fc.property(releases, (list) => {
      const plays = (all: typeof list) =>
        explainHeld(all, NOW, 'UTC')
          .filter(({ verdict }) => verdict.kind === 'plays')
          .map(({ programme }) => programme);
      expect(plays(list)).toEqual(plays(list.filter(({ isWhole }) => isWhole)));
    }),
  );
});

const facts: fc.Arbitrary<DeviceFacts> = fc.record({
  isOnline: fc.boolean(),
  isExpired: fc.boolean(),
  isWithinHours: fc.boolean(),
  hasFailed: fc.boolean(),
  releases: fc.array(fc.constantFrom('plays', 'notScheduled', 'outranked', 'incomplete', 'finished')),
});

test('a reason that counts for more is never hidden by one that counts for less', () => {
  const place = (given: DeviceFacts) => DEVICE_VERDICTS.indexOf(deviceVerdict(given));
  fc.assert(
    fc.property(facts, (given) => {
      expect(deviceVerdict({ ...given, isOnline: false })).toBe('offline');
      expect(place({ ...given, isExpired: true })).toBeLessThanOrEqual(DEVICE_VERDICTS.indexOf('expired'));
      expect(place({ ...given, isWithinHours: false })).toBeLessThanOrEqual(DEVICE_VERDICTS.indexOf('dark'));
      expect(place({ ...given, hasFailed: true })).toBeLessThanOrEqual(DEVICE_VERDICTS.indexOf('failed'));
      expect(place({ ...given, releases: [] })).toBeLessThanOrEqual(DEVICE_VERDICTS.indexOf('nothing'));
    }),
  );
});

test('the verdict is "plays" exactly when nothing prevents it and a release plays', () => {
  fc.assert(
    fc.property(facts, (given) => {
      const { isOnline, isExpired, isWithinHours, hasFailed } = given;
      const isFree = isOnline && !isExpired && isWithinHours && !hasFailed;
      const plays = isFree && given.releases.includes('plays');
      const outrankedOnly = given.releases.length > 0 && given.releases.every((kind) => kind === 'outranked');
      if (!outrankedOnly) expect(deviceVerdict(given) === 'plays').toBe(plays);
      if (prevents(deviceVerdict(given))) expect(isFree).toBe(false);
    }),
  );
});

test.each([
  [{ isOnline: false, isExpired: true }, 'offline'],
  [{ isExpired: true, isWithinHours: false, hasFailed: true }, 'expired'],
  [{ isWithinHours: false, hasFailed: true, releases: [] }, 'dark'],
  [{ hasFailed: true, releases: [] }, 'failed'],
  [{ releases: [] }, 'nothing'],
  [{ releases: ['notScheduled', 'notScheduled'] }, 'later'],
  [{ releases: ['notScheduled', 'incomplete'] }, 'downloading'],
  [{ releases: ['finished', 'notScheduled'] }, 'finished'],
  [{ releases: ['incomplete', 'plays'] }, 'plays'],
] as [Partial<DeviceFacts>, string][])('the verdict on %j is %s', (given, verdict) => {
  const usual = {
    isOnline: true,
    isExpired: false,
    isWithinHours: true,
    hasFailed: false,
    releases: ['plays' as const],
  };
  expect(deviceVerdict({ ...usual, ...given })).toBe(verdict);
});

const item = (sha256: string, durationMs = 1000) => ({
  kind: 'file' as const,
  sha256,
  media: 'image' as const,
  durationMs,
});
const once = {
  orientation: 'vertical' as const,
  split: 'two' as const,
  playMode: 'once' as const,
  regions: { top: [item('a'), item('b')], bottom: [item('c')] },
};
const play = (sha256: string, day: string, hour: number, screen: LastPlay['screen'] = 'main'): LastPlay => ({
  sha256,
  screen,
  day,
  hour,
});

test('a release that plays once has done so when its leading region has been played to its last item', () => {
  const played = (plays: LastPlay[], over: object = {}) =>
    hasPlayedOnce({ ...once, schedule: null, ...over }, 'main', plays, NOW, 'UTC');
  expect(played([])).toBe(false);
  expect(played([play('a', '2026-11-21', 12), play('c', '2026-11-21', 12)])).toBe(false);
  expect(played([play('b', '2026-11-21', 12, 'secondary')])).toBe(false);
  expect(played([play('b', '2026-11-21', 12)])).toBe(true);
  expect(played([play('b', '2026-11-01', 3)])).toBe(true);
  expect(played([play('b', '2026-11-21', 12)], { playMode: 'sequence' })).toBe(false);
});

test('a release that plays once a day does so again when its hours begin again', () => {
  const played = (day: string, hour: number, schedule = { hours }) =>
    hasPlayedOnce({ ...once, schedule }, 'main', [play('b', day, hour)], NOW, 'UTC');
  expect(played('2026-11-21', 12)).toBe(true);
  expect(played('2026-11-20', 12)).toBe(false);
  // 2026-11-21 is a Saturday; all days but Fridays.
  const weekdays = { weekdays: [1, 2, 3, 4, 6, 7], hours: [{ from: '00:00', to: '24:00' }] };
  expect(played('2026-11-21', 1, weekdays)).toBe(true);
  expect(played('2026-11-19', 1, weekdays)).toBe(false);
});
