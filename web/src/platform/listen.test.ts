import { afterEach, expect, test, vi } from 'vitest';
import { api } from './api.ts';
import { listenLive } from './live.ts';
import { session } from './session.ts';
import { storage } from './storage.ts';

afterEach(() => {
  vi.restoreAllMocks();
  session.clear();
});

test('a refusal of the session before is no reason to stop listening in the one that began meanwhile', async () => {
  const stop = new AbortController();
  const asked: (string | undefined)[] = [];
  storage.setToken('old', 60);
  vi.spyOn(api, 'openStream').mockImplementation(async () => {
    asked.push(storage.token());
    if (asked.length > 1) {
      stop.abort();
      return undefined;
    }
    storage.setToken('new', 60);
    return Response.json({ code: 401, error: 'UNAUTHENTICATED', message: 'Please log in' }, { status: 401 });
  });
  await listenLive(stop.signal, { onGap: () => undefined });
  expect(asked).toEqual(['old', 'new']);
  expect(storage.token()).toBe('new');
});

test('a refusal of the present session ends it', async () => {
  const settled = vi.fn<() => void>();
  api.handlers.onUnauthenticated = settled;
  storage.setToken('old', 60);
  const refusal = { code: 401, error: 'UNAUTHENTICATED', message: 'Please log in' };
  vi.spyOn(api, 'openStream').mockImplementation(async () => Response.json(refusal, { status: 401 }));
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await listenLive(new AbortController().signal, { onGap: () => undefined });
  expect(storage.token()).toBeUndefined();
  expect(settled).toHaveBeenCalledOnce();
});
