import type { Call } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { storage } from '../../platform/storage.ts';
import { useBatch } from './useBatch.ts';

const ID = '0190a000-0000-7000-8000-0000000000aa';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  queryClient.clear();
  storage.forgetBatch();
});

function Following() {
  useBatch();
  return null;
}

test('a batch that the server does not know any more is asked for once', async () => {
  const asked: string[] = [];
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call) => {
    asked.push(url);
    return { code: 404, error: 'NOT_FOUND', message: 'Not found' };
  });
  storage.setBatch(ID);
  render(
    <QueryClientProvider client={queryClient}>
      <Following />
    </QueryClientProvider>,
  );
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(storage.batch()).toBeUndefined();
  expect(asked).toHaveLength(1);
});
