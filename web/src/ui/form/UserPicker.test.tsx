import type { Envelope, Page, User } from '@ams/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { pageQuery } from '../../platform/query.ts';
import { UserPicker } from './UserPicker.tsx';

const user = (username: string): User => ({
  id: `id-${username}`,
  username,
  role: 'member',
  phone: null,
  superior: { id: 'id-root', username: 'root', phone: null },
  disabled: false,
  remark: null,
  mp4: 0,
  img: 0,
  ad_num: 0,
  devices: 0,
  invitations: 0,
  quotaBytes: null,
  usedBytes: 0,
  secondFactor: false,
  secondFactorBelow: false,
  releasesNeedApproval: false,
  workingHours: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  lastLoginAt: null,
});

const found = (names: string[]): Envelope<Page<User>> => ({
  code: 200,
  message: '',
  data: { items: names.map(user), next: null },
});

// Without a layout the list would have no height, and no row in view.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
});

function show(onPick: (user: User) => void) {
  const search = vi.fn((q: string) => found(['anna', 'bert', 'berta'].filter((name) => name.includes(q))));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <UserPicker query={(q) => pageQuery(['pick', q], async () => search(q))} onPick={onPick} onClose={vi.fn()} />
    </QueryClientProvider>,
  );
  return search;
}

test('the users are a list; a press picks one', async () => {
  const onPick = vi.fn();
  show(onPick);
  await vi.waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(3));
  await userEvent.click(screen.getByRole('option', { name: /^bert\s*root/ }));
  expect(onPick).toHaveBeenCalledWith(expect.objectContaining({ username: 'bert' }));
});

test('typing searches, the arrow keys choose without leaving the field, and Enter picks', async () => {
  const onPick = vi.fn();
  const search = show(onPick);
  const box = await screen.findByRole('searchbox');
  box.focus();
  // In one piece: a busy computer may type more slowly than the search waits.
  await userEvent.paste('bert');
  await vi.waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
  expect(search.mock.calls.map(([q]) => q)).toEqual(['', 'bert']);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}');
  expect(document.activeElement).toBe(box);
  await userEvent.keyboard('{Enter}');
  expect(onPick).toHaveBeenCalledWith(expect.objectContaining({ username: expect.stringMatching(/^bert/) }));
});

test('a search without matches says so', async () => {
  show(vi.fn());
  await userEvent.type(await screen.findByRole('searchbox'), 'zoe');
  expect(await screen.findByText('No users')).toBeTruthy();
});
