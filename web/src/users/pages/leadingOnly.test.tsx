import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import AddUserPage from './AddUserPage.tsx';
import InvitationsPage from './InvitationsPage.tsx';

const takeRole = (role: string | undefined) => act(() => session.take((name) => (name === 'role' ? role : undefined)));

afterEach(() => {
  vi.restoreAllMocks();
  session.clear();
  queryClient.clear();
});

test.each([
  ['add a user', AddUserPage, 'Add user'],
  ['create invitation codes', InvitationsPage, 'Create codes'],
])('members are not offered to %s, which the server refuses; leading users are', async (_, PageOf, button) => {
  vi.spyOn(api, 'transport').mockResolvedValue({ code: 200, message: 'ok', data: { items: [], next: null } });
  storage.setToken('token', 60);
  takeRole('leading');
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <PageOf />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(screen.getByRole('button', { name: button })).toBeTruthy();
  takeRole(undefined);
  expect(screen.getByRole('button', { name: button })).toBeTruthy();
  takeRole('member');
  expect(screen.queryByRole('button', { name: button })).toBeNull();
  expect(screen.getByRole('heading', { name: 'Only a leader can do this' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
});
