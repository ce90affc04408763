import type { Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { session } from '../platform/session.ts';
import { storage } from '../platform/storage.ts';
import { AddDevice } from './AddDevice.tsx';

const dealer = { id: '0190a000-0000-7000-8000-000000000001', username: 'dealer', phone: null };
const customer = { id: '0190a000-0000-7000-8000-000000000002', username: 'customer', phone: null, superior: dealer };

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  session.clear();
  queryClient.clear();
});

// Without a layout the list of owners would have no height, and no row in view.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
});

function logIn() {
  storage.setToken('token', 60);
  const headers: Record<string, string> = { role: 'leading', current: encodeURIComponent(JSON.stringify(dealer)) };
  act(() => session.take((name) => headers[name]));
}

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <AddDevice onClose={() => undefined} />
      </MemoryRouter>
    </QueryClientProvider>,
  );

test('a device that was being added when the session ended is added for the owner that was chosen then', async () => {
  const sent: unknown[] = [];
  vi.spyOn(api, 'transport').mockImplementation(async ({ method, url, body }: Call): Promise<Envelope<unknown>> => {
    if (method === 'POST') sent.push(body);
    const items = url.startsWith('/api/users') ? [customer] : [];
    return { code: 200, message: 'ok', data: { id: 'd', items, next: null, total: items.length } };
  });
  logIn();
  show();
  await userEvent.type(screen.getByLabelText('MAC address'), '02:00:00:00:00:01');
  await userEvent.click(screen.getByRole('button', { name: 'Owner' }));
  await userEvent.click(await screen.findByRole('option', { name: /customer/ }, { timeout: 5000 }));
  act(() => session.clear());
  cleanup();
  logIn();
  show();
  expect(screen.getByLabelText<HTMLInputElement>('MAC address').value).toBe('02:00:00:00:00:01');
  await userEvent.click(screen.getByRole('button', { name: 'Add device' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ mac: '02:00:00:00:00:01', ownerId: customer.id });
  expect(sent[0]).not.toHaveProperty('owner');
});
