import type { Alerts, Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import { alertsQuery } from '../../queries/alerts.ts';
import AlertsPage from './AlertsPage.tsx';

afterEach(() => {
  // While it is shown, the page calls the server.
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

const NOW: Alerts = {
  email: 'night@shop.example',
  emailConfirmed: true,
  webhook: null,
  offlineMinutes: 10,
  expiringDays: 30,
  group: null,
  secret: '',
  trouble: { email: null, webhook: null },
  mail: true,
};
/** The answer that this browser kept of an earlier visit. */
const EARLIER: Alerts = { ...NOW, email: 'former@shop.example', offlineMinutes: null };

/** Opens the page; returns what is sent. `stored` are the alerts that the server has at each moment. */
function show(stored: () => Alerts): unknown[] {
  const sent: unknown[] = [];
  vi.spyOn(api, 'transport').mockImplementation(async ({ method, body }: Call): Promise<Envelope<unknown>> => {
    if (method !== 'GET') sent.push(body);
    return { code: 200, message: 'ok', data: stored() };
  });
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <AlertsPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return sent;
}

const field = (name: RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

test('the form begins with the alerts as they are now, not as an earlier visit left them', async () => {
  queryClient.setQueryData(alertsQuery.queryKey, EARLIER, { updatedAt: 1 });
  show(() => NOW);
  expect((await field(/e-mail/i)).value).toBe(NOW.email);
  expect(screen.getByRole<HTMLInputElement>('spinbutton', { name: /longer than/ }).value).toBe('10');
});

test('saving sends what was changed, and leaves what somebody else set meanwhile', async () => {
  let stored = NOW;
  const sent = show(() => stored);
  const email = await field(/e-mail/i);
  await userEvent.clear(email);
  await userEvent.type(email, 'day@shop.example');
  // The answer has the webhook that a colleague entered.
  stored = { ...NOW, email: 'day@shop.example', webhook: 'https://hook.example/' };
  await save();
  await waitFor(() => expect(sent).toEqual([{ email: 'day@shop.example' }]));
  expect((await field(/webhook/i)).value).toBe('https://hook.example/');
  await userEvent.clear(email);
  await userEvent.type(email, 'night@shop.example');
  await save();
  await waitFor(() => expect(sent.slice(1)).toEqual([{ email: 'night@shop.example' }]));
});

test('what was typed when the session ended is there after the next log-in', async () => {
  const logIn = () => {
    storage.setToken('token', 60);
    const headers = new Map([
      ['role', 'leading'],
      ['current', encodeURIComponent(JSON.stringify({ id: 'office', username: 'office', name: 'office' }))],
    ]);
    act(() => session.take((name) => headers.get(name)));
  };
  logIn();
  show(() => NOW);
  const email = await field(/e-mail/i);
  await userEvent.clear(email);
  await userEvent.type(email, 'day@shop.example');
  act(() => session.clear());
  cleanup();
  queryClient.clear();
  logIn();
  show(() => NOW);
  expect((await field(/e-mail/i)).value).toBe('day@shop.example');
  act(() => session.clear());
});
