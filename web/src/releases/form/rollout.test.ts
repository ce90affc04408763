import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSteps, rolloutBody, rolloutIssues, withStep } from './rollout.ts';

test('the usual steps are what the contract takes; all at once says nothing', () => {
  expect(rolloutIssues(inSteps())).toEqual([]);
  expect(rolloutBody(inSteps()).stages).toEqual([{ percent: 5 }, { percent: 25 }, { percent: 100 }]);
  expect(rolloutBody({ kind: 'atOnce' })).toEqual({});
});

test('falling shares and a last step that leaves devices out are refused', () => {
  const issues = (...percents: number[]) =>
    rolloutIssues({ kind: 'inSteps', percents, goOnAt: 90, stopAbove: 10 }).map(({ message }) => message);
  expect(issues(50, 20, 100)).toEqual(['stages.order']);
  expect(issues(10, 50)).toEqual(['stages.all']);
});

test('steps may be added until there is no room, and stay in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99 }), (first) => {
      let percents: readonly number[] = [first, 100];
      for (let more = withStep(percents); more; more = withStep(percents)) percents = more;
      expect(rolloutIssues({ kind: 'inSteps', percents, goOnAt: 90, stopAbove: 10 })).toEqual([]);
    }),
  );
});
