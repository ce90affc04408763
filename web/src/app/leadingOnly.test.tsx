import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import AppUploadPage from '../apps/pages/AppUploadPage.tsx';
import ApprovalsPage from '../campaigns/pages/ApprovalsPage.tsx';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { session } from '../platform/session.ts';
import { storage } from '../platform/storage.ts';
import AddUserPage from '../users/pages/AddUserPage.tsx';
import InvitationsPage from '../users/pages/InvitationsPage.tsx';

const takeRole = (role: string | undefined) => act(() => session.take((name) => (name === 'role' ? role : undefined)));

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  session.clear();
  queryClient.clear();
});

function show(PageOf: ComponentType) {
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
}

const refusal = () => screen.queryByRole('heading', { name: 'Only a leader can do this' });

test.each([
  ['add a user', AddUserPage, 'Add user'],
  ['create invitation codes', InvitationsPage, 'Create codes'],
])('members are not offered to %s, which the server refuses; leading users are', async (_, PageOf, button) => {
  show(PageOf);
  expect(screen.getByRole('button', { name: button })).toBeTruthy();
  takeRole(undefined);
  expect(screen.getByRole('button', { name: button })).toBeTruthy();
  takeRole('member');
  expect(screen.queryByRole('button', { name: button })).toBeNull();
  expect(refusal()).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Go to the home page' }).getAttribute('href')).toBe('/');
});

test.each([
  ['approve requests', ApprovalsPage, 'Campaigns', '/campaigns'],
  ['upload software', AppUploadPage, 'Device software', '/applist'],
])('members who open the page to %s read that it is not for them, and where to go', async (_, PageOf, link, to) => {
  show(PageOf);
  expect(refusal()).toBeNull();
  takeRole('member');
  expect(refusal()).toBeTruthy();
  expect(screen.getByRole('link', { name: link }).getAttribute('href')).toBe(to);
});
