import { addDays, type Call, type Envelope, type Statement } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import StatementPage from './StatementPage.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const statement = (from: string): Statement => ({
  campaign: { id: '0190a000-0000-7000-8000-0000000000aa', name: 'Autumn', customer: 'lumen' },
  ...{ from, to: '2026-11-30', timeZones: ['UTC'], ordered: 0, due: 0, delivered: 0, durationMs: 0 },
  ...{ missed: 0, extra: 0, makeGoods: 0, gaps: [], scans: null, days: [], areas: [], devices: [], creatives: [] },
  price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
  ...{ lines: [], amount: '0.00', currency: 'EUR', createdAt: '2026-11-27T12:00:00.000Z' },
});

function show(): void {
  const { id } = statement('').campaign;
  const router = createMemoryRouter([{ path: '/campaigns/:id/statement', Component: StatementPage }], {
    initialEntries: [`/campaigns/${id}/statement`],
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

test('a statement is printed and exported only while it is that of the chosen days', async () => {
  let answer: (() => void) | undefined;
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const from = /from=([\d-]+)/.exec(url)?.[1];
    if (from !== undefined) await new Promise<void>((resolve) => (answer = resolve));
    return { code: 200, message: 'ok', data: statement(from ?? '2026-10-01') };
  });
  show();
  const offered = () =>
    [/Print/, /\.xls/, /Share/].map((name) => !screen.getByRole<HTMLButtonElement>('button', { name }).disabled);
  await waitFor(() => expect(offered()).toEqual([true, true, true]));
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } });
  await waitFor(() => expect(answer).toBeDefined());
  expect(offered()).toEqual([false, false, false]);
  act(() => answer?.());
  await waitFor(() => expect(offered()).toEqual([true, true, true]));
});

test('a statement is printed with all rows, to a file of its name, however printing begins', async () => {
  const days = Array.from({ length: 60 }, (_, n) => ({
    ...{ day: addDays('2026-10-01', n), ordered: 1, due: 1, delivered: 1, durationMs: 1000, scans: 0 },
  }));
  const data = { ...statement('2026-10-01'), days };
  vi.spyOn(api, 'transport').mockResolvedValue({ code: 200, message: 'ok', data });
  show();
  const rows = async () => (await screen.findByRole('region', { name: 'Day' })).querySelectorAll('tbody tr').length;
  expect(await rows()).toBe(50);
  document.title = 'before';
  fireEvent(window, new Event('beforeprint'));
  expect(await rows()).toBe(60);
  expect(screen.getByText(/^As of Nov 27, 2026, /)).toBeTruthy();
  expect(document.title).toBe('statement Autumn 2026-10-01 2026-11-30');
  fireEvent(window, new Event('afterprint'));
  expect(document.title).toBe('Advertising Management System');
});
