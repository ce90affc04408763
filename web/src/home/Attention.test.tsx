import type { Call, Envelope, HomeSummary } from '@ams/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { session } from '../platform/session.ts';
import { Attention } from './Attention.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  session.clear();
});

const summary = {
  devices: { offline: 0, failed: 0, expiring: 0, stalled: 0 },
  rejectedReleases: 0,
  rejectedCampaigns: 0,
} as HomeSummary;

function show(): void {
  act(() => session.take((name) => (name === 'role' ? 'leading' : undefined)));
  render(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <MemoryRouter>
        <Attention summary={summary} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const page = (items: unknown[], next: string | null = null, total = items.length): Envelope<unknown> => ({
  code: 200,
  message: 'ok',
  data: { items, next, total },
});

test('requests and campaigns that could not be counted are named, with Retry', async () => {
  let works = false;
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call) => {
    if (!works) return { code: 503, error: 'UNAVAILABLE', message: 'Busy' };
    return url.includes('short=true') ? page([], null, 7) : page([{ actions: ['approve'] }]);
  });
  show();
  expect(await screen.findAllByText('Could not load')).toHaveLength(2);
  works = true;
  for (const button of screen.getAllByRole('button', { name: 'Retry' })) await userEvent.click(button);
  expect((await screen.findByRole('link', { name: /Requests to approve/ })).textContent).toContain('2');
  expect((await screen.findByRole('link', { name: /short of plays/ })).textContent).toContain('7');
  expect(screen.queryByText('Could not load')).toBeNull();
});

test('requests beyond the first page are counted too', async () => {
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call) =>
    url.includes('short=true') ? page([]) : page([{ actions: ['approve'] }], '2', 150),
  );
  show();
  expect((await screen.findByRole('link', { name: /Requests to approve/ })).textContent).toContain('300');
});
