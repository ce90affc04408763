import type { Call } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { MemoryRouter, Route, Routes } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { updateGroup } from '../../queries/groups.ts';
import GroupPage from './GroupPage.tsx';

const group = {
  id: '0190a000-0000-7000-8000-000000000003',
  name: 'North',
  owner: { id: '0190a000-0000-7000-8000-000000000001', username: 'admin' },
  filter: null,
  bookable: true,
  devices: 0,
  areas: [],
  orientation: null,
};

afterEach(() => {
  vi.restoreAllMocks();
  queryClient.clear();
});

function open(): void {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[`/groups/${group.id}`]}>
        <Routes>
          <Route path="/groups/:id" element={<GroupPage />} />
        </Routes>
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

test('the number of devices stands beside its name', async () => {
  vi.spyOn(api, 'transport').mockResolvedValue({ code: 200, message: 'ok', data: { ...group, devices: 1142 } });
  open();
  await screen.findByText('1,142');
});

test('a group that somebody deleted while its page was open is gone after the first change that fails', async () => {
  let isDeleted = false;
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call) =>
    isDeleted
      ? { code: 404, error: 'NOT_FOUND', message: 'Not found' }
      : { code: 200, message: 'ok', data: url.endsWith(group.id) ? group : { items: [], next: null } },
  );
  open();
  await screen.findByRole('heading', { name: group.name });
  isDeleted = true;
  await act(() => updateGroup(group.id, { bookable: false }));
  await screen.findByRole('heading', { name: 'Page not found' });
  expect(screen.queryByRole('heading', { name: group.name })).toBeNull();
});
