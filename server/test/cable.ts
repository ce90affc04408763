import { connect, createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A network between device and server that can be cut without notice to either side. */
export interface Cable {
  url: string;
  /** From now on nothing gets through, and nothing is closed: a cable that was pulled. */
  pull(): void;
  close(): void;
}

/** `url` is the server's. */
export async function layCable(url: string): Promise<Cable> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let pulled = false;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const pass = (from: Socket, to: Socket): void => {
      sockets.add(from);
      from.on('data', (data) => pulled || to.write(data));
      from.on('close', () => pulled || to.destroy());
      from.on('error', () => undefined);
    };
    pass(near, far);
    pass(far, near);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pull: () => {
      pulled = true;
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
