import type { Manifest, Programme } from '@ams/contract';
import { PROGRAMME_VECTORS, wholeProgramme } from '@ams/contract/vectors';
import { expect, test } from 'vitest';
import { makeManifest } from '../../test/programme.ts';
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
function staged() {
  let shown: readonly Programme[] = [];
  const stage = {
    show: (programmes: readonly Programme[]) => {
      shown = programmes;
    },
    hush: () => undefined,
    forgive: () => undefined,
  };
  return { names: () => shown.map(({ name }) => name), programmes: makeProgrammes(stage, [], () => undefined) };
}

test.each(PROGRAMME_VECTORS)('a screen agrees: $title', ({ timeZone, programmes, plays }) => {
  const list = programmes.map((given) => programme(given));
  for (const [instant, names] of Object.entries(plays)) {
    const { playing } = timetable(list, new Set(), at(instant), timeZone);
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
