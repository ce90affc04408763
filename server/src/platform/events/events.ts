import { EventEmitter } from 'node:events';
import { LIVE_KINDS, type LiveKind } from '@ams/contract';
import pg from 'pg';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { inBatches } from '../database/loader.ts';
import type { Db } from '../database/database.ts';
import { prepared } from '../database/prepared.ts';

/** `pg_notify` payloads end at 8,000 bytes: at most this many ids in one. */
const IDS_A_MESSAGE = 100;
const RECONNECT_MS = 1000;
/** A silent connection may be broken without an error: it is probed and must answer within this time. */
const BEAT_MS = 10_000;
const ANSWER_MS = 5000;
/** A process that starts waits as long as its other connections do. */
const START_MS = 30_000;

/**
 * The messages of one server process to the others.
 * - `changed`: things that operators may be looking at; `owners` decide who receives it.
 * - `manifest`: devices whose programme may have changed; `of` is the number of devices notified at once.
 * - `takeover`: takeovers that started or ended; their connected devices receive it at once.
 * - `command`: something a device shall do now.
 * - `upload`: uploads that another request waits for; their holder releases them.
 * - `users`: people whose sessions or scope changed.
 */
const Message = z.discriminatedUnion('topic', [
  z.object({
    topic: z.literal('changed'),
    kind: z.enum(LIVE_KINDS),
    ids: z.array(z.string()),
    owners: z.array(z.string()),
  }),
  z.object({ topic: z.literal('manifest'), ids: z.array(z.string()), of: z.number() }),
  z.object({ topic: z.literal('takeover'), ids: z.array(z.string()) }),
  z.object({
    topic: z.literal('command'),
    ids: z.array(z.string()),
    command: z.enum(['restart', 'screenshot', 'clear', 'retry', 'goodbye']),
  }),
  z.object({ topic: z.literal('upload'), ids: z.array(z.string()) }),
  z.object({ topic: z.literal('users'), ids: z.array(z.string()) }),
]);
export type EventMessage = z.output<typeof Message>;
type Topic = EventMessage['topic'];
type Of<T extends Topic> = Extract<EventMessage, { topic: T }>;

/** Tells every server process, this one included; inside a transaction only when it commits. */
export async function publish(db: Db, ...messages: EventMessage[]): Promise<void> {
  const payloads = messages.flatMap(inParts).map((part) => JSON.stringify(part));
  if (payloads.length > 0)
    await sql`select pg_notify('ams', p) from unnest(${payloads}::text[]) p ${prepared}`.execute(db);
}

/** Messages that these things changed, one for each owner: users receive only those in their scope. */
export const changed = (kind: LiveKind, things: { id: string; owner_id: string }[]): EventMessage[] =>
  [...Map.groupBy(things, (thing) => thing.owner_id)].map(([owner, owned]) => ({
    topic: 'changed',
    kind,
    ids: owned.map(({ id }) => id),
    owners: [owner],
  }));

function inParts(message: EventMessage): EventMessage[] {
  const starts = Array.from({ length: Math.ceil(message.ids.length / IDS_A_MESSAGE) }, (_, n) => n * IDS_A_MESSAGE);
  return starts.map((start) => ({ ...message, ids: message.ids.slice(start, start + IDS_A_MESSAGE) }));
}

/** Listens to all server processes on one connection of its own and comes back by itself when that is cut. */
export class Events {
  readonly #emitter = new EventEmitter();
  readonly #connection: pg.ClientConfig;
  readonly #log: FastifyBaseLogger;
  #client: pg.Client | undefined;
  #beat: NodeJS.Timeout | undefined;
  #closed = false;
  /** One query at a time, for all callers since the last one. */
  readonly #ask = inBatches(
    async (callers: readonly string[]) => {
      const client = this.#client;
      await client?.query('select 1').catch(() => {
        this.#reconnect(client);
        return client.end().catch(() => undefined);
      });
      return callers.map(() => undefined);
    },
    { atOnce: 1, size: Number.POSITIVE_INFINITY },
  );

  constructor(connection: pg.ClientConfig, log: FastifyBaseLogger) {
    this.#connection = { ...connection, query_timeout: ANSWER_MS };
    this.#log = log;
    this.#emitter.setMaxListeners(0);
  }

  on<T extends Topic>(topic: T, listener: (message: Of<T>) => void): () => void {
    this.#emitter.on(topic, listener);
    return () => this.#emitter.off(topic, listener);
  }

  /** Called when listening begins, also after an interruption: earlier notifications are lost, so listeners read again. */
  onGap(listener: () => void): () => void {
    this.#emitter.on('gap', listener);
    return () => this.#emitter.off('gap', listener);
  }

  /** Whether this process receives messages of the others. */
  get listening(): boolean {
    return this.#client !== undefined;
  }

  /**
   * Resolves once this process has received every message sent before the call; at once if it is not connected.
   * PostgreSQL delivers committed notifications to a connection before it answers the next statement on it.
   */
  async heardAll(): Promise<void> {
    await this.#ask('heard all?');
  }

  async start(): Promise<void> {
    await this.#listen(START_MS);
    this.#beat = setInterval(() => void this.heardAll(), BEAT_MS).unref();
  }

  async stop(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#beat);
    await this.#client?.end();
  }

  async #listen(connectWithinMs = ANSWER_MS): Promise<void> {
    const client = new pg.Client({ ...this.#connection, connectionTimeoutMillis: connectWithinMs });
    client.on('error', () => this.#reconnect(client));
    client.on('end', () => this.#reconnect(client));
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    try {
      await client.connect();
      // A standby refuses that until it is promoted.
      await client.query('listen ams');
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    if (this.#closed) return client.end();
    this.#emitter.emit('gap');
    this.#client = client;
  }

  #receive(payload: string): void {
    const parsed = Message.safeParse(JSON.parse(payload));
    if (parsed.success) this.#emitter.emit(parsed.data.topic, parsed.data);
    else this.#log.warn({ payload }, 'unknown event');
  }

  #reconnect(client: pg.Client): void {
    if (this.#closed || this.#client !== client) return;
    this.#client = undefined;
    this.#log.warn('event connection lost; reconnecting');
    const again = (): void => {
      if (this.#closed) return;
      this.#listen().catch(() => setTimeout(again, RECONNECT_MS).unref());
    };
    setTimeout(again, RECONNECT_MS).unref();
  }
}
