import { ServerMessage, type StatusMessage } from '@ams/contract';
import { RECONNECT_SPREAD_MS, SOCKET_BACKOFF, backoffMs } from './backoff.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Socket } from './ports.ts';

const OPEN_MS = 15_000;
/** Close code of a restarting server (IANA WebSocket close codes). */
const SERVICE_RESTART = 1012;

export interface Connection {
  run(signal: AbortSignal): Promise<void>;
  /** False when it is closed. */
  send(message: StatusMessage): boolean;
  /** Closed by a server that restarts, and about to be opened again: nothing needs another way meanwhile. */
  handedOver(): boolean;
}

/** How a connection ended. */
type End = 'neverOpened' | 'handedOver' | 'closed';

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

/** The live connection to the server. It reconnects, with backoff, whenever it is closed. */
export function makeConnection(
  open: () => Socket,
  { clock, log }: { clock: Clock; log: Log },
  events: ConnectionEvents,
): Connection {
  let current: Socket | undefined;
  let handedOver = false;

  /** From opening to closing. */
  function connectOnce(signal: AbortSignal): Promise<End> {
    return new Promise((resolve) => {
      const socket = open();
      const ended = new AbortController();
      let opened = false;
      const finish = (code?: number) => {
        if (ended.signal.aborted) return;
        ended.abort();
        signal.removeEventListener('abort', end);
        current = undefined;
        socket.close();
        if (opened) resolve(code === SERVICE_RESTART ? 'handedOver' : 'closed');
        else resolve('neverOpened');
      };
      const end = () => finish();
      void clock.sleep(OPEN_MS, ended.signal).then(() => opened || end());
      signal.addEventListener('abort', end);
      socket.addEventListener('open', () => {
        opened = true;
        handedOver = false;
        current = socket;
        events.onOpen();
      });
      socket.addEventListener('message', ({ data }) => {
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
      while (!signal.aborted) {
        const ended = await connectOnce(signal);
        handedOver = ended === 'handedOver';
        if (!signal.aborted && !handedOver) events.onClosed();
        failures = ended === 'neverOpened' ? failures + 1 : 0;
        const waitMs =
          ended === 'neverOpened'
            ? backoffMs(SOCKET_BACKOFF, failures, clock.random)
            : clock.random() * RECONNECT_SPREAD_MS;
        await clock.sleep(waitMs, signal);
      }
    },
    send(message) {
      current?.send(JSON.stringify(message));
      return current !== undefined;
    },
    handedOver: () => handedOver,
  };
}
