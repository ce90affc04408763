import type { Release } from '@ams/contract';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ReleaseSums } from './ReleaseSums.tsx';

const counts = { total: 5, planned: 0, waiting: 0, downloading: 0, done: 3, failed: 0, missed: 2 };
const MISSED = 'Not received';

test.each([
  { withdrawnAt: null, shown: undefined, words: ['Done', 'Downloading', 'Waiting', 'Failed', MISSED] },
  // A release that is over gets no further.
  { withdrawnAt: '2026-11-29T13:00:00.000Z', shown: undefined, words: ['Done', MISSED] },
  // Without its button, nobody could show all devices again.
  {
    withdrawnAt: null,
    shown: 'planned' as const,
    words: ['Done', 'Downloading', 'Waiting', 'Failed', 'Planned', MISSED],
  },
])(
  'shows the sums that can change, those of devices, and the one that is chosen (%o)',
  ({ withdrawnAt, shown, words }) => {
    const release = { withdrawnAt, counts } as unknown as Release;
    render(<ReleaseSums release={release} shown={shown} onShow={() => undefined} />);
    const found = screen.getAllByRole('button').map(({ textContent }) => textContent.replace(/^\d+/, ''));
    expect(found).toEqual(words);
  },
);
