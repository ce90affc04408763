import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ProgrammeItem } from '../player.ts';
import { haveRoom, PLAY_OVERLAP_MS, placesOf, type Showing } from './plays.ts';

const REGIONS = ['top', 'middle', 'bottom'];

/** Plays of an honest screen: releases in turn, each region independently, with some jitter. */
const honest = fc
  .array(
    fc.record({
      release: fc.nat(2),
      lanes: fc.array(
        fc.array(fc.record({ ms: fc.integer({ min: 500, max: 20_000 }), early: fc.nat(250) }), { maxLength: 6 }),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
    }),
    { maxLength: 6 },
  )
  .map((turns) => {
    let begun = 1_000_000;
    return turns.flatMap(({ release, lanes }) => {
      const shown = lanes.flatMap((lane, index): Showing[] => {
        let at = begun;
        return lane.map(({ ms, early }) => {
          const play = {
            at: at - early,
            durationMs: ms,
            screen: 'main',
            releaseId: `r${release}`,
            places: [REGIONS[index] ?? ''],
          };
          at += ms;
          return play;
        });
      });
      begun = Math.max(begun, ...shown.map((each) => each.at + each.durationMs + 250));
      return shown;
    });
  });

/** The same plays in any order, cut into reports. */
const reports = honest.chain((plays) =>
  fc.tuple(
    fc.shuffledSubarray(plays, { minLength: plays.length, maxLength: plays.length }),
    fc.integer({ min: 1, max: 10 }),
  ),
);

/** Reports one after the other and returns the stored plays. */
function record(all: readonly Showing[], size: number): Showing[] {
  const known: Showing[] = [];
  for (let start = 0; start < all.length; start += size) {
    const some = all.slice(start, start + size);
    const room = haveRoom(known, some);
    known.push(...some.filter((_, index) => room[index]));
  }
  return known;
}

test('all plays of an honest screen fit, in any order and any batches', () => {
  fc.assert(
    fc.property(reports, ([plays, size]) => {
      expect(record(plays, size)).toHaveLength(plays.length);
    }),
    { numRuns: 300 },
  );
});

const anything = fc.array(
  fc.record({
    at: fc.integer({ min: 0, max: 60_000 }),
    durationMs: fc.integer({ min: 0, max: 15_000 }),
    screen: fc.constant('main'),
    releaseId: fc.constantFrom('a', 'b'),
    places: fc.constantFrom(['top'], ['middle']),
  }),
  { maxLength: 40 },
);

test('two plays that share a region, or come from two releases, never overlap by more than a second', () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 1, max: 10 }), (plays, size) => {
      const kept = record(plays, size).toSorted((a, b) => a.at - b.at);
      for (const [index, one] of kept.entries()) {
        for (const other of kept.slice(index + 1)) {
          if (one.releaseId === other.releaseId && one.places[0] !== other.places[0]) continue;
          expect(one.at + one.durationMs - other.at).toBeLessThanOrEqual(PLAY_OVERLAP_MS);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('the plays of a region last no longer together than the time that passed and a second', () => {
  fc.assert(
    fc.property(anything, fc.integer({ min: 1, max: 10 }), (plays, size) => {
      const lane = plays.map((play) => ({ ...play, releaseId: 'a', places: ['top'] }));
      const kept = record(lane, size);
      const sum = kept.reduce((ms, { durationMs }) => ms + durationMs, 0);
      const from = Math.min(...kept.map(({ at }) => at));
      const to = Math.max(...kept.map(({ at, durationMs }) => at + durationMs));
      if (kept.length > 0) expect(sum).toBeLessThanOrEqual(to - from + PLAY_OVERLAP_MS);
    }),
    { numRuns: 300 },
  );
});

test('plays that last no time are no way around it', () => {
  const none = Array.from({ length: 100 }, () => ({
    at: 0,
    durationMs: 0,
    screen: 'main',
    releaseId: 'a',
    places: ['full'],
  }));
  expect(haveRoom([], none).filter(Boolean).length).toBeLessThanOrEqual(11);
});

test('regions that share a file share their room', () => {
  const items = (...names: string[]): ProgrammeItem[] =>
    names.map((sha256) => ({ kind: 'file', sha256, media: 'image', durationMs: 1000 }));
  const places = placesOf({ top: items('a', 'b'), middle: items('c'), bottom: items('b', 'd') });
  expect(places.get('c')).toEqual(['middle']);
  for (const file of ['a', 'b', 'd']) expect(places.get(file)).toEqual(['top', 'bottom']);
});
