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
  /** New connections get through again. */
  mend(): void;
  close(): void;
}

export async function startRelay(first: NetConnectOpts): Promise<Relay> {
  let target = first;
  let state: 'open' | 'cut' | 'swallowing' = 'open';
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
    const far = connect(target);
    join(near, far);
    join(far, near);
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
    mend: () => {
      state = 'open';
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
