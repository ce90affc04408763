import type { Call } from '@ams/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from '../../platform/api.ts';
import { queryClient } from '../../platform/query.ts';
import { storage } from '../../platform/storage.ts';
import { BatchResult } from './BatchResult.tsx';
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
  const batch = useBatch();
  return (
    <>
      <button type="button" onClick={() => void begin(batch.start)}>
        Begin
      </button>
      {batch.running && <p>Running</p>}
      {batch.outcome && <BatchResult outcome={batch.outcome} onUndo={batch.undo} onClose={batch.closeOutcome} />}
    </>
  );
}

async function begin(start: ReturnType<typeof useBatch>['start']): Promise<void> {
  const show = await start({ filter: {}, action: 'extend', months: 1 }, new Map());
  if (typeof show === 'function') show();
}

const follow = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <Following />
    </QueryClientProvider>,
  );

test('a batch that the server does not know any more is asked for once', async () => {
  const asked: string[] = [];
  vi.spyOn(api, 'transport').mockImplementation(async ({ url }: Call) => {
    asked.push(url);
    return { code: 404, error: 'NOT_FOUND', message: 'Not found' };
  });
  storage.setBatch(ID);
  follow();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(storage.batch()).toBeUndefined();
  expect(asked).toHaveLength(1);
});

const FAILED = [{ id: '0190a000-0000-7000-8000-0000000000bb', error: 'NOT_FOUND' }];

test.each([
  { batch: 'long', failed: [] },
  { batch: 'short', failed: FAILED },
])('the result of a $batch batch offers to undo it while the server can', async ({ batch, failed }) => {
  let canUndo = true;
  const job = { id: ID, action: 'extend', state: 'done', done: 3, failed: failed.length, total: 4 };
  const transport = vi.spyOn(api, 'transport').mockImplementation(async ({ method }: Call) => ({
    code: 200,
    message: 'ok',
    data: { done: 3, failed, ...(canUndo && { undo: ID }), ...(method === 'GET' && { job }) },
  }));
  if (batch === 'long') storage.setBatch(ID);
  follow();
  if (batch === 'short') screen.getByText('Begin').click();
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(screen.queryByText('Undo')).not.toBeNull();
  expect(transport.mock.calls.filter(([{ method }]) => method === 'GET').length).toBeLessThan(5);
  canUndo = false;
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(screen.queryByText('Undo')).toBeNull();
  expect(screen.queryByText('Done 3')).not.toBeNull();
});

test('a long batch is followed while the result of a short one is shown', async () => {
  const job = { id: ID, action: 'extend', state: 'running', done: 1, failed: 0, total: 4 };
  vi.spyOn(api, 'transport').mockImplementation(async ({ method }: Call) => ({
    code: 200,
    message: 'ok',
    data: method === 'GET' ? { done: 1, failed: [], job } : { done: 3, failed: FAILED },
  }));
  storage.setBatch(ID);
  follow();
  await act(() => vi.advanceTimersByTimeAsync(2000));
  screen.getByText('Begin').click();
  await act(() => vi.advanceTimersByTimeAsync(2000));
  expect(screen.queryByText('Done 3')).not.toBeNull();
  expect(screen.queryByText('Running')).not.toBeNull();
});
