import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, inject, test, vi } from 'vitest';
import { makeDatabase } from '../../../test/server.ts';
import { Events } from './events.ts';

test('a connection that opens after the end is closed and reports no gap', async () => {
  const { host, port } = inject('postgres');
  const { url: _, ...own } = await makeDatabase();
  const ended = Promise.withResolvers<void>();
  const connections: Socket[] = [];
  const gate = createServer(async (near) => {
    near.on('error', () => undefined);
    // The second one waits before the database until listening has ended.
    if (connections.push(near) > 1) await ended.promise;
    const far = connect({ path: `${host}/.s.PGSQL.${port}` });
    far.on('error', () => undefined);
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(gate, 'listening');

  const address = { host: '127.0.0.1', port: (gate.address() as AddressInfo).port };
  const events = new Events({ ...own, ...address }, pino({ level: 'silent' }));
  const onGap = vi.fn<() => void>();
  events.onGap(onGap);
  await events.start();
  const [first] = connections;
  first?.destroy();
  const [second] = await vi.waitFor(() => {
    expect(connections).toHaveLength(2);
    return connections.slice(1);
  }, 10_000);
  await events.stop();
  ended.resolve();
  if (second && !second.closed) await once(second, 'close');
  expect(onGap).toHaveBeenCalledOnce();
  expect(events.listening).toBe(false);
  gate.close();
});
