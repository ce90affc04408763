import { Socket } from 'node:net';
import type pg from 'pg';

/** The sockets by which this process reaches its database, so that all can be cut at once. */
export class Lines {
  readonly #open = new Set<Socket>();

  /** The same connection, over lines that are known here. */
  over<T extends pg.ClientConfig>(connection: T): T {
    return { ...connection, stream: () => this.#lay() };
  }

  /** Breaks all connections: waiting callers get an error. */
  cut(): void {
    for (const line of this.#open) line.destroy();
  }

  #lay(): Socket {
    const line = new Socket();
    this.#open.add(line);
    line.once('close', () => this.#open.delete(line));
    return line;
  }
}
