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

/** Sends a body byte by byte until it is disconnected. */
async function drip(path: string): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  const { promise: closed, resolve: close } = Promise.withResolvers<boolean>();
  socket.on('error', () => undefined).on('close', close);
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n`);
  const dripping = setInterval(() => socket.write(' '), 50);
  await closed;
  clearInterval(dripping);
}

test('disconnects a client that sends its body byte by byte, and answers a normal one', async () => {
  const closed = drip('/');
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(await reply.json()).toEqual({ a: 1 });
  await closed;
});

test.each(['/api/uploads-of-others', '/api/uploads/of/others'])(
  'disconnects it at %s, which no upload has',
  async (path) => {
    await drip(path);
  },
  5000,
);
