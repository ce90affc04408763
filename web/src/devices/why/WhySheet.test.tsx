import type { Call, DeviceProgramme, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { device } from '../../../test/device.ts';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { WhySheet } from './WhySheet.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const hall = device({ name: 'Hall' });

const programme = (at: string): DeviceProgramme => ({
  ...{ at, timeZone: hall.timeZone, expired: false },
  verdict: { kind: 'nothing', reason: null, until: null },
  differences: { main: null, secondary: null },
  screens: { main: [], secondary: [] },
});

test('the answer about one moment is not shown for another one that is loading', async () => {
  let answer: (() => void) | undefined;
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    if (/[?&]at=/.test(url)) await new Promise<void>((resolve) => (answer = resolve));
    return { code: 200, message: 'ok', data: programme('2026-11-27T12:00:00.000Z') };
  });
  const Component = () => <WhySheet device={hall} onClose={() => undefined} />;
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={createMemoryRouter([{ path: '/', Component }])} />
    </QueryClientProvider>,
  );
  const answered = () => screen.queryByText('Nothing was released to it at this time') !== null;
  await waitFor(() => expect(answered()).toBe(true));
  await userEvent.click(screen.getByRole('button', { name: '+ 1 hr' }));
  await waitFor(() => expect(answer).toBeDefined());
  expect(answered()).toBe(false);
  act(() => answer?.());
  await waitFor(() => expect(answered()).toBe(true));
});
