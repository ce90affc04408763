import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findingsOf, flashingIn, isTooSmall, joined, type Measured, type Passage, without } from './content-checks.ts';

const NOTHING: Measured = { black: [], frozen: [], silent: [], loud: [], flashing: [] };
const passage = (fromMs: number, toMs: number): Passage => ({ fromMs, toMs });

test.each([
  ['black of 2 s is found', { black: [passage(12_000, 14_000)] }, ['black']],
  ['a cut through black is not', { black: [passage(12_000, 13_999)] }, []],
  ['a still of 5 s is found', { frozen: [passage(0, 5000)] }, ['frozen']],
  ['what is black is not frozen as well', { black: [passage(0, 6000)], frozen: [passage(0, 6000)] }, ['black']],
  ['what stays still after black is', { black: [passage(0, 2000)], frozen: [passage(0, 7000)] }, ['black', 'frozen']],
  ['silence of 5 s is found', { silent: [passage(1000, 6000)] }, ['silent']],
  ['a pause is not', { silent: [passage(1000, 5000)] }, []],
  ['every loud passage is found', { loud: [passage(1000, 1100)] }, ['tooLoud']],
  ['flashing is found', { flashing: [passage(1000, 2000)] }, ['flashing']],
])('%s', (_what, measured, kinds) => {
  expect(findingsOf({ ...NOTHING, ...measured }).map(({ kind }) => kind)).toEqual(kinds);
});

const every = (ms: number, count: number): number[] => Array.from({ length: count }, (_, n) => n * ms);

test.each([
  ['three flashes a second are allowed', every(1000 / 6.01, 6), []],
  ['four are not', every(125, 8), [passage(0, 875)]],
  ['quick cuts, five a second, are allowed', every(200, 50), []],
  [
    'flashes at both ends are two passages',
    [...every(100, 10), ...every(100, 10).map((ms) => ms + 10_000)],
    [passage(0, 900), passage(10_000, 10_900)],
  ],
])('%s', (_what, changes, passages) => {
  expect(flashingIn(changes)).toEqual(passages);
});

test.each([
  ['a picture of a quarter of Full HD is large enough', 540, 960, 'full', 'full', 'contain', false],
  ['a smaller one is not', 480, 800, 'full', 'full', 'contain', true],
  ['but it is in a third of the screen', 540, 320, 'two', 'bottom', 'contain', false],
  ['a banner is enlarged until its longer side fits', 1080, 100, 'full', 'full', 'contain', false],
  ['and further to cover the region', 1080, 100, 'full', 'full', 'cover', true],
  ['a picture of unknown size is not judged', null, null, 'full', 'full', 'contain', false],
] as const)('%s', (_what, width, height, split, region, fit, tooSmall) => {
  expect(isTooSmall({ width, height }, { orientation: 'vertical', split, region, fit })).toBe(tooSmall);
});

const passages = fc
  .array(fc.tuple(fc.nat(200), fc.integer({ min: 1, max: 50 })), { maxLength: 8 })
  .map((pairs) => joined(pairs.toSorted(([a], [b]) => a - b).map(([from, length]) => passage(from, from + length))));

const covers = (all: readonly Passage[], ms: number): boolean =>
  all.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs);

test('passages without others contain exactly the moments of one and not of the others', () => {
  fc.assert(
    fc.property(passages, passages, (some, others) => {
      const left = without(some, others);
      for (let ms = 0; ms <= 260; ms += 1) expect(covers(left, ms)).toBe(covers(some, ms) && !covers(others, ms));
    }),
  );
});
