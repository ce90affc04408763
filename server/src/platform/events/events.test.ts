import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { makeDatabase } from '../../../test/server.ts';
import { Events } from './events.ts';

/** Events over connections of which each one, counted from 1, gets through to the database when `pass` resolves. */
async function eventsThrough(pass: (count: number) => Promise<unknown>) {
  const { host, port } = inject('postgres');
  const { url: _, ...own } = await makeDatabase();
  const connections: Socket[] = [];
  const gate = createServer(async (near) => {
    near.on('error', () => undefined);
    await pass(connections.push(near));
    const far = connect({ path: `${host}/.s.PGSQL.${port}` });
    far.on('error', () => undefined);
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(gate, 'listening');
  onTestFinished(() => void gate.close());
  const address = { host: '127.0.0.1', port: (gate.address() as AddressInfo).port };
  return { events: new Events({ ...own, ...address }, pino({ level: 'silent' })), connections };
}

test('a connection that opens after the end is closed and reports no gap', async () => {
  const ended = Promise.withResolvers<void>();
  // The second one waits before the database until listening has ended.
  const { events, connections } = await eventsThrough(async (count) => count > 1 && ended.promise);
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
});

test('a connection that is accepted and never answered is given up for another one', async () => {
  // A proxy whose database has lost its power accepts the second one.
  const { events, connections } = await eventsThrough(async (count) => count === 2 && new Promise(() => undefined));
  await events.start();
  const [first] = connections;
  first?.destroy();
  await vi.waitFor(() => expect(events.listening).toBe(false), 10_000);
  await vi.waitFor(() => expect(events.listening).toBe(true), 20_000);
  expect(connections).toHaveLength(3);
  await events.stop();
});
