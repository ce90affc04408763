import { once } from 'node:events';
import { connect } from 'node:net';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { cutSlowSenders } from './slow-clients.ts';

const app = fastify();
cutSlowSenders(app, 300);
app.post('/', (request) => request.body);
const url = await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());
const port = Number(new URL(url).port);

test('disconnects a client that sends its body byte by byte, and answers a normal one', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n');
  const drip = setInterval(() => socket.write(' '), 50);
  const closed = once(socket, 'close');
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(await reply.json()).toEqual({ a: 1 });
  await closed;
  clearInterval(drip);
});
