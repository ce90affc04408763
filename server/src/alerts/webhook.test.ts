import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testMessage } from './message.ts';
import { postWebhook, type Reach } from './webhook.ts';

// All of 127.0.0.0/8 is this computer: one address represents the internet, another one the local network.
const OUTSIDE = '127.0.0.2';
const INSIDE = '127.0.0.1';

const heard: string[] = [];
let answer: { status: number; headers?: Record<string, string> } = { status: 204 };
const listenOn = async (address: string, port: number) => {
  const listener: RequestListener = (_request, response) => {
    heard.push(address);
    response.writeHead(answer.status, answer.headers).end();
  };
  const server = createServer(listener).listen(port, address);
  await once(server, 'listening');
  return server;
};
/** One port that is free at both addresses: another program may have taken it at one of them. */
async function listenOnBoth(): Promise<[Server, Server]> {
  const outside = await listenOn(OUTSIDE, 0);
  try {
    return [outside, await listenOn(INSIDE, portOf(outside))];
  } catch {
    outside.close();
    return listenOnBoth();
  }
}
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const servers = await listenOnBoth();
const port = portOf(servers[0]);
afterAll(() => void servers.map((server) => server.close()));

beforeEach(() => {
  heard.length = 0;
  answer = { status: 204 };
});

/** Names that mean these addresses, one list a look-up; the last one stays. */
function reaching(...answers: string[][]): Reach & { asked: () => number } {
  let asked = 0;
  return {
    asked: () => asked,
    isAllowed: (address) => address === OUTSIDE,
    resolve: (_name, _options, found) => {
      const addresses = answers[Math.min(asked, answers.length - 1)] ?? [];
      asked += 1;
      found(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      );
    },
  };
}

const post = (reach?: Reach, host = 'receiver.example') =>
  postWebhook({ url: `http://${host}:${port}/`, secret: 's', id: randomUUID(), internal: false }, testMessage(), reach);

test('a name that changes its meaning after it was judged is connected to as it was judged', async () => {
  const reach = reaching([OUTSIDE], [INSIDE]);
  await post(reach);
  expect([heard, reach.asked()]).toEqual([[OUTSIDE], 1]);
  await expect(post(reach)).rejects.toThrow('inside the network');
  expect(heard).toEqual([OUTSIDE]);
});

test.each([[[INSIDE]], [[OUTSIDE, INSIDE]], [[INSIDE, OUTSIDE]]])('a name that means %j is refused', async (found) => {
  await expect(post(reaching(found))).rejects.toThrow('inside the network');
  expect(heard).toEqual([]);
});

test('a name without addresses is refused', async () => {
  await expect(post(reaching([]))).rejects.toThrow('no address');
});

test.each([301, 302, 303, 307, 308])('a redirect %d is not followed', async (status) => {
  answer = { status, headers: { location: `http://${INSIDE}:${port}/` } };
  await expect(post(reaching([OUTSIDE]))).rejects.toThrow(`HTTP ${status}`);
  expect(heard).toEqual([OUTSIDE]);
});

test('a receiver that wants to speak another protocol (101) is a failure, and does not keep the sender waiting', async () => {
  answer = { status: 101, headers: { connection: 'Upgrade', upgrade: 'websocket' } };
  await expect(post(reaching([OUTSIDE]))).rejects.toThrow('HTTP 101');
});

test.each(['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '2130706433', '[::ffff:7f00:1]'])(
  'the host %s is inside the network',
  async (host) => {
    await expect(post(undefined, host)).rejects.toThrow('inside the network');
    expect(heard).toEqual([]);
  },
);
