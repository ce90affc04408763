import type { Release, Rollout } from '@ams/contract';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { RolloutCard } from './RolloutCard.tsx';

const step = { percent: 50, total: 4, done: 0, failed: 0, startedAt: null };
const rollout: Rollout = {
  stages: [
    { ...step, startedAt: '2026-11-29T12:00:00.000Z' },
    { ...step, percent: 100 },
  ],
  stage: 0,
  state: 'paused',
  goOnAt: 90,
  stopAbove: 10,
  reason: null,
};

test.each([
  { withdrawnAt: null, hints: 1 },
  { withdrawnAt: '2026-11-29T13:00:00.000Z', hints: 0 },
])('a release announces its next step until it is withdrawn (%o)', ({ withdrawnAt, hints }) => {
  const release = { id: '0190a000-0000-7000-8000-0000000000aa', withdrawnAt, rollout } as unknown as Release;
  render(<RolloutCard release={release} rollout={rollout} />);
  expect(screen.queryAllByText('Starts when step 1 is done on 90%')).toHaveLength(hints);
});
