import type { OfferedApp } from '@ams/contract';
import { expect, test, vi } from 'vitest';
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

function machine(offers: () => OfferedApp | null, isQuiet = () => false) {
  let kept: InstallTries | undefined;
  const install = vi.fn<(url: string, sha256: string, signal: AbortSignal) => Promise<string | undefined>>();
  const onGivenUp = vi.fn<() => void>();
  const stop = new AbortController();
  const running = keepAppNew(
    {
      host: { installed: { package: 'org.example.player', code: 1 }, install },
      clock: hastyClock(Infinity),
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

test('after three failed tries it stops and says so, and a newer version is tried again', async () => {
  let offer = app('first');
  const { install, onGivenUp, kept, end } = machine(() => offer);
  install.mockResolvedValue('no space left');
  await vi.waitFor(() => expect(onGivenUp.mock.calls.length).toBeGreaterThan(2));
  expect(install).toHaveBeenCalledTimes(3);
  expect(kept()).toEqual({ id: 'first', tries: 3, reason: 'no space left' });
  offer = app('second');
  await vi.waitFor(() => expect(kept()).toMatchObject({ id: 'second', tries: 3 }));
  expect(install).toHaveBeenCalledTimes(6);
  await end();
});

test('what is not forced waits for the quiet hour', async () => {
  let quiet = false;
  const looks = vi.fn(() => app('calm', { forced: false }));
  const { install, end } = machine(looks, () => quiet);
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(2));
  expect(install).not.toHaveBeenCalled();
  quiet = true;
  await vi.waitFor(() => expect(install).toHaveBeenCalled());
  await end();
});
