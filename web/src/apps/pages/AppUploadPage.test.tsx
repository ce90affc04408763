import type { Call, Envelope } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { session } from '../../platform/session.ts';
import { storage } from '../../platform/storage.ts';
import AppUploadPage from './AppUploadPage.tsx';

const signIn = (id: string) => {
  const user = { id: `0190a000-0000-7000-8000-00000000000${id}`, username: `dealer ${id}`, phone: null };
  const headers = new Map([
    ['current', encodeURIComponent(JSON.stringify(user))],
    ['role', 'leading'],
  ]);
  act(() => session.take((name) => headers.get(name)));
};

beforeEach(() => {
  storage.setToken('token', 60);
  signIn('1');
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call): Promise<Envelope<unknown>> => {
    const data = url.startsWith('/api/settings') ? { upload: { maxAppBytes: 1000 } } : { items: [], next: null };
    return { code: 200, message: 'ok', data };
  });
});

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  session.clear();
  queryClient.clear();
});

const show = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <AppUploadPage />
      </MemoryRouter>
    </QueryClientProvider>,
  );

const notes = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'What’s new' });

test('the description of a version waits on the page until it is stored, for its writer only', () => {
  const { unmount } = show();
  fireEvent.change(notes(), { target: { value: 'Fixes two errors' } });
  unmount();
  const again = show();
  expect(notes().value).toBe('Fixes two errors');
  again.unmount();
  act(() => session.clear());
  signIn('2');
  show();
  expect(notes().value).toBe('');
});
