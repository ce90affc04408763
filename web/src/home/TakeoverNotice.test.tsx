import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { TakeoverNotice } from './TakeoverNotice.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const takeover = (id: string) => ({
  ...{ id, ad: { id, name: `Alarm ${id}` }, operator: null, state: 'running', endsAt: null },
  counts: { total: 1, ready: 1, told: 1, showing: 1 },
});

test('running takeovers beyond the ones that are shown are counted and linked', async () => {
  const items = ['1', '2', '3', '4', '5'].map(takeover);
  vi.spyOn(api, 'transport').mockResolvedValue({ code: 200, message: 'ok', data: { items, next: 'more', total: 25 } });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <TakeoverNotice />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect((await screen.findAllByRole('link', { name: 'Open takeover' })).length).toBe(5);
  expect(screen.getByRole('link', { name: 'More running takeovers: 20' }).getAttribute('href')).toBe(
    '/releases?active=true',
  );
});
