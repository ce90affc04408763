import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { fastify } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { limitCrowds } from './connection-limit.ts';

const FILES = 40;
const app = fastify();
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

test('refuses connections that exceed the limit of open files, and keeps existing ones', async () => {
  limitCrowds(app, FILES);
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const turnedAway: Socket[] = [];
  for (let n = 0; n < FILES / 2; n += 1) {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    socket.on('close', () => turnedAway.push(socket));
    await once(socket, 'connect');
  }
  const late = connect(port, '127.0.0.1');
  sockets.push(late);
  await once(late, 'close');
  expect(turnedAway).toEqual([]);
});
