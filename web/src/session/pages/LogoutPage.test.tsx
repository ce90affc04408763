import type { Envelope } from '@ams/contract';
import { act, render } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import LogoutPage from './LogoutPage.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  session.clear();
});

const show = () =>
  render(
    <MemoryRouter>
      <LogoutPage />
    </MemoryRouter>,
  );

test('a session that began while the end of the one before was still on its way continues', async () => {
  const answer = Promise.withResolvers<Envelope<unknown>>();
  vi.spyOn(api, 'transport').mockReturnValue(answer.promise);
  storage.setToken('old', 60);
  show();
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(storage.token()).toBeUndefined();
  storage.setToken('new', 60);
  answer.resolve({ code: 0, error: 'TIMEOUT', message: 'timeout of 5000 ms exceeded' });
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(storage.token()).toBe('new');
});

test('a session that began in another tab before the page left continues', async () => {
  vi.spyOn(api, 'transport').mockResolvedValue({ code: 200, message: 'ok', data: null });
  storage.setToken('old', 60);
  show();
  await act(() => vi.advanceTimersByTimeAsync(0));
  expect(storage.token()).toBeUndefined();
  storage.setToken('new', 60);
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(storage.token()).toBe('new');
});
