import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, routes, SOCKET_CLOSE } from '@ams/contract';
import '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import { findCommands, forgetCommands, type StoredCommand } from '../devices/commands.service.ts';
import type { Presence } from '../devices/presence.service.ts';
import { authenticate, type Device } from '../platform/auth/auth.ts';
import { isDatabaseAway } from '../platform/database/away.ts';
import { inBatches } from '../platform/database/loader.ts';
import type { EventMessage } from '../platform/events/events.ts';
import { TokenBuckets } from '../platform/limits/token-bucket.ts';
import type { Deps } from '../platform/process/deps.ts';
import { Connection, type Shared, TURNS_A_PING } from './connection.ts';
import { pushesOf } from './takeovers.ts';

/** A device in its right mind sends one message a second at most. */
const MESSAGES = { burst: 50, perSecond: 10 };
/** Changes of state that a device may report at once, and for long. */
const CHANGES = { burst: 5, perSecond: 1 };
/** A release to many devices is fetched at this pace, so that its start is no stampede. */
const MANIFESTS_A_SECOND = 200;
const ANNOUNCED_AT_ONCE = 50;
const SPREAD_MAX_MS = 60_000;
/** A process that stops sends its devices away at this pace: the others take them in one by one. */
const HAND_OVER_EACH_MS = 5;
const HAND_OVER_MAX_MS = 1000;
const GREET_AGAIN_MS = 1000;
/** Thousands of pings at once would keep requests waiting; a timer for each device costs a tenth more. */
const PARTS = 30;
const COMMANDS = { atOnce: 1, size: 500 };

type Command = Extract<EventMessage, { topic: 'command' }>['command'];

/** The live connections of the devices that this server process holds. */
class Connections {
  readonly #open = new Map<string, Connection>();
  /** All connections with their devices' ids, in parts that are checked one after the other. */
  readonly #parts = Array.from({ length: PARTS }, () => new Map<Connection, string>());
  #added = 0;
  #checked = 0;
  readonly #shared: Shared;
  readonly #presence: Presence;
  /** One at a time: two that drop the same commands would wait for each other. */
  readonly #commandsOf: (deviceId: string) => Promise<StoredCommand[]>;
  readonly #forget: (commandId: string) => Promise<unknown>;

  constructor(shared: Shared, presence: Presence) {
    this.#shared = shared;
    this.#presence = presence;
    const { db } = shared.deps;
    this.#commandsOf = inBatches((ids) => findCommands(db, ids), COMMANDS);
    this.#forget = inBatches(async (ids) => {
      await forgetCommands(db, ids);
      return ids.map(() => null);
    }, COMMANDS);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Takes over a device's connection; an earlier one of the same device is closed. */
  async add(device: Device, socket: WebSocket): Promise<void> {
    const { id } = device;
    const before = this.#open.get(id);
    const lease = this.#presence.connected(id);
    const connection = new Connection(this.#shared, device, socket, lease);
    this.#open.set(id, connection);
    before?.cut(SOCKET_CLOSE.replaced);
    const part = this.#parts[this.#added % PARTS];
    this.#added += 1;
    part?.set(connection, id);
    socket.on('close', () => {
      part?.delete(connection);
      this.#remove(id, connection);
    });
    await lease.ready;
    await connection.greet();
    await this.#deliverCommands(id);
  }

  #remove(id: string, connection: Connection): void {
    if (this.#open.get(id) !== connection) return;
    this.#open.delete(id);
    if (connection.isLost) this.#presence.lost(id);
    else this.#presence.disconnected(id);
  }

  /** Delivers the stored commands of a device, also those from the time when it was offline. */
  async #deliverCommands(id: string): Promise<void> {
    if (!this.#open.has(id)) return;
    const warn = this.#warn('could not forget a command', id);
    const fails = (error: unknown): boolean => {
      warn(error);
      return false;
    };
    for (const command of await this.#commandsOf(id)) {
      const forget = () => this.#forget(command.id).then(() => true, fails);
      this.#open.get(id)?.deliver(command, forget);
    }
  }

  /** Notifies devices that their manifest may have changed, `of` so many in all. */
  announce(ids: readonly string[], of: number): void {
    if (of > ANNOUNCED_AT_ONCE) {
      // Their manifests are made on request: all devices are notified at once.
      const withinMs = Math.round(Math.min(SPREAD_MAX_MS, (of * 1000) / MANIFESTS_A_SECOND));
      for (const id of ids) this.#open.get(id)?.send({ type: 'manifest', version: '', withinMs });
      return;
    }
    for (const id of ids) this.#open.get(id)?.announce().catch(this.#warn('could not notify a device', id));
  }

  /** Sends started and ended takeovers to their devices. */
  async pushTakeovers(ids: readonly string[]): Promise<void> {
    for (const { devices, message } of await pushesOf(this.#shared.deps, ids)) {
      const text = JSON.stringify(message);
      for (const id of devices) this.#open.get(id)?.sendText(text);
    }
  }

  command(ids: readonly string[], command: Command): void {
    // The earlier report no longer applies (it failed, or came from another device), so the same one counts as new.
    if (command === 'retry' || command === 'goodbye') this.#presence.forgetWords(ids);
    if (command === 'restart' || command === 'clear') {
      for (const id of ids) this.#deliverCommands(id).catch(this.#warn('could not deliver a command', id));
      return;
    }
    for (const connection of ids.map((id) => this.#open.get(id))) {
      if (command === 'goodbye') connection?.checkPairing().catch(() => connection.close(SOCKET_CLOSE.goingAway));
      else if (command === 'retry') connection?.retry();
      else connection?.send({ type: command });
    }
  }

  /** After missed notifications: sends every device its current version; its next report counts as new. */
  greetAll(): void {
    this.#presence.forgetWords();
    for (const connection of this.#open.values()) void this.#greet(connection);
  }

  /** A connection outlives a database that is away: the device learns what is current when that is back. */
  async #greet(connection: Connection): Promise<void> {
    try {
      while (connection.isOpen && !(await isGreeted(connection)))
        await sleep(GREET_AGAIN_MS, undefined, { ref: false });
    } catch {
      connection.close(SOCKET_CLOSE.goingAway);
    }
  }

  /** Checks that the devices of the next part are still there. */
  check(): void {
    const part = this.#parts[this.#checked % PARTS] ?? [];
    this.#checked += 1;
    for (const [connection, id] of part) {
      // One that was replaced closes by itself and says nothing about its device.
      if (this.#open.get(id) !== connection) continue;
      const isAnswering = connection.missed === 0;
      connection.check();
      this.#presence.checkSilence(id, isAnswering)?.catch(this.#warn('could not mark a device as silent', id));
    }
  }

  /** Sends all devices to other processes, one after the other. */
  async handOver(): Promise<void> {
    const leaving = [...this.#open.values()];
    const spreadMs = Math.min(HAND_OVER_MAX_MS, leaving.length * HAND_OVER_EACH_MS);
    await Promise.all(leaving.map((connection, index) => connection.handOver((index / leaving.length) * spreadMs)));
  }

  #warn(message: string, device: string): (error: unknown) => void {
    return (error) => this.#shared.deps.log.warn({ err: error, device }, message);
  }
}

/** Whether the database answered. */
async function isGreeted(connection: Connection): Promise<boolean> {
  try {
    await connection.greet();
    return true;
  } catch (error) {
    if (isDatabaseAway(error)) return false;
    throw error;
  }
}

/** The WebSocket of devices. */
export function socketRoute(app: FastifyInstance, given: Omit<Shared, 'rate' | 'changes'>, presence: Presence): void {
  const { deps } = given;
  const shared = { ...given, rate: new TokenBuckets(MESSAGES), changes: new TokenBuckets(CHANGES) };
  const connections = new Connections(shared, presence);
  mountSocket(app, deps, connections);
  deps.events.on('manifest', ({ ids, of }) => connections.announce(ids, of));
  deps.events.on('takeover', ({ ids }) => {
    // Those that miss it receive it with their manifest.
    connections.pushTakeovers(ids).catch((error: unknown) => deps.log.warn({ err: error }, 'takeover not pushed'));
  });
  deps.events.on('command', ({ ids, command }) => connections.command(ids, command));
  deps.events.onGap(() => connections.greetAll());
  deps.metrics.gauge('ams_channels', 'Devices whose WebSocket is connected to this process', () => [
    { value: connections.size },
  ]);
  const checks = setInterval(() => connections.check(), presence.pace.pingMs / TURNS_A_PING / PARTS);
  app.addHook('preClose', () => connections.handOver());
  app.addHook('onClose', () => clearInterval(checks));
}

function mountSocket(app: FastifyInstance, deps: Deps, connections: Connections): void {
  app.route({
    method: 'GET',
    url: routes.player.socket.url,
    onRequest: async (request, reply) => {
      // Over a connection that a proxy kept: another process takes the device.
      if (deps.stopping.aborted) throw new AppError('UNAVAILABLE');
      request.caller = await authenticate({ access: 'device' }, deps.identities, request, reply);
      // The WebSocket outlives its request by weeks: the response releases it.
      if (request.ws) reply.raw.detachSocket(request.raw.socket);
    },
    handler: () => {
      throw new AppError('NOT_FOUND');
    },
    wsHandler: (socket, { caller }) => {
      if (caller?.kind !== 'device') {
        socket.close(SOCKET_CLOSE.unpaired);
        return;
      }
      connections.add(caller, socket).catch((error: unknown) => {
        deps.log.warn({ err: error, device: caller.id }, 'WebSocket not opened');
        socket.close(SOCKET_CLOSE.goingAway);
      });
    },
  });
}
