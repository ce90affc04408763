import { ServerMessage, SOCKET_CLOSE, type StatusMessage } from '@ams/contract';
import { RECONNECT_SPREAD_MS, REPLACED_BACKOFF, SOCKET_BACKOFF, backoffMs } from './backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { makeWaker } from '../platform/waker.ts';
import type { Socket } from './ports.ts';

const OPEN_MS = 15_000;
/** The server speaks first; one to which a whole fleet comes back takes up to a minute for that. */
const SPEAK_MS = 120_000;
/** The code of a connection that broke (RFC 6455 §7.4.1): a code of the server shows that it was there. */
const NO_CODE = 1006;
/** A connection that lasted so long was replaced by chance, as by a page that is reloaded. */
const LASTING_MS = 60_000;

export interface Connection {
  run(signal: AbortSignal): Promise<void>;
  /** False when it is closed. */
  send(message: StatusMessage): boolean;
  /** Closed by a server that restarts, and about to be opened again: nothing needs another way meanwhile. */
  handedOver(): boolean;
  /** The network is another one: the connection that was open may be dead, which TCP notices after a quarter of an hour. */
  renew(): void;
}

/** How a connection ended. */
type End = 'neverOpened' | 'handedOver' | 'replaced' | 'closed';

/** How a connection ended that had been in use. */
function endOf(code: number): End {
  if (code === SOCKET_CLOSE.restart) return 'handedOver';
  return code === SOCKET_CLOSE.replaced ? 'replaced' : 'closed';
}

interface ConnectionEvents {
  onOpen(): void;
  onMessage(message: ServerMessage): void;
  /** It closed without a reason or did not open: the manifest call shows whether this device is still known. */
  onClosed(): void;
}

function parse(data: unknown): ServerMessage | undefined {
  try {
    return ServerMessage.safeParse(JSON.parse(String(data))).data;
  } catch {
    return undefined;
  }
}

/** Milliseconds until the next try, when so many in a row ended like this. */
function pauseAfter(ended: End, times: number, { random }: Clock): number {
  if (ended === 'neverOpened') return backoffMs(SOCKET_BACKOFF, times, random);
  if (ended === 'replaced') return backoffMs(REPLACED_BACKOFF, times, random);
  return random() * RECONNECT_SPREAD_MS;
}

/** The live connection to the server. It reconnects, with backoff, whenever it is closed. */
export function makeConnection(
  open: () => Socket,
  { clock, log }: { clock: Clock; log: Log },
  events: ConnectionEvents,
): Connection {
  let current: Socket | undefined;
  let handedOver = false;
  /** Nothing came over the last connection, as with a proxy that passes none on: the next one is used once it speaks. */
  let wasSilent = false;
  let finishNow = () => {};
  const waker = makeWaker(clock);

  /** From opening to closing. */
  function connectOnce(signal: AbortSignal): Promise<End> {
    return new Promise((resolve) => {
      const socket = open();
      const ended = new AbortController();
      let opened = false;
      let spoke = false;
      const finish = (code = NO_CODE) => {
        if (ended.signal.aborted) return;
        ended.abort();
        signal.removeEventListener('abort', end);
        if (opened) wasSilent = !spoke && code === NO_CODE;
        const wasUsed = current === socket;
        current = undefined;
        socket.close();
        resolve(wasUsed ? endOf(code) : 'neverOpened');
      };
      const end = () => finish();
      const use = () => {
        handedOver = false;
        current = socket;
        events.onOpen();
      };
      finishNow = end;
      void clock.sleep(OPEN_MS, ended.signal).then(() => opened || end());
      void clock.sleep(SPEAK_MS, ended.signal).then(() => spoke || end());
      signal.addEventListener('abort', end);
      socket.addEventListener('open', () => {
        opened = true;
        if (!wasSilent) use();
      });
      socket.addEventListener('message', ({ data }) => {
        spoke = true;
        if (!current) use();
        const message = parse(data);
        if (message) events.onMessage(message);
        else log('warn', `socket: unknown message ${String(data).slice(0, 80)}`);
      });
      socket.addEventListener('close', ({ code }) => finish(code));
      socket.addEventListener('error', end);
    });
  }

  return {
    async run(signal) {
      let failures = 0;
      let replaced = 0;
      while (!signal.aborted) {
        const began = clock.now();
        const ended = await connectOnce(signal);
        handedOver = ended === 'handedOver';
        if (!signal.aborted && !handedOver) events.onClosed();
        failures = ended === 'neverOpened' ? failures + 1 : 0;
        if (clock.now() - began >= LASTING_MS) replaced = 0;
        if (ended === 'replaced') {
          replaced += 1;
          log('warn', 'socket: another device has the identity of this one');
        }
        await waker.sleep(pauseAfter(ended, ended === 'replaced' ? replaced : failures, clock), signal);
      }
    },
    send(message) {
      current?.send(JSON.stringify(message));
      return current !== undefined;
    },
    handedOver: () => handedOver,
    renew() {
      waker.wake();
      finishNow();
    },
  };
}
