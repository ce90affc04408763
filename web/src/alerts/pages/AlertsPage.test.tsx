import type { Alerts, Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
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

test('the form begins with the alerts as they are now, not as an earlier visit left them', async () => {
  queryClient.setQueryData(alertsQuery.queryKey, EARLIER, { updatedAt: 1 });
  const sent: unknown[] = [];
  vi.spyOn(api, 'transport').mockImplementation(async ({ method, body }: Call): Promise<Envelope<unknown>> => {
    if (method !== 'GET') sent.push(body);
    return { code: 200, message: 'ok', data: NOW };
  });
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <AlertsPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ email: NOW.email, offlineMinutes: NOW.offlineMinutes });
});
