import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { Listeners } from './listeners.ts';

const CALLS = 100;

/** The status of an answer over a connection of its own. */
const ask = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    get(url, { agent: new Agent() }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode));
    }).on('error', reject);
  });

test.each([16, 1])(
  'connections of each of %i listening sockets are answered before the app closes; new ones are refused',
  async (count) => {
    const app = fastify();
    const { promise: told, resolve: tell } = Promise.withResolvers<void>();
    const { promise: allAsk, resolve: lastAsks } = Promise.withResolvers<void>();
    let asked = 0;
    app.get('/', async () => {
      asked += 1;
      if (asked === CALLS) lastAsks();
      await told;
      return 'hello';
    });
    app.server.maxConnections = 10 * CALLS;
    const listeners = new Listeners(app, count);
    const url = await listeners.open({ port: 0, host: '127.0.0.1' });
    const answers = Promise.all(Array.from({ length: CALLS }, () => ask(url)));
    await allAsk;
    let isClosed = false;
    const refused = await listeners.refuse();
    const closed = Promise.all([refused.closed, app.close()]).then(() => (isClosed = true));
    await expect(ask(url)).rejects.toThrow('ECONNREFUSED');
    expect(isClosed).toBe(false);
    tell();
    expect(new Set(await answers)).toEqual(new Set([200]));
    await closed;
  },
);

/** The first line of the answer to a POST that is sent as soon as the socket is connected. */
async function post(socket: Socket): Promise<string | undefined> {
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
  return (await text(socket)).split('\r\n')[0];
}

test.each([16, 1])('requests that wait in the queues of %i sockets are answered when these close', async (count) => {
  const app = fastify();
  app.post('/', () => 'done');
  const listeners = new Listeners(app, count);
  const { port } = new URL(await listeners.open({ port: 0, host: '127.0.0.1' }));
  const sockets = Array.from({ length: CALLS }, () => connect(Number(port), '127.0.0.1'));
  const answers = sockets.map(post);
  // The system has connected them all; the process has accepted few of them.
  await once(sockets[0] ?? app.server, 'connect');
  const { closed } = await listeners.refuse();
  await Promise.all([app.close(), closed]);
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['HTTP/1.1 200 OK']));
});

/** Nothing else happens in this process for so long. */
function keepBusy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test.each([1, 2, 3, 4])(
  'a request that arrives in long turn %i of the event loop is answered or refused',
  async (turn) => {
    const app = fastify();
    app.post('/', () => 'done');
    const listeners = new Listeners(app, 16);
    const { port } = new URL(await listeners.open({ port: 0, host: '127.0.0.1' }));
    const late = async (): Promise<string | undefined> => {
      for (let n = 0; n < turn; n += 1) await nextTurn();
      const answer = post(connect(Number(port), '127.0.0.1')).catch(String);
      // The system connects it meanwhile.
      process.nextTick(keepBusy, 5);
      return answer;
    };
    const answer = late();
    const { closed } = await listeners.refuse();
    await Promise.all([app.close(), closed]);
    expect(await answer).toMatch(/^HTTP\/1.1 200 OK|ECONNREFUSED/);
  },
);
