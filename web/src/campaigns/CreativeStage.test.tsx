import type { Envelope, Failure } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../platform/api.ts';
import { queryClient } from '../platform/query.ts';
import { CreativeStage } from './CreativeStage.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  queryClient.clear();
});

const ad = {
  id: '0190a000-0000-7000-8000-000000000001',
  name: 'Autumn',
  orientation: 'vertical',
  split: 'full',
  background: '#000000',
  qr: null,
  regions: { full: [] },
};
const ok = (data: unknown): Envelope<unknown> => ({ code: 200, message: 'ok', data });
const unreachable: Failure = { code: 0, error: 'NETWORK', message: 'Network Error' };
const gone: Failure = { code: 404, error: 'NOT_FOUND', message: 'Not found' };

/** Shows the ad while the server answers as given; what is given can be changed. */
function show(answers: { ad: Envelope<unknown>; checks: Envelope<unknown> }): void {
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }) =>
    url.endsWith('/checks') ? answers.checks : answers.ad,
  );
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <CreativeStage ad={ad} size={200} version="1" />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

const CHECKS = { state: 'complete', findings: [] };

test('an ad that could not be loaded is not called deleted, and can be asked for again', async () => {
  const answers = { ad: unreachable as Envelope<unknown>, checks: ok(CHECKS) };
  show(answers);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  expect(screen.queryByText('Deleted ad')).toBeNull();
  answers.ad = ok(ad);
  await userEvent.click(retry);
  await screen.findByRole('button', { name: /Autumn/ });
  answers.ad = unreachable;
  await act(() => queryClient.invalidateQueries());
  expect(screen.getByRole('button', { name: /Autumn/ })).toBeTruthy();
});

test('a deleted ad is called so', async () => {
  show({ ad: gone, checks: gone });
  await screen.findByText('Deleted ad');
});

test('content checks that could not be loaded do not look like an ad in which nothing was found', async () => {
  const answers = { ad: ok(ad), checks: unreachable as Envelope<unknown> };
  show(answers);
  const retry = await screen.findByRole('button', { name: 'Retry' });
  answers.checks = ok(CHECKS);
  await userEvent.click(retry);
  await screen.findByTestId('findings');
});
