import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type LiveKind, routes } from '@ams/contract';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startTestServer } from '../../test/server.ts';
import { publish } from '../platform/events/events.ts';

const server = await startTestServer();

test('a page that never reads its events is disconnected before they fill the memory', async () => {
  const admin = await server.login();
  const connected = once(server.app.server, 'connection') as Promise<[Socket]>;
  const page = connect(Number(new URL(server.url).port), '127.0.0.1');
  page.write(`GET ${routes.home.live.url} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${admin.token}\r\n\r\n`);
  const [socket] = await connected;
  await once(page, 'readable');
  // The kernel's buffers, which would take a minute to fill, are full from now on.
  vi.spyOn(socket, '_write').mockImplementation(() => undefined);
  vi.spyOn(socket, '_writev').mockImplementation(() => undefined);
  const cut = once(socket, 'close');
  const kinds: LiveKind[] = ['device', 'file', 'release', 'campaign'];
  const ids = Array.from({ length: 2000 }, (_, n) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`);
  const fill = setInterval(() => {
    for (const kind of kinds) {
      void publish(server.deps.db, { topic: 'changed', kind, ids, owners: [admin.user.id] }).catch(() => undefined);
    }
  }, 250);
  onTestFinished(() => {
    clearInterval(fill);
    page.destroy();
  });
  await cut;
  expect(socket.destroyed).toBe(true);
});
