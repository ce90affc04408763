import { once } from 'node:events';
import { createServer, Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

export interface Address {
  port: number;
  host: string;
}

/**
 * Length of the queue of new connections. Thousands of devices that reconnect at once overflow Node's default of 511, and
 * a proxy takes a full queue for a host that is down. Linux allows 4,096 by default.
 */
const BACKLOG = 4096;
/** How long connections in the queues are accepted before the sockets close; more may arrive as fast as they are. */
const EMPTYING_MS = 1000;
/** Idle turns of the event loop take a quarter of that. */
const SHORT_TURN_MS = 0.2;

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

/**
 * The listening sockets of `app`. Node accepts one connection per listening socket in each turn of its event loop
 * (`uv__server_io` of libuv): on a busy process tens a second, while thousands of devices reconnect. Sockets that share
 * the port (`SO_REUSEPORT`, Linux only) accept one connection each.
 *
 * Measured: 10,000 devices that come at once are online after 6.9 s with one socket and after 4.6 s with sixteen; with
 * 2,000 devices on a busy process, the longest absence during a restart falls from 18 s to 0 (bench/RESULTS.md,
 * "reconnect" and "rolling"). nginx cannot do it: it distributes connections between processes, not within one.
 * `AMS_LISTENING_SOCKETS=1` turns it off.
 */
export class Listeners {
  readonly #app: FastifyInstance;
  readonly #count: number;
  readonly #others: Server[] = [];

  constructor(app: FastifyInstance, count: number) {
    this.#app = app;
    this.#count = process.platform === 'linux' ? count : 1;
  }

  /** Starts to listen; returns the address, such as `http://127.0.0.1:3000`. */
  async open(address: Address): Promise<string> {
    const { server } = this.#app;
    const shared = { backlog: BACKLOG, reusePort: this.#count > 1 };
    const url = await this.#app.listen({ ...address, ...shared });
    const listening = server.address();
    const port = typeof listening === 'object' && listening ? listening.port : address.port;
    if (server.maxConnections > 0) server.maxConnections = Math.ceil(server.maxConnections / this.#count);
    while (this.#others.length < this.#count - 1) {
      const other = this.#another();
      this.#others.push(other);
      await once(other.listen({ ...address, ...shared, port }), 'listening');
    }
    return url;
  }

  /** Number of open connections of all listening sockets. */
  async connections(): Promise<number> {
    const counts = await Promise.all([this.#app.server, ...this.#others].map(countConnections));
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Refuses new connections from then on; `closed` resolves when those of the additional sockets have closed. */
  async refuse(): Promise<{ closed: Promise<unknown> }> {
    const latest = performance.now() + EMPTYING_MS;
    const closed: Promise<unknown>[] = [];
    for (const each of this.#others) {
      await this.#emptyQueues(latest);
      closed.push(new Promise((resolve) => each.close(resolve)));
    }
    await this.#emptyQueues(latest);
    // `app.close()` closes the connections of its own socket.
    Server.prototype.close.call(this.#app.server);
    return { closed: Promise.all(closed) };
  }

  /**
   * A socket that closes resets connections that wait in its queue, and a proxy cannot repeat a POST that it sent on one.
   * Each turn of the event loop accepts some, and does its other work afterwards: connections that arrive meanwhile wait
   * in the queues. These are empty when a turn accepted none and was short. Sockets close one by one, each right after such
   * a turn: what arrives between the turn and the end of one socket mostly waits in the queues of the others.
   */
  async #emptyQueues(latest: number): Promise<void> {
    let accepted = 0;
    const count = (): void => void (accepted += 1);
    this.#app.server.on('connection', count);
    await nextTurn();
    let begun: number;
    do {
      accepted = 0;
      begun = performance.now();
      await nextTurn();
    } while ((accepted > 0 || performance.now() - begun > SHORT_TURN_MS) && performance.now() < latest);
    this.#app.server.off('connection', count);
  }

  #another(): Server {
    const { server } = this.#app;
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => {
      server.emit('connection', socket);
    });
    other.maxConnections = server.maxConnections;
    return other.on('drop', (dropped) => server.emit('drop', dropped));
  }
}
