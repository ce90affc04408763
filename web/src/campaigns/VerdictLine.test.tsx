import type { Campaign } from '@ams/contract';
import { cleanup, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { VerdictLine } from './VerdictLine.tsx';

const campaign = (phase: Campaign['phase'], ordered: number, progress: Campaign['progress']) =>
  ({
    ...{ state: 'booked', phase, ordered, progress, changed: false, actions: [] },
    schedule: { from: '2026-11-01', to: '2026-11-20' },
  }) as unknown as Campaign;

const toneOf = (shown: Campaign): string => {
  render(<VerdictLine campaign={shown} />);
  const { className } = screen.getByRole('status');
  cleanup();
  return className.split(' ').at(-1) ?? '';
};

test('a campaign behind its plan or below its order does not look as if all was well', () => {
  const running = (delivered: number, short = 0) =>
    toneOf(campaign('running', 1000, { delivered, due: 500, forecast: 1000, short }));
  expect(running(500)).toMatch(/good/);
  expect(running(400)).toMatch(/warning/);
  expect(running(400, 100)).toMatch(/bad/);
  const completed = (delivered: number) =>
    toneOf(campaign('completed', 1000, { delivered, due: 1000, forecast: delivered, short: 0 }));
  expect(completed(1000)).toMatch(/good/);
  expect(completed(600)).toMatch(/bad/);
});
