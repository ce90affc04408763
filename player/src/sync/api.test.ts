import { randomUUID } from 'node:crypto';
import type { Play } from '@ams/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hastyClock } from '../../test/memory.ts';
import { makeManifest } from '../../test/programme.ts';
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

const onUnreadable = vi.fn<() => void>();
const own = { origin: 'http://fake', secret: 's'.repeat(64), onUnreadable };
const api = makePlayerApi({ ...own, fetch: slowFetch, clock: hastyClock() });

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
    ...own,
    clock: hastyClock(),
    fetch: (url, init) => slowFetch(url, { ...init, body: 'x'.repeat(1_000_000) }),
  });
  let ended = false;
  const sent = silent.status({ type: 'status', download: { state: 'done', doneBytes: 0, totalBytes: 0 } });
  void sent.then(() => (ended = true));
  await vi.advanceTimersByTimeAsync(11_000);
  expect(ended).toBe(true);
  expect(await sent).toEqual({ kind: 'failed' });
});

test('a long manifest arrives over a slow line, and the clock is right afterwards', async () => {
  const file = { sha256: 'a'.repeat(64), bytes: 1, mime: 'video/mp4', url: `/media/${'a'.repeat(120)}` };
  const begun = Date.now();
  const data = makeManifest({
    serverTime: new Date(begun).toISOString(),
    files: Array.from({ length: 500 }, () => file),
  });
  const bytes = new TextEncoder().encode(JSON.stringify({ code: 200, message: 'ok', data }));
  expect(bytes.length).toBeGreaterThan(11 * BYTES_A_SECOND);
  let right: number | undefined;
  const slow = makePlayerApi({
    ...own,
    clock: { correct: (time, roundTripMs) => (right = time + roundTripMs / 2) },
    fetch: (_url, { signal }) => {
      const body = new ReadableStream<Uint8Array>({
        async start(stream) {
          signal?.addEventListener('abort', () => stream.error(new Error('timeout')));
          for (let at = 0; at < bytes.length; at += BYTES_A_SECOND) {
            await new Promise((resolve) => setTimeout(resolve, 1000));
            stream.enqueue(bytes.subarray(at, at + BYTES_A_SECOND));
          }
          stream.close();
        },
      });
      return Promise.resolve(new Response(body));
    },
  });
  const reply = slow.manifest(null);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await reply).toMatchObject({ kind: 'fresh' });
  expect(right).toBe(begun + Math.ceil(bytes.length / BYTES_A_SECOND) * 1000);
});

test.each([
  ['a newer server', Response.json({ code: 200, message: 'ok', data: { ...makeManifest(), screens: [] } }), 1],
  ['this server', Response.json({ code: 200, message: 'ok', data: makeManifest() }), 0],
  ['a server that refuses', Response.json({ code: 200, message: 'No', error: 'NOT_FOUND' }), 0],
  ['a proxy', new Response('<!doctype html><title>Log in</title>'), 0],
])(
  'a device looks for a new player when it cannot read what its server answers: %s',
  async (_server, response, times) => {
    onUnreadable.mockClear();
    const asked = makePlayerApi({ ...own, clock: hastyClock(), fetch: () => Promise.resolve(response) });
    await asked.manifest(null);
    expect(onUnreadable).toHaveBeenCalledTimes(times);
  },
);
