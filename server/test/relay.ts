import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** An address of its own before a service, as a cluster of databases has one. */
export interface Relay {
  port: number;
  /** From now on connections lead there. */
  pointTo(target: NetConnectOpts): void;
  /** Breaks every connection and refuses new ones until `mend`. */
  cut(): void;
  /** Nothing gets through any more and nothing breaks, as when a computer loses its power. */
  swallow(): void;
  /** The next connection gets through after `ms`, as to a service that is busy. */
  delay(ms: number): void;
  /** New connections get through again. */
  mend(): void;
  close(): void;
}

export async function startRelay(first: NetConnectOpts): Promise<Relay> {
  let target = first;
  let state: 'open' | 'cut' | 'swallowing' = 'open';
  let delayMs = 0;
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const join = (from: Socket, to: Socket): void => {
    hold(from);
    from.pipe(to);
    from.on('close', () => to.destroy());
  };
  const server = createServer((near) => {
    if (state === 'cut') {
      near.resetAndDestroy();
      return;
    }
    if (state === 'swallowing') {
      hold(near);
      near.resume();
      return;
    }
    const wait = delayMs;
    delayMs = 0;
    hold(near);
    setTimeout(() => {
      if (near.destroyed) return;
      const far = connect(target);
      join(near, far);
      join(far, near);
    }, wait);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    state = 'cut';
    // The service's own side may be a Unix socket, which has no reset.
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    pointTo: (next) => {
      target = next;
    },
    cut,
    swallow: () => {
      state = 'swallowing';
      for (const socket of sockets) socket.unpipe().resume();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    mend: () => {
      state = 'open';
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
