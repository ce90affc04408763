import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from './api.ts';
import { listenLive } from './live.ts';
import { useReach } from './online.ts';

const HOUR = 3_600_000;

let stop: AbortController;
beforeEach(() => {
  vi.useFakeTimers();
  stop = new AbortController();
});
afterEach(() => {
  stop.abort();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A stream that says one thing and then nothing more, as one does whose connection died. */
const quietStream = (): Response =>
  new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(': hi\n\n')) }));

test('a page that comes back after hours of sleep looks at everything again at once', async () => {
  const opened = vi.spyOn(api, 'openStream').mockImplementation(async () => quietStream());
  const onGap = vi.fn<() => void>();
  void listenLive(stop.signal, { onGap });
  await vi.advanceTimersByTimeAsync(1000);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(2000);
  expect(opened).toHaveBeenCalledTimes(1);
  // Timers stood still meanwhile.
  vi.setSystemTime(Date.now() + 3 * HOUR);
  document.dispatchEvent(new Event('visibilitychange'));
  await vi.advanceTimersByTimeAsync(2000);
  expect(onGap).toHaveBeenCalledOnce();
});

test('a server that takes the request for the stream and never answers is said to be silent, and is asked again', async () => {
  const opened = vi
    .spyOn(api, 'openStream')
    .mockImplementation(
      (_url, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined))),
    );
  const { result, rerender } = renderHook(() => useReach());
  void listenLive(stop.signal, { onGap: () => undefined });
  await vi.advanceTimersByTimeAsync(15_000);
  rerender();
  expect(result.current).toBe('silent');
  await vi.advanceTimersByTimeAsync(2000);
  expect(opened).toHaveBeenCalledTimes(2);
});
