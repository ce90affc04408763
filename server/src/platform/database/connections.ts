import { Socket } from 'node:net';
import type pg from 'pg';

/** The sockets by which this process reaches its database, so that all can be cut at once. */
export class Connections {
  readonly #open = new Set<Socket>();

  /** The same connection, over sockets that are known here. */
  over<T extends pg.ClientConfig>(connection: T): T {
    return { ...connection, stream: () => this.#openSocket() };
  }

  /** Breaks all connections: waiting callers get an error. */
  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  #openSocket(): Socket {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  }
}
