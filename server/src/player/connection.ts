import { hash } from 'node:crypto';
import { type ServerMessage, SOCKET_CLOSE, StatusMessage } from '@ams/contract';
import type { LimitFunction } from 'p-limit';
import { type RawData, WebSocket } from 'ws';
import type { StoredCommand } from '../devices/commands.service.ts';
import type { Lease } from '../devices/presence.service.ts';
import type { Device } from '../platform/auth/auth.ts';
import { findUnstorable } from '../platform/database/unstorable.ts';
import type { TokenBuckets } from '../platform/limits/token-bucket.ts';
import type { Deps } from '../platform/process/deps.ts';
import type { PlayerLinks } from './links.ts';
import type { Manifests } from './manifest.service.ts';
import { takeStatus } from './status.service.ts';

const MISSED_PINGS_MAX = 2;
/** A connection is checked so often between two pings: an answer that is late is asked for again sooner. */
export const TURNS_A_PING = 3;
const STATUS_INTERVAL_MS = 1000;
/** Bytes that may wait in memory for a slow device. */
const UNREAD_MAX_BYTES = 64 * 1024;
/** A device that does not answer the close frame is disconnected. */
const GOODBYE_MS = 1000;

/** Dependencies that all connections of this process share. */
export interface Shared {
  deps: Deps;
  manifests: Manifests;
  links: PlayerLinks;
  rate: TokenBuckets;
  changes: TokenBuckets;
  /** Limits the reports that are stored at once. */
  limitReports: LimitFunction;
}

/** A device's connection. Statuses that come faster than one a second are merged into the last one. */
export class Connection {
  readonly #shared: Shared;
  readonly #device: Device;
  readonly socket: WebSocket;
  missed = 0;
  /** Checks since the last ping. */
  #turns = 0;
  /** Disconnected without a close frame: it did not answer its pings. */
  isLost = false;
  readonly #lease: Lease;
  /** Of commands whose pings are not answered yet: what to do when they are. */
  #delivering: Map<string, () => Promise<unknown>> | undefined;
  #pending: RawData | undefined;
  #resume: NodeJS.Timeout | undefined;
  /** When the pending status is taken. */
  #timer: NodeJS.Timeout | undefined;
  #takeAt = 0;
  #taking = false;
  /** The state in the status that was taken last. */
  #state = '';

  constructor(shared: Shared, device: Device, socket: WebSocket, lease: Lease) {
    this.#shared = shared;
    this.#device = device;
    this.#lease = lease;
    this.socket = socket;
    // The plugin's own keeps the whole request for as long as the connection lasts.
    socket.removeAllListeners('error');
    socket.on('pong', (data) => void this.#confirm(data.toString()));
    socket.on('message', (data) => this.#receive(data));
    socket.on('error', (error) => shared.deps.log.debug({ err: error, device: device.id }, 'WebSocket error'));
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** A device that does not read is disconnected; it reconnects and requests everything. */
  send(message: ServerMessage): void {
    this.sendText(JSON.stringify(message));
  }

  /** Sends a message that many devices receive, as JSON. */
  sendText(message: string): void {
    if (this.socket.bufferedAmount > UNREAD_MAX_BYTES) this.socket.terminate();
    else this.socket.send(message);
  }

  /**
   * Sends a command, once; `forget` removes the stored one and answers whether it could. A pong follows all that was sent
   * before its ping: a command to clear is forgotten when the device has it. A device that restarts may end the connection
   * before it answers anything, and would restart for ever: it is asked for a pong first, and the command is forgotten
   * before it is sent. Commands of a connection that ends earlier are still stored.
   */
  deliver({ id, name }: StoredCommand, forget: () => Promise<boolean>): void {
    if (this.#delivering?.has(id)) return;
    this.#delivering ??= new Map();
    if (name === 'restart') {
      this.#delivering.set(id, async () => {
        if (await forget()) this.send({ type: name });
      });
    } else {
      this.#delivering.set(id, forget);
      this.send({ type: name });
    }
    if (this.isOpen) this.socket.ping(id);
  }

  async #confirm(id: string): Promise<void> {
    this.#heard();
    await this.#delivering?.get(id)?.();
    this.#delivering?.delete(id);
  }

  /** Has it try again what failed. */
  retry(): void {
    this.send({ type: 'retry' });
  }

  /** Says which manifest version is current; the device fetches it when it is another one. */
  async announce(): Promise<void> {
    this.send({ type: 'manifest', version: await this.#shared.manifests.version(this.#device.id) });
  }

  /** Closes the connection of a device that was deleted or paired again; returns whether it is still paired. */
  async checkPairing(): Promise<boolean> {
    const paired = await this.#shared.deps.identities.stillPaired(this.#device);
    if (!paired) this.close(SOCKET_CLOSE.unpaired);
    return paired;
  }

  /** Says what is current to a device that may have missed something, unless it is no longer the same. */
  async greet(): Promise<void> {
    if (await this.checkPairing()) await this.announce();
  }

  close(code: number): void {
    this.socket.close(code);
  }

  /**
   * Asks for a sign of life: at each check a device that owes an answer, otherwise at every `TURNS_A_PING`th. One that has
   * not answered several times in a row is disconnected.
   */
  check(): void {
    if (this.missed >= MISSED_PINGS_MAX) {
      this.isLost = true;
      this.socket.terminate();
      return;
    }
    this.#turns += 1;
    if (this.missed === 0 && this.#turns < TURNS_A_PING) return;
    this.#turns = 0;
    this.missed += 1;
    this.socket.ping();
  }

  /**
   * Says goodbye and does not wait for the answer: a device that opens one connection after the other keeps one. A status
   * that still waits here is older than those of the next connection.
   */
  cut(code: number): void {
    clearTimeout(this.#timer);
    this.#pending = undefined;
    this.close(code);
    setTimeout(() => this.socket.terminate(), GOODBYE_MS).unref();
  }

  /** Says after `afterMs` that this process restarts; settles when the connection is closed. */
  async handOver(afterMs: number): Promise<void> {
    const closed = new Promise((resolve) => this.socket.once('close', resolve));
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const goodbye = setTimeout(() => this.close(SOCKET_CLOSE.restart), afterMs);
    const cut = setTimeout(() => this.socket.terminate(), afterMs + GOODBYE_MS);
    await closed;
    clearTimeout(goodbye);
    clearTimeout(cut);
  }

  #heard(): void {
    this.missed = 0;
    this.#lease.heardAt = performance.now();
  }

  /** Keeps the last message until its turn; earlier ones are dropped. Devices that send too many are slowed down. */
  #receive(data: RawData): void {
    if (!this.isOpen) return;
    this.#heard();
    this.#pending = data;
    if (!this.#taking) this.#schedule();
    const waitMs = this.#shared.rate.take(this.#device.id);
    if (waitMs === 0 || this.#resume) return;
    this.socket.pause();
    this.#resume = setTimeout(() => {
      this.#resume = undefined;
      this.socket.resume();
    }, waitMs);
  }

  /** A change of state is taken at once, progress once a second: what operators see is throttled by their stream alone. */
  #schedule(): void {
    const now = performance.now();
    const isChange = stateIn(this.#pending) !== this.#state && this.#shared.changes.take(this.#device.id) === 0;
    const at = isChange ? now : Math.max(now, this.#lease.takenAt + STATUS_INTERVAL_MS);
    if (this.#timer && this.#takeAt <= at) return;
    clearTimeout(this.#timer);
    this.#takeAt = at;
    this.#timer = setTimeout(() => void this.#take(), at - now);
  }

  async #take(): Promise<void> {
    this.#timer = undefined;
    this.#taking = true;
    this.#lease.takenAt = performance.now();
    this.#state = stateIn(this.#pending);
    const status = parse(this.#pending);
    this.#pending = undefined;
    if (status) await this.#store(status);
    else this.close(SOCKET_CLOSE.badMessage);
    this.#taking = false;
    if (this.#pending) this.#schedule();
  }

  async #store(status: StatusMessage): Promise<void> {
    const lease = this.#lease;
    try {
      await lease.ready;
      lease.saidAt = performance.now();
      // The clock of the device always moves: it is no news.
      const news = hash('sha256', JSON.stringify({ ...status, clockMs: null }), 'base64url');
      if (news === lease.said) return;
      Object.assign(lease, { said: news, silent: false });
      const { deps, links, limitReports } = this.#shared;
      await limitReports(() => takeStatus(deps.db, links, this.#device, status));
    } catch (error) {
      lease.said = '';
      this.#shared.deps.log.warn({ err: error, device: this.#device.id }, 'status not stored');
    }
  }
}

/** A status without the numbers that change all the time; empty for a message that is no status. */
function stateIn(data: RawData | undefined): string {
  const status = parse(data);
  return status
    ? JSON.stringify([status.manifestVersion, status.download.state, status.download.reason, status.playing])
    : '';
}

function parse(data: RawData | undefined): StatusMessage | undefined {
  try {
    const status = StatusMessage.parse(JSON.parse(Buffer.isBuffer(data) ? data.toString() : ''));
    return findUnstorable(status) === undefined ? status : undefined;
  } catch {
    return undefined;
  }
}
