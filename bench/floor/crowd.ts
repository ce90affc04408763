import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs, RECONNECT_SPREAD_MS, SOCKET_BACKOFF } from '@ams/player/backoff';
import pLimit from 'p-limit';
import { Receiver, Sender } from 'ws';
import { deviceSecret } from '../rows.ts';

/**
 * Devices in a process of their own that stay: `COUNT` of them from `FIRST` on, each connected to one of `ORIGINS`, and
 * again after each loss as soon as a player would be, `AT_ONCE` under way at a time. Of the servers that the parent says
 * are up, a device connects to the one with the fewest devices of this process, as a balancer would choose. Reports to its
 * parent how many are connected whenever that has changed.
 *
 * They share the computer with what is measured. The client of `ws` spends half of its work on a request of `node:http`
 * for the handshake, so that is written here.
 */
const { ORIGINS = '', FIRST = '1', COUNT = '1', AT_ONCE = '100' } = process.env;
const REPORT_MS = 100;
const END_OF_HEAD = '\r\n\r\n';

interface Server {
  url: URL;
  isUp: boolean;
  /** Devices of this process that are connected to it, or about to be. */
  devices: number;
}
const servers = ORIGINS.split(' ').map((origin): Server => ({ url: new URL(origin), isUp: true, devices: 0 }));
process.on('message', ({ index, isUp }: { index: number; isUp: boolean }) => {
  const server = servers[index];
  if (server) server.isUp = isUp;
});

let connected = 0;
let reported = -1;
setInterval(() => {
  if (connected === reported) return;
  reported = connected;
  process.send?.({ connected });
}, REPORT_MS);

const turns = pLimit(Number(AT_ONCE));

/** Devices have addresses of their own: with one for all, Linux looks for a free port longer and longer. */
const addressOf = (n: number): string => `127.${1 + (n >> 16)}.${(n >> 8) & 255}.${n & 255}`;

const requestOf = (n: number, host: string): string =>
  [
    'GET /api/player/socket HTTP/1.1',
    `host: ${host}`,
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    `sec-websocket-protocol: ams, ${deviceSecret(n)}`,
  ].join('\r\n') + END_OF_HEAD;

/** Answers pings, and the server's goodbye. `onMessage` is called once. */
function speak(socket: Socket, onMessage: () => void): Receiver {
  const receiver = new Receiver({ isServer: false });
  const sender = new Sender(socket);
  receiver.once('message', onMessage);
  receiver.on('ping', (data: Buffer) => sender.pong(data, true));
  receiver.on('conclude', () => socket.end());
  return receiver;
}

/** Connects once. Answers the end of the connection, once it is open; undefined if it did not open. */
async function open(n: number, server: Server): Promise<{ lost: Promise<void> } | undefined> {
  const { host, hostname, port } = server.url;
  const lost = Promise.withResolvers<void>();
  const tried = Promise.withResolvers<void>();
  const socket = connect({ host: hostname, port: Number(port), localAddress: addressOf(n), noDelay: true });
  server.devices += 1;
  let isOnline = false;
  const receiver = speak(socket, () => {
    isOnline = true;
    connected += 1;
    tried.resolve();
  });
  socket.write(requestOf(n, host));
  socket.once('data', (bytes) => {
    const head = bytes.indexOf(END_OF_HEAD);
    if (!bytes.toString('latin1', 0, head).startsWith('HTTP/1.1 101')) {
      socket.destroy();
      return;
    }
    receiver.write(bytes.subarray(head + END_OF_HEAD.length));
    socket.on('data', (more) => void receiver.write(more));
  });
  // `close` follows.
  socket.on('error', () => undefined);
  socket.once('close', () => {
    server.devices -= 1;
    if (isOnline) connected -= 1;
    tried.resolve();
    lost.resolve();
  });
  await tried.promise;
  return isOnline ? { lost: lost.promise } : undefined;
}

async function openAny(n: number): Promise<{ lost: Promise<void> } | undefined> {
  const [least] = servers.filter(({ isUp }) => isUp).toSorted((a, b) => a.devices - b.devices);
  return least && open(n, least);
}

async function stay(n: number): Promise<never> {
  for (let failures = 0; ;) {
    const opened = await turns(() => openAny(n));
    failures = opened ? 0 : failures + 1;
    await opened?.lost;
    await sleep(opened ? Math.random() * RECONNECT_SPREAD_MS : backoffMs(SOCKET_BACKOFF, failures, Math.random));
  }
}

console.log(servers[0]?.url.origin);
await Promise.all(Array.from({ length: Number(COUNT) }, (_, index) => stay(Number(FIRST) + index)));
