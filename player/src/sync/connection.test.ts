import type { ServerMessage } from '@ams/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hastyClock } from '../../test/memory.ts';
import { type Connection, makeConnection } from './connection.ts';
import type { Socket } from './ports.ts';

/** A socket that the test opens, writes to and closes. */
class FakeSocket extends EventTarget {
  readonly sent: string[] = [];
  send = (text: string) => void this.sent.push(text);
  close = (code = 1006) => void this.dispatchEvent(Object.assign(new Event('close'), { code }));
  say = (data: unknown) => this.dispatchEvent(Object.assign(new Event('message'), { data }));
  open = () => this.dispatchEvent(new Event('open'));
  asSocket(): Socket {
    return {
      send: this.send,
      close: () => this.close(),
      addEventListener: (type: string, listener: (event: { data: unknown; code: number }) => void) => {
        this.addEventListener(type, (event) =>
          listener({
            data: 'data' in event ? event.data : undefined,
            code: 'code' in event ? Number(event.code) : 0,
          }),
        );
      },
    };
  }
}

const status = { type: 'status', download: { state: 'done', doneBytes: 0, totalBytes: 0 } } as const;

let sockets: FakeSocket[];
let heard: ServerMessage[];
let closed: number;
let stop: AbortController;
let connection: Connection;
let running: Promise<void>;
let now: number;
let pauses: number[];
/** Lets the time pass in which the newest connection has to speak. */
let outwait: () => void;

beforeEach(() => {
  [sockets, heard, closed, stop] = [[], [], 0, new AbortController()];
  [now, pauses] = [0, []];
  const hasty = hastyClock(15_000);
  const clock = {
    ...hasty,
    now: () => now,
    sleep: (ms: number, signal?: AbortSignal) => {
      if (ms === 120_000) {
        const silence = Promise.withResolvers<void>();
        outwait = silence.resolve;
        return Promise.race([hasty.sleep(ms, signal), silence.promise]);
      }
      if (ms === 15_000) return hasty.sleep(ms, signal);
      pauses.push(ms);
      return hasty.sleep(1, signal);
    },
  };
  const open = () => {
    const socket = new FakeSocket();
    sockets.push(socket);
    return socket.asSocket();
  };
  connection = makeConnection(
    open,
    { clock, log: () => undefined },
    { onOpen: () => undefined, onMessage: (message) => heard.push(message), onClosed: () => (closed += 1) },
  );
  running = connection.run(stop.signal);
});

afterEach(async () => {
  stop.abort();
  await running;
});

test("the server's messages arrive; unknown ones are ignored", () => {
  sockets[0]?.open();
  for (const text of ['{"type":"manifest","version":"7"}', 'nonsense', '{"type":"dance"}', '{"type":"restart"}']) {
    sockets[0]?.say(text);
  }
  expect(heard).toEqual([{ type: 'manifest', version: '7' }, { type: 'restart' }]);
});

test('messages go out only while it is open', () => {
  expect(connection.send(status)).toBe(false);
  sockets[0]?.open();
  expect(connection.send(status)).toBe(true);
  expect(sockets[0]?.sent).toHaveLength(1);
});

test('after one that opened and never spoke, nothing is sent through the next one until it speaks', async () => {
  sockets[0]?.open();
  outwait();
  await vi.waitFor(() => expect(sockets).toHaveLength(2));
  sockets[1]?.open();
  expect(connection.send(status)).toBe(false);
  sockets[1]?.say('{"type":"manifest","version":"7"}');
  expect(connection.send(status)).toBe(true);
  sockets[1]?.close();
  await vi.waitFor(() => expect(sockets).toHaveLength(3));
  sockets[2]?.open();
  expect(connection.send(status)).toBe(true);
});

test('reopens whenever it closes, and reports it', async () => {
  for (const number of [1, 2, 3]) {
    await vi.waitFor(() => expect(sockets).toHaveLength(number));
    sockets.at(-1)?.open();
    sockets.at(-1)?.close();
  }
  await vi.waitFor(() => expect(closed).toBe(3));
  expect(connection.send(status)).toBe(false);
});

test('a server that restarts hands it over: nothing is asked unless it does not open again', async () => {
  sockets[0]?.open();
  sockets[0]?.close(1012);
  await vi.waitFor(() => expect(connection.handedOver()).toBe(true));
  await vi.waitFor(() => expect(sockets).toHaveLength(2));
  expect([connection.handedOver(), closed]).toEqual([true, 0]);
  sockets[1]?.open();
  expect(connection.handedOver()).toBe(false);
  sockets[1]?.close(1012);
  await vi.waitFor(() => expect(sockets).toHaveLength(3));
  sockets[2]?.close();
  await vi.waitFor(() => expect([connection.handedOver(), closed]).toEqual([false, 1]));
});

test('copies of one identity do not take each other’s place without a pause', async () => {
  for (const number of [1, 2, 3, 4]) {
    await vi.waitFor(() => expect(sockets).toHaveLength(number));
    sockets.at(-1)?.open();
    sockets.at(-1)?.close(4000);
  }
  await vi.waitFor(() => expect(sockets).toHaveLength(5));
  for (const [times, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(5000 * 2 ** times);
  // One that lasted is replaced by chance: the pauses begin anew.
  sockets.at(-1)?.open();
  now += 60_000;
  sockets.at(-1)?.close(4000);
  await vi.waitFor(() => expect(sockets).toHaveLength(6));
  expect(pauses.at(-1)).toBeLessThanOrEqual(10_000);
});

test('stopping closes it for good', async () => {
  sockets[0]?.open();
  stop.abort();
  await running;
  expect(connection.send(status)).toBe(false);
  expect(sockets).toHaveLength(1);
});
