import type { Call, Envelope, PlaysHistory } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import ReportPage from './ReportPage.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const history = (from: string): PlaysHistory => ({
  ...{ from, to: '2026-11-27', unit: 'day', plays: 0, durationMs: 0, scans: 0, timeZones: [], points: [] },
  ...{ ad: null, device: null, file: null, owner: null, deviceGroup: null },
});

test('a spreadsheet is offered once the days that its name has are those that were chosen', async () => {
  let answer: (() => void) | undefined;
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const isOf30Days = url.includes('days=30');
    if (url.includes('history') && isOf30Days) await new Promise<void>((resolve) => (answer = resolve));
    const data = url.includes('history')
      ? history(isOf30Days ? '2026-10-29' : '2026-11-21')
      : { items: [], next: null, total: 0 };
    return { code: 200, message: 'ok', data };
  });
  const router = createMemoryRouter([{ path: '/reports', Component: ReportPage }], { initialEntries: ['/reports'] });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const canExport = () => !screen.getByRole<HTMLButtonElement>('button', { name: /\.xls/ }).disabled;
  await waitFor(() => expect(canExport()).toBe(true));
  await userEvent.click(screen.getByRole('button', { name: 'Last 30 days' }));
  await waitFor(() => expect(answer).toBeDefined());
  expect(canExport()).toBe(false);
  act(() => answer?.());
  await waitFor(() => expect(canExport()).toBe(true));
});
