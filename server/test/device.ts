import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  type Client,
  type Device,
  localMac,
  type Manifest,
  type Routes,
  ServerMessage,
  type StatusMessage,
} from '@ams/contract';
import { WebSocket } from 'ws';
import { dataOf, type Session, type TestServer } from './server.ts';

/** A device as the server sees it: a secret of its own, calls with it, and a channel. */
export interface TestDevice {
  mac: string;
  secret: string;
  calls: Client<Routes>;
  enrol(): Promise<{ state: string; code: string; qr: string }>;
  manifest(): Promise<Manifest>;
  open(): Promise<TestChannel>;
}

export interface TestChannel {
  socket: WebSocket;
  /** The next message from the server, whether it came already or not. */
  next(): Promise<ServerMessage>;
  status(status: Omit<StatusMessage, 'type'>): void;
  close(): Promise<void>;
}

export function makeDevice(
  server: Pick<TestServer, 'url' | 'as'>,
  mac = localMac(randomBytes(6)),
  secret = randomBytes(32).toString('base64url'),
): TestDevice {
  const calls = server.as(secret);
  return {
    mac,
    secret,
    calls,
    enrol: async () => {
      const state = dataOf(
        await calls.player.enrol({
          body: {
            mac,
            screens: [{ width: 1080, height: 1920 }],
            timeZone: 'Asia/Shanghai',
            player: { version: '1.2.3', kind: 'test' },
          },
        }),
      );
      return { code: '', qr: '', ...state };
    },
    manifest: async () => dataOf(await calls.player.manifest()),
    open: () => openChannel(server.url, secret),
  };
}

async function openChannel(url: string, secret: string): Promise<TestChannel> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/player/socket`, ['ams', secret]);
  const received: ServerMessage[] = [];
  const waiting: ((message: ServerMessage) => void)[] = [];
  socket.on('message', (data) => {
    const message = ServerMessage.parse(JSON.parse(data.toString()));
    const waiter = waiting.shift();
    if (waiter) waiter(message);
    else received.push(message);
  });
  await once(socket, 'open');
  return {
    socket,
    next: () => {
      const { promise, resolve } = Promise.withResolvers<ServerMessage>();
      const first = received.shift();
      if (first) resolve(first);
      else waiting.push(resolve);
      return promise;
    },
    status: (status) => socket.send(JSON.stringify({ type: 'status', ...status })),
    close: async () => {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

/** The next message of this type. */
export async function hear<T extends ServerMessage['type']>(
  channel: TestChannel,
  type: T,
): Promise<Extract<ServerMessage, { type: T }>> {
  const isWanted = (message: ServerMessage): message is Extract<ServerMessage, { type: T }> => message.type === type;
  for (;;) {
    const message = await channel.next();
    if (isWanted(message)) return message;
  }
}

/** A device paired by this user. */
export async function pairedDevice(
  server: Pick<TestServer, 'url' | 'as'>,
  operator: Session,
): Promise<TestDevice & { device: Device }> {
  const player = makeDevice(server);
  const { code } = await player.enrol();
  const device = dataOf(await operator.calls.devices.pair({ body: { mac: player.mac, code } }));
  return { ...player, device };
}
