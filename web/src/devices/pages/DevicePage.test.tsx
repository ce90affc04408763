import type { Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { device } from '../../../test/device.ts';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { deviceQuery } from '../../queries/devices.ts';
import { groupQuery } from '../../queries/groups.ts';
import DevicePage from './DevicePage.tsx';
import GroupPage from './GroupPage.tsx';

afterEach(() => {
  cleanup();
  queryClient.clear();
});

const first = device({ name: 'Hall', volume: 20 });
const second = device({ name: 'Foyer', id: '0190a000-0000-7000-8000-00000000000f', volume: 90 });
const groupOf = ({ id, name, owner, createdAt }: typeof first) => ({
  ...{ id, name, owner, createdAt, filter: {}, bookable: false, devices: 1, orientation: null, areas: [] },
});

/** Opens the page of the second thing, and returns a function that goes back to the first. */
function show(at: string, Component: () => React.ReactNode): () => Promise<void> {
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const found = [first, second].find(({ id }) => url.endsWith(id));
    const empty = { items: [], next: null, total: 1 };
    return { code: 200, message: 'ok', data: !found ? empty : url.includes('/groups/') ? groupOf(found) : found };
  });
  for (const each of [first, second]) {
    queryClient.setQueryData(deviceQuery(each.id).queryKey, each);
    queryClient.setQueryData(groupQuery(each.id).queryKey, groupOf(each));
  }
  const entries = [`${at}/${first.id}`, `${at}/${second.id}`];
  const router = createMemoryRouter([{ path: `${at}/:id`, Component }], { initialEntries: entries });
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return () => act(() => router.navigate(-1));
}

test('a sheet that was filled in for one device is not shown for another after going back', async () => {
  const back = show('/mac', DevicePage);
  await userEvent.click(await screen.findByRole('button', { name: 'Volume and brightness' }));
  expect(screen.getByLabelText<HTMLInputElement>('Volume (%)').value).toBe('90');
  await back();
  expect(await screen.findByRole('heading', { name: 'Hall' })).toBeDefined();
  expect(screen.queryByLabelText('Volume (%)')).toBeNull();
});

test('actions that were opened for one group are not there for another after going back', async () => {
  const back = show('/groups', GroupPage);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions on all devices' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Actions' })).toBeDefined());
  await back();
  expect(await screen.findByRole('heading', { name: 'Hall' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Actions' })).toBeNull();
});
