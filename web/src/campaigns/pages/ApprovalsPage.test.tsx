import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { session } from '../../platform/session.ts';
import ApprovalsPage from './ApprovalsPage.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
  session.clear();
});

test('requests that could not be loaded are not called none', async () => {
  session.take((name) => (name === 'role' ? 'leading' : undefined));
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }) =>
    url.startsWith('/api/releases')
      ? { code: 0, error: 'NETWORK', message: 'Network Error' }
      : { code: 200, message: 'ok', data: { items: [], next: null } },
  );
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <ApprovalsPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'Retry' });
  expect(screen.queryByText('Nothing to approve')).toBeNull();
});
