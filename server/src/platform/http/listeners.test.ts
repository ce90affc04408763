import { Agent, get } from 'node:http';
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
    const closed = Promise.all([listeners.close(), app.close()]).then(() => (isClosed = true));
    await expect(ask(url)).rejects.toThrow('ECONNREFUSED');
    expect(isClosed).toBe(false);
    tell();
    expect(new Set(await answers)).toEqual(new Set([200]));
    await closed;
  },
);
