import { afterEach, expect, test, vi } from 'vitest';
import { startAgain } from './reload.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A page that is `age` milliseconds old; its server answers or not. */
function page(age: number) {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const reload = vi.fn<() => void>();
  const server = { answers: true };
  vi.stubGlobal('location', { href: 'http://127.0.0.1/player/', reload });
  vi.stubGlobal('document', { documentElement: { dataset: {} } });
  vi.stubGlobal('performance', { now: () => age });
  vi.stubGlobal('fetch', () =>
    server.answers ? Promise.resolve(new Response()) : Promise.reject(new TypeError('no network')),
  );
  return { reload, server };
}

test('a page that cannot continue is reloaded at once, but one that has just begun stays for a while', async () => {
  const old = page(60_000);
  void startAgain(() => undefined, 'broken');
  await vi.advanceTimersByTimeAsync(0);
  expect(old.reload).toHaveBeenCalledOnce();
  const young = page(2000);
  void startAgain(() => undefined, 'broken');
  await vi.advanceTimersByTimeAsync(12_999);
  expect(young.reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(young.reload).toHaveBeenCalledOnce();
});

test('without its server it stays, and is reloaded once the server is back', async () => {
  const { reload, server } = page(60_000);
  server.answers = false;
  void startAgain(() => undefined, 'broken');
  await vi.advanceTimersByTimeAsync(40_000);
  expect(reload).not.toHaveBeenCalled();
  server.answers = true;
  await vi.advanceTimersByTimeAsync(15_000);
  expect(reload).toHaveBeenCalledOnce();
});
