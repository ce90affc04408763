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
  mend(): void;
  close(): void;
}

export async function startRelay(first: NetConnectOpts): Promise<Relay> {
  let target = first;
  let open = true;
  const sockets = new Set<Socket>();
  const join = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.pipe(to);
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((near) => {
    if (!open) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target);
    join(near, far);
    join(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    open = false;
    // The service's own side may be a Unix socket, which knows no reset.
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    pointTo: (next) => {
      target = next;
    },
    cut,
    mend: () => {
      open = true;
    },
    close: () => {
      cut();
      server.close();
    },
  };
}
