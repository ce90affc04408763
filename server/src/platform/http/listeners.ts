import { once } from 'node:events';
import { createServer, Server, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

export interface Address {
  port: number;
  host: string;
}

/**
 * Node takes one connection from a listening socket in each turn of its event loop (`uv__server_io` of libuv): on a
 * busy process tens a second, while thousands of devices come back. Sockets that share the port take one each.
 */
const SOCKETS = process.platform === 'linux' ? 16 : 1;
/**
 * Length of the queue of new connections. Thousands of devices that reconnect at once overflow Node's default of 511, and
 * a proxy takes a full queue for a host that is down. Linux allows 4,096 by default.
 */
const BACKLOG = 4096;

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

/** The listening sockets of `app`. */
export class Listeners {
  readonly #app: FastifyInstance;
  readonly #others: Server[] = [];

  constructor(app: FastifyInstance) {
    this.#app = app;
  }

  /** Answers where it listens, as `http://127.0.0.1:3000`. */
  async open(address: Address): Promise<string> {
    const { server } = this.#app;
    const shared = { backlog: BACKLOG, reusePort: SOCKETS > 1 };
    const url = await this.#app.listen({ ...address, ...shared });
    const listening = server.address();
    const port = typeof listening === 'object' && listening ? listening.port : address.port;
    if (server.maxConnections > 0) server.maxConnections = Math.ceil(server.maxConnections / SOCKETS);
    while (this.#others.length < SOCKETS - 1) {
      const socketServer = this.#another();
      this.#others.push(socketServer);
      await once(socketServer.listen({ ...address, ...shared, port }), 'listening');
    }
    return url;
  }

  /** Number of open connections of all listening sockets. */
  async connections(): Promise<number> {
    const counts = await Promise.all([this.#app.server, ...this.#others].map(countConnections));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Refuses new connections; resolves when those of the additional sockets have closed. */
  async close(): Promise<void> {
    // The app closes its own connections when its turn comes.
    Server.prototype.close.call(this.#app.server);
    await Promise.all(this.#others.map((socketServer) => new Promise((resolve) => socketServer.close(resolve))));
  }

  #another(): Server {
    const { server } = this.#app;
    const socketServer = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => {
      server.emit('connection', socket);
    });
    socketServer.maxConnections = server.maxConnections;
    return socketServer.on('drop', (dropped) => server.emit('drop', dropped));
  }
}
