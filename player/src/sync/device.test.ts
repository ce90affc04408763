import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { failures, type FakeFile, FakeServer } from '../../test/fake-server.ts';
import { MemoryPlays, MemoryState, MemoryStore, hastyClock } from '../../test/memory.ts';
import { makeProgramme } from '../../test/programme.ts';
import type { Live } from '../store/ports.ts';
import { makePlayerApi } from './api.ts';
import { type Device, makeDevice } from './device.ts';

const MAC = '02:00:00:00:00:01';

let server: FakeServer;
let state: MemoryState;
let device: Device;
let stop: AbortController;
let running: Promise<void>;
/** What the device did with its screens, in order. */
let seen: ('enrolling' | 'paired' | Live)[];

const programme = ({ sha256 }: FakeFile) =>
  makeProgramme({ regions: { full: [{ sha256, kind: 'file', media: 'video', durationMs: 1000 }] } });
const lives = () => seen.filter((each) => typeof each === 'object');
const isEmpty = ({ manifest }: Live) => manifest.screens.main.length === 0;

beforeEach(async () => {
  server = new FakeServer();
  const origin = await server.listen();
  const clock = hastyClock();
  [state, stop, seen] = [new MemoryState(), new AbortController(), []];
  const api = makePlayerApi({ origin, secret: 's'.repeat(64), fetch, clock });
  const openSocket = () => ({ send: () => undefined, close: () => undefined, addEventListener: () => undefined });
  const ports = { api, openSocket, store: new MemoryStore(), state, plays: new MemoryPlays(), signer: undefined };
  device = makeDevice(
    { mac: MAC, screens: [{ name: 'main' }], player: { version: '1', kind: 'test' } },
    { ...ports, clock, log: () => undefined },
    {
      onEnrolling: () => seen.push('enrolling'),
      onPaired: () => seen.push('paired'),
      onLive: (live) => seen.push(live),
      onProgress: () => undefined,
      onCommand: () => undefined,
      playing: () => undefined,
      problem: () => undefined,
    },
  );
  running = device.run(stop.signal);
});

afterEach(async () => {
  stop.abort();
  await running;
  await server.close();
});

/** The device plays something; then the server no longer knows it. */
async function playUntilUnpaired(): Promise<void> {
  server.programmes = [programme(server.addFile(randomBytes(10)))];
  device.check();
  await vi.waitFor(() => expect(lives().some((live) => !isEmpty(live))).toBe(true));
  server.paired = false;
  device.check();
  await vi.waitFor(() => expect(seen).toContain('enrolling'));
}

test('a device that is paired again shows nothing of before, also while its new content is coming', async () => {
  await playUntilUnpaired();
  // A window that starts now finds nothing of before either.
  expect(state.kept && isEmpty(state.kept)).toBe(true);
  expect(lives().slice(-1).every(isEmpty)).toBe(true);

  const never = server.addFile(randomBytes(5000));
  never.faults = failures(500);
  const next = programme(never);
  [server.deviceId, server.version, server.programmes] = ['01920000-0000-7000-8000-000000000002', 2, [next]];
  seen = [];
  server.paired = true;
  await vi.waitFor(() => expect(never.ranges.length).toBeGreaterThan(0));
  expect(lives().every(isEmpty)).toBe(true);
  expect(state.kept?.manifest.device.id).toBe(server.deviceId);
  never.faults = [];
  await vi.waitFor(() => expect(lives().at(-1)?.manifest.screens.main).toEqual([next]));
});

test('a device that is paired again with the same content plays it', async () => {
  await playUntilUnpaired();
  server.paired = true;
  await vi.waitFor(() =>
    expect(
      lives()
        .slice(-1)
        .some((live) => !isEmpty(live)),
    ).toBe(true),
  );
});
