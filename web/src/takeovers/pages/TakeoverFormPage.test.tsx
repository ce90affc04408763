import type { Ad, Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import TakeoverFormPage from './TakeoverFormPage.tsx';

const dealer = { id: '0190a000-0000-7000-8000-000000000001', username: 'dealer', phone: null };
const ad: Pick<Ad, 'id' | 'name' | 'orientation' | 'dual' | 'updatedAt'> = {
  id: '0190a000-0000-7000-8000-000000000002',
  name: 'Fire alarm',
  orientation: 'vertical',
  dual: false,
  updatedAt: '2026-11-21T12:00:00.000Z',
};

afterEach(() => {
  // While it is shown, the page calls the server.
  cleanup();
  vi.restoreAllMocks();
  session.clear();
  queryClient.clear();
});

/** An answer of the server, or of a proxy, which knows nobody. */
const answered = (role?: 'leading' | 'member') => {
  const headers = new Map([['current', encodeURIComponent(JSON.stringify(dealer))]]);
  if (role) headers.set('role', role);
  act(() => session.take((name) => headers.get(name)));
};

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[`/takeover?ad=${ad.id}`]}>
        <TakeoverFormPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );

test('what was filled in stays while a proxy answers for the server', async () => {
  storage.setToken('token', 60);
  answered('leading');
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const data = url.startsWith('/api/ads/') ? ad : { items: [], next: null, total: 0, secondFactor: true };
    return { code: 200, message: 'ok', data };
  });
  show();
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  answered();
  answered('leading');
  expect((await screen.findByLabelText<HTMLInputElement>('Code')).value).toBe('123456');
  answered('member');
  expect(screen.queryByLabelText('Code')).toBeNull();
});

test('after a refusal because the ad was edited meanwhile, the next try is for the ad as it is now', async () => {
  answered('leading');
  const edited = '2026-11-21T12:30:00.000Z';
  const sent: unknown[] = [];
  let updatedAt = ad.updatedAt;
  vi.spyOn(api, 'transport').mockImplementation(async ({ method, url, body }: Call): Promise<Envelope<unknown>> => {
    if (method === 'GET') {
      const data = url.startsWith('/api/ads/') ? { ...ad, updatedAt } : { items: [], next: null, total: 0 };
      return { code: 200, message: 'ok', data };
    }
    sent.push(body);
    return { code: 409, error: 'CHANGED_MEANWHILE', message: 'Someone else has changed this.' };
  });
  show();
  const button = await screen.findByRole('button', { name: 'Hold to take over' });
  updatedAt = edited;
  for (const version of [ad.updatedAt, edited]) {
    const tries = sent.length;
    fireEvent.keyDown(button, { key: 'Enter' });
    await waitFor(() => expect(sent).toHaveLength(tries + 1), { timeout: 5000 });
    expect(sent.at(-1)).toMatchObject({ adId: ad.id, updatedAt: version });
    await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull());
  }
});

test('after a session has ended, the form has the group and the length that its person chose', async () => {
  const group = { id: '0190a000-0000-7000-8000-000000000003', name: 'North', devices: 2, filter: {} };
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const list = { items: url.startsWith('/api/groups') ? [group] : [], next: null, total: 0, secondFactor: true };
    return { code: 200, message: 'ok', data: url.startsWith('/api/ads/') ? ad : list };
  });
  const isChecked = async (name: RegExp) => (await screen.findByRole<HTMLInputElement>('radio', { name })).checked;
  const logIn = () => {
    storage.setToken('token', 60);
    answered('leading');
  };
  logIn();
  show();
  await userEvent.click(await screen.findByRole('radio', { name: /North/ }));
  await userEvent.click(screen.getByRole('radio', { name: '4 hr' }));
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  act(() => session.clear());
  cleanup();
  logIn();
  show();
  expect(await isChecked(/North/)).toBe(true);
  expect(await isChecked(/^4 hr$/)).toBe(true);
  expect((await screen.findByLabelText<HTMLInputElement>('Code')).value, 'it was for that moment').toBe('');
});

test('groups that could not be loaded are not taken for none: Retry loads them', async () => {
  const group = { id: '0190a000-0000-7000-8000-000000000003', name: 'North', devices: 2, filter: {} };
  let works = false;
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const isGroups = url.startsWith('/api/groups');
    if (isGroups && !works) return { code: 503, error: 'UNAVAILABLE', message: 'Busy' };
    const list = { items: isGroups ? [group] : [], next: null, total: 0, secondFactor: false };
    return { code: 200, message: 'ok', data: url.startsWith('/api/ads/') ? ad : list };
  });
  answered('leading');
  show();
  expect(await screen.findByText('Could not load')).toBeTruthy();
  works = true;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByRole('radio', { name: /North/ })).toBeTruthy();
  expect(screen.queryByText('Could not load')).toBeNull();
});

test('a colleague is asked for a code of the own second factor, not of that of the account', async () => {
  const factors = { holder: false, colleague: true };
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    if (url.startsWith('/api/ads/')) return { code: 200, message: 'ok', data: ad };
    const secondFactor = url.startsWith('/api/colleagues/self') ? factors.colleague : factors.holder;
    return { code: 200, message: 'ok', data: { items: [], next: null, total: 0, secondFactor } };
  });
  const person = { id: '0190a000-0000-7000-8000-000000000004', username: 'ann', name: 'Ann', access: 'operator' };
  const headers = new Map([
    ['role', 'leading'],
    ...Object.entries({ current: dealer, person }).map(
      ([name, value]) => [name, encodeURIComponent(JSON.stringify(value))] as const,
    ),
  ]);
  act(() => session.take((name) => headers.get(name)));
  show();
  expect(await screen.findByLabelText('Code')).toBeTruthy();
});
