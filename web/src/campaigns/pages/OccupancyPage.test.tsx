import type { AreaOccupancy } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import OccupancyPage from './OccupancyPage.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

test('of many areas, the 50 fullest are shown until all are asked for', async () => {
  const areas = Array.from({ length: 60 }, (_, n) => ({
    ...{ area: `Area ${n}`, devices: 1, booked: [0, n / 100], bottleneck: null },
  }));
  const data: AreaOccupancy = { weeks: ['2026-11-23', '2026-11-30'], current: 0, areas };
  vi.spyOn(api, 'transport').mockResolvedValue({ code: 200, message: 'ok', data });
  const router = createMemoryRouter([{ path: '/occupancy', Component: OccupancyPage }], {
    initialEntries: ['/occupancy'],
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const named = async () => (await screen.findAllByRole('heading', { level: 2 })).map(({ textContent }) => textContent);
  const fullest = Array.from({ length: 60 }, (_, n) => `Area ${59 - n}`);
  expect(await named()).toEqual(fullest.slice(0, 50));
  fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
  expect(await named()).toEqual(fullest);
});
