import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { routes } from '@ams/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type RunningServer, startServer } from '../src/lifecycle.ts';
import { makeDevice, pairedDevice } from './device.ts';
import { callersAt, startTestServer, type TestServer } from './server.ts';

const server = await startTestServer({ AMS_TRUST_PROXY: 'loopback' });
const admin = await server.login();

/** Another process beside `server`, to be stopped. */
async function startOther(): Promise<RunningServer & Pick<TestServer, 'url' | 'as'>> {
  const other = await startServer(server.config, server.connection, pino({ level: 'warn' }));
  const url = await other.listen({ port: 0, host: '127.0.0.1' });
  return { ...other, ...callersAt(url) };
}

interface Answer {
  status: number | undefined;
  connection: string | undefined;
}

/** A request over the connections of `agent`. */
async function ask(agent: Agent, url: string): Promise<Answer> {
  const asking = httpRequest(url, { agent, headers: { authorization: `Bearer ${admin.token}` } }).end();
  const [response] = await once(asking, 'response');
  response.resume();
  await once(response, 'end');
  return { status: response.statusCode, connection: response.headers.connection };
}

/** Has every list of ads wait. Answers how to end that. */
async function holdAds({ connection }: TestServer): Promise<() => Promise<void>> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query('begin');
  await client.query('lock table ads in access exclusive mode');
  return () => client.end();
}

test('a process that stops accepts no connections, finishes running requests, and answers on open connections', async () => {
  const other = await startOther();
  const [busy, kept, alsoKept] = [1, 2, 3].map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
  if (!busy || !kept || !alsoKept) throw new Error('three');
  expect(await ask(kept, `${other.url}/health`)).toEqual({ status: 200, connection: 'keep-alive' });
  expect(await ask(alsoKept, `${other.url}/ready`)).toEqual({ status: 200, connection: 'keep-alive' });
  const letGo = await holdAds(server);
  const begun = ask(busy, `${other.url}/api/ads`);
  await expect
    .poll(async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pg_locks where relation = 'ads'::regclass and not granted`.execute(server.deps.db);
      return rows[0]?.n;
    })
    .toBeGreaterThan(0);

  const stopped = other.stop();
  // Connections that wait in the queue at this moment are still accepted.
  const fresh = () => ask(new Agent(), `${other.url}/health`).then(() => 'answered', String);
  await expect.poll(fresh, { interval: 10 }).toContain('ECONNREFUSED');
  const [answered, ready] = await Promise.all([
    ask(kept, other.url + routes.devices.list.url),
    ask(alsoKept, `${other.url}/ready`),
  ]);
  expect(answered).toEqual({ status: 200, connection: 'close' });
  expect(ready.status).toBe(503);
  await letGo();
  expect(await begun).toEqual({ status: 200, connection: 'close' });
  await stopped;
});

test('pages and devices are sent to another process, one device after the other', async () => {
  const other = await startOther();
  const live = await fetch(`${other.url}/api/live`, { headers: { authorization: `Bearer ${admin.token}` } });
  const text = live.text();
  const devices = await Promise.all([1, 2, 3].map(() => pairedDevice(server, admin)));
  const closings: Promise<{ code: number }>[] = [];
  for (const device of devices) {
    const channel = await makeDevice(other, device.mac, device.secret).open();
    closings.push(once(channel.socket, 'close').then(([code]) => ({ code })));
  }
  const stopped = other.stop();
  expect(await text).toMatch(/^: welcome\n\n/);
  expect(await Promise.all(closings)).toEqual(devices.map(() => ({ code: 1012 })));
  await stopped;
});
