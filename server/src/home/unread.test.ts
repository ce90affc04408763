import { once } from 'node:events';
import { connect } from 'node:net';
import { type LiveKind, routes } from '@ams/contract';
import { expect, test, vi } from 'vitest';
import { startTestServer } from '../../test/server.ts';
import { publish } from '../platform/events.ts';

const server = await startTestServer();

test('a page that never reads its events is cut off before they fill the memory', async () => {
  const admin = await server.login();
  const { port } = new URL(server.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(`GET ${routes.home.live.url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin.token}\r\n\r\n`);
  await once(socket, 'readable');
  socket.pause();
  const open = (): Promise<number> =>
    new Promise((resolve, reject) =>
      server.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  const kinds: LiveKind[] = ['device', 'file', 'release'];
  const ids = Array.from({ length: 2000 }, (_, n) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`);
  const fill = setInterval(() => {
    for (const kind of kinds) {
      void publish(server.deps.db, { topic: 'changed', kind, ids, owners: [admin.user.id] }).catch(() => undefined);
    }
  }, 250);
  socket.on('error', () => undefined);
  const before = await open();
  await vi.waitFor(async () => expect(await open()).toBeLessThan(before), { timeout: 60_000, interval: 250 });
  clearInterval(fill);
  socket.destroy();
});
