import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type RolloutPlan, rolloutMove, stageSizes, type StageCounts } from './rollout.ts';

const plan = fc
  .record({
    stages: fc.integer({ min: 2, max: 10 }),
    at: fc.nat(),
    goOnAt: fc.integer({ min: 1, max: 100 }),
    stopAbove: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ at, ...rest }): RolloutPlan => ({ ...rest, state: 'running', stage: at % rest.stages }));
const counts = fc
  .tuple(fc.nat(500), fc.nat(500), fc.nat(500), fc.nat(500))
  .map(([done, failed, open, withdrawn]): StageCounts => ({ done, failed, total: done + failed + open, withdrawn }));

test('nothing moves a release that does not run', () => {
  fc.assert(
    fc.property(plan, counts, fc.constantFrom('paused', 'stopped', 'complete'), (begun, seen, state) => {
      expect(rolloutMove({ ...begun, state }, seen)).toBe('wait');
    }),
  );
});

test('a rollout stops exactly when more than the share failed', () => {
  fc.assert(
    fc.property(plan, counts, (begun, seen) => {
      expect(rolloutMove(begun, seen) === 'stop').toBe(seen.failed / seen.total > begun.stopAbove / 100);
    }),
  );
});

test('a rollout advances only when the share is done; the last step completes it', () => {
  fc.assert(
    fc.property(plan, counts, (begun, seen) => {
      const move = rolloutMove(begun, seen);
      if (move === 'begin' || move === 'complete') {
        expect(seen.total === 0 || seen.done / seen.total >= begun.goOnAt / 100).toBe(true);
        expect(move === 'complete').toBe(begun.stage === begun.stages - 1);
      }
    }),
  );
});

test('a rollout pauses exactly when a step before the last one has lost all its devices', () => {
  const emptied = fc.nat(500).map((withdrawn): StageCounts => ({ total: 0, done: 0, failed: 0, withdrawn }));
  fc.assert(
    fc.property(plan, fc.oneof(counts, emptied), (begun, seen) => {
      const isBlind = seen.total === 0 && seen.withdrawn > 0 && begun.stage < begun.stages - 1;
      expect(rolloutMove(begun, seen) === 'pause').toBe(isBlind);
    }),
  );
});

test('a device more that is done never holds it up', () => {
  fc.assert(
    fc.property(plan, counts, (begun, seen) => {
      fc.pre(seen.done + seen.failed < seen.total);
      const [before, after] = [seen, { ...seen, done: seen.done + 1 }].map((each) => rolloutMove(begun, each));
      if (before !== 'wait') expect(after).toBe(before);
    }),
  );
});

test('when all devices are done every step has its turn, once', () => {
  fc.assert(
    fc.property(plan, counts, (begun, { total }) => {
      let stage = 0;
      const moves: string[] = [];
      for (let move = 'begin'; move === 'begin';) {
        move = rolloutMove({ ...begun, stage }, { total, done: total, failed: 0, withdrawn: 0 });
        moves.push(move);
        stage += 1;
      }
      expect(moves).toEqual([...Array.from({ length: begun.stages - 1 }, () => 'begin'), 'complete']);
    }),
  );
});

test('the steps share out all devices, the first at least one', () => {
  const shares = fc
    .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 9 })
    .map((some) => [...some.toSorted((a, b) => a - b), 100].map((percent) => ({ percent })));
  fc.assert(
    fc.property(shares, fc.integer({ min: 1, max: 100_000 }), (stages, total) => {
      const sizes = stageSizes(stages, total);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(total);
      expect(sizes.every((size) => size >= 0)).toBe(true);
      expect(sizes[0]).toBeGreaterThan(0);
    }),
  );
  expect(stageSizes([{ percent: 5 }, { percent: 25 }, { percent: 100 }], 1000)).toEqual([50, 200, 750]);
  expect(stageSizes([{ percent: 5 }, { percent: 25 }, { percent: 100 }], 2)).toEqual([1, 0, 1]);
});
