import type { OfferedApp } from '@ams/contract';
import { expect, test, vi } from 'vitest';
import type { InstallableApp } from '../platform/host.ts';
import { makeWaker, type Waker } from '../platform/waker.ts';
import { hastyClock } from '../../test/memory.ts';
import { type InstallTries, keepAppNew } from './updates.ts';

const app = (id: string, over: Partial<OfferedApp> = {}): OfferedApp => ({
  id,
  name: 'Player',
  content: '',
  url: '/media/x?s=1',
  forced: true,
  code: 2,
  istype: 1,
  package: 'org.example.player',
  version: '2.0',
  bytes: 1,
  sha256: 'a'.repeat(64),
  signer: 'b'.repeat(64),
  ...over,
});

function device(
  offers: () => OfferedApp | null,
  isQuiet = () => false,
  looking: Pick<Waker, 'sleep'> = makeWaker(hastyClock(Infinity)),
) {
  let kept: InstallTries | undefined;
  const install = vi.fn<(app: InstallableApp, signal: AbortSignal) => Promise<string | undefined>>();
  const onGivenUp = vi.fn<() => void>();
  const stop = new AbortController();
  const running = keepAppNew(
    {
      host: { installed: { package: 'org.example.player', code: 1 }, install },
      looking,
      log: () => undefined,
      offered: () => Promise.resolve(offers()),
      isQuiet,
      tries: () => Promise.resolve(kept),
      saveTries: (tries) => {
        kept = tries;
        return Promise.resolve();
      },
      onGivenUp,
    },
    stop.signal,
  );
  return { install, onGivenUp, kept: () => kept, end: () => (stop.abort(), running) };
}

test('after three failed tries it stops and reports it, and a newer version is tried again', async () => {
  let offer = app('first');
  const { install, onGivenUp, kept, end } = device(() => offer);
  install.mockResolvedValue('no space left');
  await vi.waitFor(() => expect(onGivenUp.mock.calls.length).toBeGreaterThan(2));
  expect(install).toHaveBeenCalledTimes(3);
  expect(kept()).toEqual({ id: 'first', tries: 3, reason: 'no space left' });
  offer = app('second');
  await vi.waitFor(() => expect(kept()).toMatchObject({ id: 'second', tries: 3 }));
  expect(install).toHaveBeenCalledTimes(6);
  await end();
});

test('versions that are not forced wait for the quiet hour', async () => {
  let quiet = false;
  const looks = vi.fn(() => app('calm', { forced: false }));
  const { install, end } = device(looks, () => quiet);
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(2));
  expect(install).not.toHaveBeenCalled();
  quiet = true;
  await vi.waitFor(() => expect(install).toHaveBeenCalled());
  await end();
});

test('a forced version is installed as soon as the server announces a new manifest', async () => {
  let offer: OfferedApp | null = null;
  const waiting = { sleep: (_ms: number, signal: AbortSignal) => once(signal) };
  const looking = makeWaker(waiting);
  const looks = vi.fn(() => offer);
  const { install, end } = device(looks, () => false, looking);
  await vi.waitFor(() => expect(looks).toHaveBeenCalled());
  offer = app('forced');
  looking.wake();
  await vi.waitFor(() => expect(install).toHaveBeenCalledWith(offer, expect.any(AbortSignal)));
  await end();
});

const once = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

test('a host that throws an exception has failed, too', async () => {
  const { install, onGivenUp, kept, end } = device(() => app('first'));
  install.mockRejectedValue(new Error('Java exception was raised during method invocation'));
  await vi.waitFor(() => expect(onGivenUp).toHaveBeenCalled());
  expect(install).toHaveBeenCalledTimes(3);
  expect(kept()).toEqual({
    ...{ id: 'first', tries: 3 },
    reason: 'Error: Java exception was raised during method invocation',
  });
  await end();
});
