import { type Programme, type ProgrammeItem, type Region, regionsOf } from '@ams/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Rotation,
  type Step,
  cueSpot,
  currentItem,
  nextStep,
  programmeOf,
  reschedule,
  startRotation,
} from '@ams/contract/rules/sequence';
import { makeProgramme } from '../../test/programme.ts';
import { timetable } from './schedule.ts';

const item = (name: string, durationMs = 1000): ProgrammeItem => ({
  sha256: name,
  kind: 'file',
  media: 'image',
  durationMs,
});

const programme = (over: Partial<Programme> = {}): Programme =>
  makeProgramme({
    orientation: 'vertical',
    replace: false,
    regions: { full: [item('a'), item('b'), item('c')] },
    ...over,
  });

function rotationOf(programmes: Programme[], seed = 1): Rotation {
  const rotation = startRotation(programmes, seed);
  if (!rotation) throw new Error('nothing to show');
  return rotation;
}

/** The names of the next `length` items of a region, stepping over handovers. */
function names(start: Rotation, region: Region, length: number): string[] {
  const seen = [currentItem(start, region)?.sha256 ?? ''];
  let rotation = start;
  while (seen.length < length) {
    const step = nextStep(rotation, region);
    if (step?.kind !== 'item' && step?.kind !== 'handOver') break;
    rotation = step.rotation;
    seen.push(currentItem(rotation, region)?.sha256 ?? '');
  }
  return seen;
}

const playlist = fc
  .array(fc.integer({ min: 100, max: 9000 }), { minLength: 0, maxLength: 6 })
  .map((durations) => durations.map((ms, index) => item(`i${index}`, ms)));
const anyProgramme = fc
  .record({
    playMode: fc.constantFrom('sequence' as const, 'shuffle' as const),
    top: playlist,
    middle: playlist,
    bottom: playlist,
  })
  .map(({ playMode, ...regions }) => programme({ split: 'three', playMode, regions }));

test('a playlist that is alone repeats in order for ever', () => {
  expect(names(rotationOf([programme()]), 'full', 7)).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
});

test('programmes play one after the other in release order', () => {
  const others = [
    programme({ regions: { full: [item('x')] } }),
    programme({ regions: { full: [item('y'), item('z')] } }),
  ];
  expect(names(rotationOf([programme(), ...others]), 'full', 8)).toEqual(['a', 'b', 'c', 'x', 'y', 'z', 'a', 'b']);
});

test('once plays a single round and is finished', () => {
  const once = programme({ playMode: 'once' });
  let step: Step | undefined = nextStep(rotationOf([once]), 'full');
  step = step?.kind === 'item' ? nextStep(step.rotation, 'full') : undefined;
  step = step?.kind === 'item' ? nextStep(step.rotation, 'full') : undefined;
  expect(step).toEqual({ kind: 'finished', releaseId: once.releaseId });
});

test('the region with the longest round decides when a split hands over; the others continue meanwhile', () => {
  const split = programme({
    split: 'two',
    regions: { top: [item('t', 9000), item('u', 9000)], bottom: [item('v', 1000)] },
  });
  const rotation = rotationOf([split, programme()]);
  expect(rotation.lead).toBe('top');
  expect(names(rotation, 'bottom', 50)).toEqual(Array.from({ length: 50 }, () => 'v'));
  expect(names(rotation, 'top', 3).slice(0, 2)).toEqual(['t', 'u']);
});

test('each round of a shuffle shows every item once and none twice running', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 12 }), fc.nat(), (length, seed) => {
      const items = Array.from({ length }, (_, index) => item(`i${index}`));
      const shuffle = programme({ playMode: 'shuffle', regions: { full: items } });
      const seen = names(rotationOf([shuffle], seed), 'full', length * 5);
      for (let round = 0; round < 5; round++) {
        expect(new Set(seen.slice(round * length, (round + 1) * length)).size).toBe(length);
      }
      const twice = seen.some((name, index) => name === seen[index + 1]);
      expect(twice).toBe(length === 1);
    }),
  );
});

test('any walk yields only items that exist, changes one region at a time, and is repeatable', () => {
  const walk = fc.array(fc.nat(5), { maxLength: 60 });
  fc.assert(
    fc.property(fc.array(anyProgramme, { minLength: 1, maxLength: 4 }), walk, fc.nat(), (programmes, steps, seed) => {
      let rotation = startRotation(programmes, seed);
      const shows = programmes.some((each) => regionsOf(each).length > 0);
      expect(rotation !== undefined).toBe(shows);
      for (const choice of steps) {
        const on: Programme | undefined = rotation && programmeOf(rotation);
        if (!rotation || !on) return;
        const regions = regionsOf(on);
        for (const each of regions) expect(on.regions[each]).toContain(currentItem(rotation, each));
        const region = regions[choice % regions.length] ?? 'full';
        const step: Step | undefined = nextStep(rotation, region);
        expect(nextStep(rotation, region)).toEqual(step);
        const before = rotation;
        const moved = step?.kind === 'item' ? step.rotation : before;
        const others = regions.filter((each) => each !== region);
        expect(others.every((other) => moved.lanes[other] === before.lanes[other])).toBe(true);
        expect(step?.kind === 'handOver' && region !== rotation.lead).toBe(false);
        if (step?.kind === 'item' || step?.kind === 'handOver') rotation = step.rotation;
      }
    }),
  );
});

test('each programme of a rotation gets its turn', () => {
  fc.assert(
    fc.property(fc.array(anyProgramme, { minLength: 1, maxLength: 4 }), (programmes) => {
      const expected = programmes.filter((each) => regionsOf(each).length > 0).map((each) => each.releaseId);
      let rotation = startRotation(programmes, 1);
      const seen: string[] = [];
      for (let guard = 0; rotation && guard < 100 && seen.length < expected.length; guard++) {
        const on = programmeOf(rotation)?.releaseId ?? '';
        if (!seen.includes(on)) seen.push(on);
        const step: Step | undefined = nextStep(rotation, rotation.lead);
        rotation = step?.kind === 'item' || step?.kind === 'handOver' ? step.rotation : undefined;
      }
      expect(seen).toEqual(expected);
    }),
  );
});

const spotOf = (name: string) => ({
  ...programme({ name, regions: { full: [item(name)] } }),
  pace: { everyMs: 60_000, from: '2026-11-21T00:00:00Z' },
});

/** What a step shows next, with its rotation. */
function shownBy(step: Step | undefined): { rotation: Rotation; name: string | undefined } {
  if (step?.kind !== 'item' && step?.kind !== 'handOver') throw new Error(`no next item: ${step?.kind}`);
  return { rotation: step.rotation, name: currentItem(step.rotation, 'full')?.sha256 };
}

test('a spot plays between two items of the fill, which resumes where it was', () => {
  const spot = spotOf('spot');
  const cued = cueSpot(rotationOf([programme(), programme({ regions: { full: [item('x')] } })]), spot);
  const [first, second] = [nextStep(cued, 'full'), nextStep(cued, 'full')];
  expect(second).toEqual(first);
  expect(first?.kind).toBe('handOver');
  const onSpot = shownBy(first);
  expect(onSpot.name).toBe('spot');
  expect(names(onSpot.rotation, 'full', 5)).toEqual(['spot', 'b', 'c', 'x', 'a']);
  const other = shownBy(nextStep(cueSpot(onSpot.rotation, spotOf('other')), 'full'));
  expect(names(other.rotation, 'full', 4)).toEqual(['other', 'b', 'c', 'x']);
});

test('without a fill the screen rests after a spot until another one is due', () => {
  const spot = spotOf('spot');
  expect(reschedule(undefined, [spot], 1)).toEqual({ kind: 'nothing' });
  const begun = reschedule(undefined, [spot], 1, spot);
  expect(begun.kind === 'begin' && nextStep(begun.rotation, 'full')).toEqual({ kind: 'rest' });
});

test('a new list or another pace does not interrupt a spot, and the fill resumes if it is still there', () => {
  const [a, b] = [programme(), programme({ regions: { full: [item('x')] } })];
  const spot = spotOf('spot');
  const onSpot = shownBy(nextStep(cueSpot(rotationOf([a, b]), spot), 'full'));
  const faster = { ...spot, pace: { ...spot.pace, everyMs: 50_000 } };
  const next = reschedule(onSpot.rotation, [b, a, faster], 1);
  expect(next.kind === 'goOn' && names(next.rotation, 'full', 5)).toEqual(['spot', 'b', 'c', 'x', 'a']);
  const without = reschedule(onSpot.rotation, [a, b], 1);
  expect(without.kind === 'begin' && names(without.rotation, 'full', 3)).toEqual(['b', 'c', 'x']);
});

test('a new list does not interrupt a visible item that it still contains', () => {
  const [a, b, c] = [programme(), programme(), programme()];
  const rotation = rotationOf([a, b]);
  const next = reschedule(rotation, [c, structuredClone(a)], 1);
  expect(next).toMatchObject({ kind: 'goOn', rotation: { lanes: rotation.lanes, current: 1 } });
});

test('when the programme on screen goes, the one that was to follow comes', () => {
  const [a, b, c] = [programme(), programme(), programme()];
  const first = rotationOf([a, b, c]);
  const rotation = { ...first, current: 1 };
  const next = reschedule(rotation, [a, c], 1);
  expect(next.kind === 'begin' && programmeOf(next.rotation)).toEqual(c);
  expect(reschedule(rotation, [], 1)).toEqual({ kind: 'nothing' });
});

const at = (text: string) => Date.parse(text);

test('a release that has played once yields to the previous one until its next time', () => {
  const daily = programme({ playMode: 'once', replace: true, schedule: { hours: [{ from: '10:00', to: '11:00' }] } });
  const always = programme();
  const list = [always, daily];
  const none = {};
  expect(timetable(list, none, at('2026-11-21T10:30:00Z'), 'UTC').playing).toEqual([daily]);
  const done = timetable(list, { [daily.releaseId]: at('2026-11-21T10:31:00Z') }, at('2026-11-21T10:31:00Z'), 'UTC');
  expect(done.playing).toEqual([always]);
  const later = timetable(list, done.finished, at('2026-11-21T11:00:00Z'), 'UTC');
  expect(later.finished).toEqual({});
  expect(timetable(list, later.finished, at('2026-11-22T10:00:00Z'), 'UTC').playing).toEqual([daily]);
});
