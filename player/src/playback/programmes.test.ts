import type { Manifest, Programme } from '@ams/contract';
import { PROGRAMME_VECTORS, wholeProgramme } from '@ams/contract/vectors';
import { expect, test } from 'vitest';
import { makeManifest } from '../../test/programme.ts';
import type { Finished } from '../store/ports.ts';
import { makeProgrammes } from './programmes.ts';
import { timetable } from './schedule.ts';

const at = (text: string): number => Date.parse(text);
const id = '01920000-0000-7000-8000-000000000001';

const programme = (given: Partial<Programme> & { name: string }): Programme => ({
  releaseId: id,
  adId: id,
  orientation: 'vertical',
  split: 'full',
  showClock: false,
  fit: 'contain',
  regions: { full: [{ sha256: given.name, kind: 'file', media: 'image', durationMs: 1000 }] },
  ...wholeProgramme(given),
});

const manifest = (over: Partial<Manifest> = {}): Manifest =>
  makeManifest({
    device: { id, mac: '02:00:00:00:00:01', name: '' },
    timeZone: 'Asia/Shanghai',
    screens: { main: [programme({ name: 'ad' })], secondary: [] },
    ...over,
  });

/** The last playlist passed to the stage. */
function staged(restored: Finished = {}) {
  let shown: readonly Programme[] = [];
  const stage = {
    show: (programmes: readonly Programme[]) => {
      shown = programmes;
    },
    hear: () => undefined,
    forgive: () => undefined,
  };
  return { names: () => shown.map(({ name }) => name), programmes: makeProgrammes(stage, restored, () => undefined) };
}

test.each(PROGRAMME_VECTORS)('a screen agrees: $title', ({ timeZone, programmes, plays }) => {
  const list = programmes.map((given) => programme(given));
  for (const [instant, names] of Object.entries(plays)) {
    const { playing } = timetable(list, {}, at(instant), timeZone);
    expect([instant, ...playing.map(({ name }) => name)]).toEqual([instant, ...names]);
  }
});

test('an offline device stops playing at midnight of its own zone, and resumes after an extension', () => {
  const { names, programmes } = staged();
  const update = (over: Partial<Manifest>, instant: string) =>
    programmes.update({ manifest: manifest(over), screen: 'main' }, at(instant));
  update({ expiresAt: '2026-11-21' }, '2026-11-21T15:59:59Z');
  expect(names()).toEqual(['ad']);
  update({ expiresAt: '2026-11-21' }, '2026-11-21T16:00:00Z');
  expect(names()).toEqual([]);
  update({ expiresAt: '2026-12-21' }, '2026-11-21T16:00:01Z');
  expect(names()).toEqual(['ad']);
});

test('outside the working hours nothing plays, by the clock of the device and over a change of it', () => {
  const { names, programmes } = staged();
  const workingHours = { weekly: { 7: [{ from: '02:30', to: '20:00' }] }, exceptions: [] };
  const plays = (instant: string) => {
    const given = manifest({ timeZone: 'Europe/Berlin', workingHours });
    programmes.update({ manifest: given, screen: 'main' }, at(instant));
    return names().length > 0;
  };
  // On 28 March 2027 the clock skips the hour from 2:00 to 3:00.
  expect(plays('2027-03-28T00:59:59Z')).toBe(false);
  expect(plays('2027-03-28T01:00:00Z')).toBe(true);
  expect(plays('2027-03-28T17:59:59Z')).toBe(true);
  expect(plays('2027-03-28T18:00:00Z')).toBe(false);
  expect(plays('2027-03-29T10:00:00Z')).toBe(false);
  // A clock that steps back.
  expect(plays('2027-03-28T12:00:00Z')).toBe(true);
});

test('what plays once a day plays again the next day, although its time ends while the device is dark', () => {
  const { names, programmes } = staged();
  const daily = [{ from: '09:00', to: '21:00' }];
  const workingHours = {
    weekly: { 1: daily, 2: daily, 3: daily, 4: daily, 5: daily, 6: daily, 7: daily },
    exceptions: [],
  };
  const once = {
    ...programme({ name: 'ad' }),
    playMode: 'once',
    schedule: { hours: [{ from: '08:00', to: '22:00' }] },
  };
  const given = manifest({ timeZone: 'UTC', workingHours, screens: { main: [once as Programme], secondary: [] } });
  const plays = (instant: string) => {
    programmes.update({ manifest: given, screen: 'main' }, at(instant));
    return names();
  };
  expect(plays('2027-03-01T10:00:00Z')).toEqual(['ad']);
  programmes.finish(id, at('2027-03-01T10:00:10Z'));
  for (const time of ['10:00:10', '20:59:00', '21:30:00', '23:00:00']) expect(plays(`2027-03-01T${time}Z`)).toEqual([]);
  expect(plays('2027-03-02T09:30:00Z')).toEqual(['ad']);
});

test('what plays once a day plays again the next day, although the device was off when its time ended', () => {
  const once = {
    ...programme({ name: 'ad' }),
    playMode: 'once',
    schedule: { hours: [{ from: '08:00', to: '22:00' }] },
  };
  const given = manifest({ timeZone: 'UTC', screens: { main: [once as Programme], secondary: [] } });
  const playsAt = (instant: string) => {
    const { names, programmes } = staged({ [id]: at('2027-03-01T10:00:10Z') });
    programmes.update({ manifest: given, screen: 'main' }, at(instant));
    return names();
  };
  expect(playsAt('2027-03-01T21:59:59Z')).toEqual([]);
  expect(playsAt('2027-03-02T09:30:00Z')).toEqual(['ad']);
  // A clock that steps back within its time.
  expect(playsAt('2027-03-01T09:00:00Z')).toEqual([]);
});
