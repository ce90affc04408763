import { afterAll, expect, test, vi } from 'vitest';
import { pairedDevice } from './device.ts';
import { readMetric } from './metrics.ts';
import { startTestServer } from './server.ts';

const STREAMS_MAX = 20;
const WITHIN = { timeout: 10_000, interval: 100 };

const server = await startTestServer();
const admin = await server.login();
const held: (() => void)[] = [];
afterAll(() => {
  for (const release of held) release();
});

const connections = (): Promise<number> => readMetric(server.url, /ams_connections/);

test('a device keeps its newest socket; those before are closed although they never answer', async () => {
  const device = await pairedDevice(server, admin);
  const opened = [];
  for (let n = 0; n < 30; n += 1) {
    const channel = await device.open();
    await channel.next();
    // It reads nothing from now on, a goodbye neither.
    channel.socket.pause();
    held.push(() => channel.socket.terminate());
    opened.push(channel);
  }
  await vi.waitFor(async () => expect(await connections()).toBeLessThan(15), WITHIN);
  opened.at(-1)?.socket.resume();
  expect(await readMetric(server.url, /ams_channels/)).toBe(1);
  expect(opened.at(-1)?.socket.readyState).toBe(WebSocket.OPEN);
});

test('a user keeps the newest event streams', async () => {
  const member = await server.createUser('member');
  const aborts = new AbortController();
  held.push(() => aborts.abort());
  let ended = 0;
  for (let n = 0; n < STREAMS_MAX + 10; n += 1) {
    const reply = await fetch(`${server.url}/api/live`, {
      headers: { authorization: `Bearer ${member.token}` },
      signal: aborts.signal,
    });
    expect(reply.status).toBe(200);
    void reply
      .text()
      .finally(() => (ended += 1))
      .catch(() => undefined);
  }
  await vi.waitFor(() => expect(ended).toBe(10), WITHIN);
});
