import { SOCKET_PROTOCOL, player } from '@ams/contract';
import type { Clock } from '@ams/player/clock';
import type { Socket } from '@ams/player/ports';
import { flapping } from './faults.ts';

interface Line {
  open(): Socket;
  /** When every socket that was opened has closed. */
  closed(): Promise<unknown>;
}

const socketUrl = (server: string): string => server.replace(/^http/, 'ws') + player.socket.url;

/** A device's connection to the server. `onChange` receives whether any socket is open. */
export function makeLine(
  secret: string,
  { server, flapMs }: { server: string; flapMs: number | undefined },
  clock: Clock,
  onChange: (online: boolean) => void,
): Line {
  const open = new Set<WebSocket>();
  const pending = new Set<Promise<void>>();

  function openSocket(): WebSocket {
    const socket = new WebSocket(socketUrl(server), [SOCKET_PROTOCOL, secret]);
    const { promise, resolve } = Promise.withResolvers<void>();
    pending.add(promise);
    socket.addEventListener('open', () => onChange(open.add(socket).size > 0));
    // A socket may still be closing when the next one is open already.
    socket.addEventListener('close', () => {
      open.delete(socket);
      onChange(open.size > 0);
      pending.delete(promise);
      resolve();
    });
    return socket;
  }

  return {
    open: flapMs === undefined ? openSocket : flapping(openSocket, flapMs, clock),
    closed: () => Promise.all(pending),
  };
}
