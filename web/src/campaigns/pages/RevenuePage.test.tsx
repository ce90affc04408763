import type { Revenue } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import RevenuePage from './RevenuePage.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const idOf = (n: number): string => `0190a000-0000-7000-8000-${String(n).padStart(12, '0')}`;

type Behind = Revenue['behind'];

/** Customers whose campaigns are behind, each with so many of them. */
const behindOf = (customers: number, campaigns: number): Behind =>
  Array.from({ length: customers }, (_, customer) => ({
    customer: { id: idOf(customer), username: `customer${customer}`, phone: null },
    missing: 1,
    campaigns: Array.from({ length: campaigns }, (_each, n) => ({ id: idOf(n), name: `Campaign ${n}`, missing: 1 })),
  }));

async function show(behind: Behind): Promise<HTMLElement> {
  const now = { month: '2026-11', sums: [{ currency: 'EUR', delivered: '1.00', ordered: '2.00' }] };
  const data: Revenue = { ...{ from: '2026-06', to: '2026-11', months: [], rows: [], totals: [] }, now, behind };
  vi.spyOn(api, 'transport').mockResolvedValue({ code: 200, message: 'ok', data });
  const router = createMemoryRouter([{ path: '/revenue', Component: RevenuePage }], { initialEntries: ['/revenue'] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const card = (await screen.findByRole('heading', { name: 'Campaigns behind plan' })).closest('section');
  if (!card) throw new Error('no card');
  return card;
}

test('of many customers behind plan, the first 50 are named until all are asked for, or printed', async () => {
  const card = within(await show(behindOf(60, 1)));
  expect(card.getAllByRole('listitem')).toHaveLength(50);
  fireEvent(window, new Event('beforeprint'));
  expect(card.getAllByRole('listitem')).toHaveLength(60);
  fireEvent(window, new Event('afterprint'));
  expect(card.getAllByRole('listitem')).toHaveLength(50);
  fireEvent.click(card.getByRole('button', { name: 'Show all' }));
  expect(card.getAllByRole('listitem')).toHaveLength(60);
  expect(card.queryByRole('button', { name: 'Show all' })).toBeNull();
});

test('of many campaigns of a customer, the first five are named', async () => {
  const card = within(await show(behindOf(1, 6)));
  expect(card.getByRole('link').textContent).toBe(
    'customer0: Campaign 0, Campaign 1, Campaign 2, Campaign 3, Campaign 4, …',
  );
});
