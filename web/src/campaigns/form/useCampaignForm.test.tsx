import type { Campaign } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { draftOf } from './draft.ts';
import { useCampaignForm } from './useCampaignForm.ts';

const id = (n: number) => `0190a000-0000-7000-8000-00000000000${n}`;
const CAMPAIGN = {
  id: id(1),
  name: 'Autumn sale',
  customer: { id: id(2), username: 'anna' },
  creatives: [{ ad: { id: id(3), name: 'Poster' } }],
  orientation: 'vertical',
  devices: { group: id(4) },
  standing: false,
  schedule: { from: '2090-01-01', to: '2090-01-31' },
  goal: { kind: 'perHour', value: 6 },
  price: { kind: 'fixed', amount: '100', currency: 'EUR' },
  updatedAt: '2026-11-21T12:00:00.000Z',
  actions: ['update'],
} as unknown as Campaign;

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

const Around = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>
    <MemoryRouter>{children}</MemoryRouter>
  </QueryClientProvider>
);

test('a campaign that somebody deleted meanwhile is saved as a new one', async () => {
  const transport = vi.spyOn(api, 'transport').mockImplementation(async ({ method, url }) => {
    if (url === `/api/campaigns/${CAMPAIGN.id}`) return { code: 404, error: 'NOT_FOUND', message: 'Not found' };
    const data = method === 'POST' ? { ...CAMPAIGN, id: id(5) } : { items: [], next: null };
    return { code: 200, message: 'ok', data };
  });
  const start = { draft: { ...draftOf(CAMPAIGN), name: 'Winter sale' }, base: CAMPAIGN, isUnanswered: false };
  const { result } = renderHook(() => useCampaignForm(start, () => undefined), { wrapper: Around });
  await act(() => result.current.send('save'));
  await act(() => result.current.send('save'));
  const made = transport.mock.calls.flatMap(([{ method, url, body }]) =>
    method === 'POST' && url === '/api/campaigns' ? [body] : [],
  );
  expect(made).toEqual([expect.objectContaining({ name: 'Winter sale', customerId: id(2) })]);
});
