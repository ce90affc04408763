import type { Availability, AvailabilityBody, Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { AvailabilityCard } from './AvailabilityCard.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

const body = (goal: AvailabilityBody['goal']): AvailabilityBody => ({
  customerId: '0190a000-0000-7000-8000-000000000000',
  adIds: [],
  devices: { filter: {} },
  schedule: { from: '2027-01-01', to: '2027-01-31' },
  goal,
});

const availability = (largest: number): Availability => ({
  feasible: true,
  largest,
  devices: 8,
  spotMs: 10_000,
  plays: 5000,
  free: Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 1)),
  bottlenecks: [],
});

/** Answers only goals of plays an hour. */
const answerPerHour = (): void =>
  void vi.spyOn(api, 'transport').mockImplementation(({ body: asked }: Call): Promise<Envelope<unknown>> => {
    const isPerHour = JSON.stringify(asked).includes('"perHour"');
    return isPerHour
      ? Promise.resolve({ code: 200, message: 'ok', data: availability(280) })
      : new Promise(() => undefined);
  });

const card = (goal: AvailabilityBody['goal']) => (
  <QueryClientProvider client={queryClient}>
    <MemoryRouter>
      <AvailabilityCard body={body(goal)} onGoal={() => undefined} />
    </MemoryRouter>
  </QueryClientProvider>
);

test('the largest goal of one kind is not offered for another kind while the next answer is awaited', async () => {
  answerPerHour();
  const { rerender } = render(card({ kind: 'perHour', value: 6 }));
  expect(await screen.findByText(/Largest goal that fits: 280 plays/)).toBeTruthy();
  rerender(card({ kind: 'total', value: 50_000 }));
  expect(screen.queryByText(/Largest goal that fits/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Use it' })).toBeNull();
  expect(
    screen
      .getByText(/There is room/)
      .closest('[aria-busy]')
      ?.getAttribute('aria-busy'),
  ).toBe('true');
});
