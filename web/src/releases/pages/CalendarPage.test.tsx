import type { Calendar, CalendarSlot, Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { device } from '../../../test/device.ts';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import CalendarPage from './CalendarPage.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const hall = device({ name: 'Hall' });
const release = { id: '0190a000-0000-7000-8000-0000000000aa', priority: 'normal', open: true } as const;
const DAY_MS = 86_400_000;

/** One ad plays all the time from the day before the first one on. */
function calendarFrom(from: string): Calendar {
  const at = Date.parse(from);
  const [begin, end] = [new Date(at - DAY_MS).toISOString(), new Date(at + 9 * DAY_MS).toISOString()];
  const slot: CalendarSlot = { from: begin, to: end, state: 'plays', releases: [release.id], plays: null };
  return {
    at: begin,
    devices: 1,
    classes: [{ devices: 1, example: hall, timeZone: hall.timeZone, screens: { main: [slot], secondary: null } }],
    releases: [{ ...release, ad: { id: release.id, name: 'Menu' } }],
  };
}

test('days that are still loading are not said to be without plays', async () => {
  let answer: (() => void) | undefined;
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const from = /calendar.*[?&]from=([\d-]+)/.exec(url)?.[1];
    if (from === undefined) return { code: 200, message: 'ok', data: hall };
    if (from !== '2026-11-16') await new Promise<void>((resolve) => (answer = resolve));
    return { code: 200, message: 'ok', data: calendarFrom(from) };
  });
  const router = createMemoryRouter([{ path: '/calendar', Component: CalendarPage }], {
    initialEntries: [`/calendar?device=${hall.id}&date=2026-11-20`],
  });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(screen.getAllByText('Menu')).toHaveLength(7));
  await userEvent.click(screen.getByRole('button', { name: 'Later' }));
  await waitFor(() => expect(answer).toBeDefined());
  expect(screen.queryAllByText('No plays reported')).toEqual([]);
  act(() => answer?.());
  await waitFor(() => expect(screen.getAllByText('Menu')).toHaveLength(7));
});
