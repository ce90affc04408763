import type { Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { newOrder } from './order.ts';
import { TargetCard } from './TargetCard.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

const of = (total: number): Envelope<unknown> => ({ code: 200, message: 'ok', data: { items: [], next: null, total } });

function show(answer: () => Promise<Envelope<unknown>>): void {
  vi.spyOn(api, 'transport').mockImplementation(answer);
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <TargetCard
          owner={{ id: '0190a000-0000-7000-8000-000000000000', username: 'bakery1' }}
          orientation="vertical"
          ad={undefined}
          count={0}
          order={newOrder()}
          dual={false}
          onTarget={() => undefined}
          onStanding={() => undefined}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('nobody is said to have no devices while these are being counted or could not be', async () => {
  const { promise, resolve } = Promise.withResolvers<Envelope<unknown>>();
  let answer = promise;
  show(() => answer);
  const none = () => screen.queryByText('bakery1 has no devices yet');
  expect(none()).toBeNull();
  expect(screen.queryByText('All (0)')).toBeNull();
  resolve({ code: 0, error: 'NETWORK', message: 'Network Error' });
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(none()).toBeNull();
  answer = Promise.resolve(of(3));
  await userEvent.click(retry);
  await screen.findByText('All (3)');
  expect(screen.queryByRole('button', { name: 'Retry' })).toBeNull();
});

test('the form says that a user has no devices', async () => {
  show(() => Promise.resolve(of(0)));
  await screen.findByText('bakery1 has no devices yet');
});
