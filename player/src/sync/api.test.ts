import { randomUUID } from 'node:crypto';
import type { Play } from '@ams/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hastyClock } from '../../test/memory.ts';
import { makePlayerApi } from './api.ts';

/** A mobile contract whose volume is used up: 64 kbit/s. */
const BYTES_A_SECOND = 8000;

/** Sends the body over a slow line and answers that everything is accepted. */
const slowFetch = async (_url: string, { body, signal }: RequestInit): Promise<Response> => {
  const bytes = body instanceof Blob ? body.size : String(body).length;
  await new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('timeout')));
    setTimeout(resolve, (bytes / BYTES_A_SECOND) * 1000);
  });
  return Response.json({ code: 200, message: 'ok', data: { accepted: 0, rejected: 0 } });
};

const api = makePlayerApi({ origin: 'http://fake', secret: 's'.repeat(64), fetch: slowFetch, clock: hastyClock() });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
    const over = new AbortController();
    setTimeout(() => over.abort(), ms);
    return over.signal;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const play: Play = {
  releaseId: randomUUID(),
  sha256: 'a'.repeat(64),
  at: '2026-11-21T12:00:00.000Z',
  durationMs: 10_000,
  screen: 'main',
};

test('a full batch of plays arrives over a slow line', async () => {
  const sent = api.plays({ batch: randomUUID(), plays: Array.from({ length: 500 }, () => play) });
  await vi.runAllTimersAsync();
  expect(await sent).toMatchObject({ kind: 'accepted' });
});

test('a screenshot arrives over a slow line', async () => {
  const sent = api.screenshot('main', new Blob([new Uint8Array(200_000)]));
  await vi.runAllTimersAsync();
  expect(await sent).toEqual({ kind: 'accepted' });
});

test('a call without an answer is given up after ten seconds', async () => {
  const silent = makePlayerApi({
    ...{ origin: 'http://fake', secret: 's'.repeat(64), clock: hastyClock() },
    fetch: (url, init) => slowFetch(url, { ...init, body: 'x'.repeat(1_000_000) }),
  });
  let ended = false;
  const sent = silent.status({ type: 'status', download: { state: 'done', doneBytes: 0, totalBytes: 0 } });
  void sent.then(() => (ended = true));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(ended).toBe(true);
  expect(await sent).toEqual({ kind: 'failed' });
});
