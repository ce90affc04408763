import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryPlays, MemoryState, MemoryStore, hastyClock } from '../../test/memory.ts';
import { type Device, makeDevice } from './device.ts';
import type { EnrolReply, EnrolRequest, PlayerApi, Socket } from './ports.ts';

const FACTS: EnrolRequest = {
  mac: '02:00:00:00:00:01',
  screens: [{ name: 'main', width: 1920, height: 1080 }],
  timeZone: 'Europe/Berlin',
  player: { version: '1', kind: 'test' },
};
const AWAY: EnrolReply = { kind: 'failed', code: 0, message: 'no network', retryAfterMs: undefined };

let replies: Promise<EnrolReply>[];
let reports: EnrolRequest[];
let sockets: EventTarget[];
let isOffline: boolean;
let state: MemoryState;
let device: Device;
let stop: AbortController;
let running: Promise<void> | undefined;

/** A server without content; `isOffline`: it takes no status. Reports of a start are answered with `replies`, later ones with `paired`. */
const api: PlayerApi = {
  enrol(request) {
    reports.push(request);
    return replies.shift() ?? Promise.resolve({ kind: 'paired' });
  },
  manifest: () => Promise.resolve({ kind: 'same' }),
  media: () => Promise.resolve(new Response()),
  plays: () => Promise.resolve({ kind: 'accepted' }),
  status: () => Promise.resolve({ kind: isOffline ? 'failed' : 'accepted' }),
  app: () => Promise.resolve(null),
  screenshot: () => Promise.resolve({ kind: 'accepted' }),
};

function openSocket(): Socket {
  const socket = new EventTarget();
  sockets.push(socket);
  return {
    send: () => undefined,
    close: () => undefined,
    addEventListener: (type: string, listener: (event: { data: unknown; code: number }) => void) =>
      socket.addEventListener(type, () => listener({ data: undefined, code: 1006 })),
  };
}

beforeEach(() => {
  [replies, reports, sockets, state, stop] = [[], [], [], new MemoryState(), new AbortController()];
  isOffline = true;
  const clock = hastyClock(15_000);
  device = makeDevice(
    FACTS,
    {
      ...{ api, openSocket, state, clock },
      store: new MemoryStore(),
      plays: new MemoryPlays(),
      signer: undefined,
      log: () => undefined,
    },
    {
      onEnrolling: () => undefined,
      onPaired: () => undefined,
      onLive: () => undefined,
      onProgress: () => undefined,
      onCommand: () => undefined,
      playing: () => undefined,
      problem: () => undefined,
    },
  );
});

afterEach(async () => {
  stop.abort();
  await running;
});

const begin = () => {
  running = device.run(stop.signal);
};

/** The newest connection opens, or closes. */
const newest = (event: 'message' | 'close') => sockets.at(-1)?.dispatchEvent(new Event(event));

/** It closes, and the next one opens. */
async function reconnect(): Promise<void> {
  const before = sockets.length;
  newest('close');
  await vi.waitFor(() => expect(sockets.length).toBeGreaterThan(before));
  newest('message');
}

/** Lets everything happen that needs no time. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

test('a start that could not be reported is reported when the connection opens', async () => {
  replies = [Promise.resolve(AWAY)];
  begin();
  await vi.waitFor(() => expect([reports.length, sockets.length]).toEqual([1, 1]));
  newest('message');
  await vi.waitFor(() => expect(reports).toEqual([FACTS, FACTS]));
});

test('a network that admits no connection: the start is reported after the first status that arrives', async () => {
  replies = [Promise.resolve(AWAY)];
  begin();
  await vi.waitFor(() => expect(reports).toHaveLength(1));
  await settle();
  expect(reports).toHaveLength(1);
  isOffline = false;
  device.changed();
  await vi.waitFor(() => expect(reports).toHaveLength(2));
});

test('a start that the server refuses is not reported again', async () => {
  replies = [Promise.resolve({ ...AWAY, kind: 'failed', code: 400 })];
  begin();
  await vi.waitFor(() => expect([reports.length, sockets.length]).toEqual([1, 1]));
  newest('message');
  await settle();
  expect(reports).toHaveLength(1);
});

test('a start is reported once however often the connection opens', async () => {
  begin();
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  newest('message');
  await reconnect();
  await settle();
  expect(reports).toHaveLength(1);
});

test('a report that fails after the connection has opened is repeated', async () => {
  const first = Promise.withResolvers<EnrolReply>();
  replies = [first.promise];
  begin();
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  newest('message');
  await settle();
  expect(reports).toHaveLength(1);
  first.resolve(AWAY);
  await vi.waitFor(() => expect(reports).toHaveLength(2));
});

test('other screens than at the start are reported at once, the same ones are not', async () => {
  begin();
  await vi.waitFor(() => expect([reports.length, sockets.length]).toEqual([1, 1]));
  device.report([{ name: 'main', width: 1920, height: 1080 }]);
  const screens = [{ name: 'main' as const, width: 1080, height: 1920 }];
  device.report(screens);
  await vi.waitFor(() => expect(reports).toEqual([FACTS, { ...FACTS, screens }]));
  newest('message');
  await settle();
  expect(reports).toHaveLength(2);
});

test('screens that change while a device waits to be paired are reported once it is paired', async () => {
  state.isPaired = false;
  const paired = Promise.withResolvers<EnrolReply>();
  replies = [paired.promise, Promise.resolve({ kind: 'pairing', code: '1', qr: '', expiresIn: 600 })];
  begin();
  await vi.waitFor(() => expect(reports).toHaveLength(1));
  const screens = [{ name: 'main' as const, width: 1080, height: 1920 }];
  device.report(screens);
  await vi.waitFor(() => expect(reports).toHaveLength(2));
  paired.resolve({ kind: 'paired' });
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  newest('message');
  await vi.waitFor(() => expect(reports).toHaveLength(3));
  expect(reports.at(-1)?.screens).toEqual(screens);
});

test('a device that was just paired has reported its start', async () => {
  state.isPaired = false;
  begin();
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  newest('message');
  await settle();
  expect(reports).toHaveLength(1);
});
