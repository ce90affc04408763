import type { ServerResponse } from 'node:http';
import { AppError, LIVE_BEAT_SECONDS, LIVE_KINDS, LIVE_RECENT_SECONDS, type LiveKind } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import type { EventMessage, Events } from '../platform/events/events.ts';
import { takeOver } from '../platform/http/raw-reply.ts';

const EVENT_INTERVAL_MS = 1000;
/** A page filters its own ids, so that a busy installation does not reload every page each second. */
const IDS_AN_EVENT = 2000;
/** A page that reads nothing is not kept in memory: it comes back and looks at everything again. */
const UNREAD_MAX_BYTES = 2 ** 20;

const RECENT_MS = LIVE_RECENT_SECONDS * 1000;
/** Messages of 100 ids: a few megabytes at most. */
const RECENT_MAX = 1000;

type Change = Extract<EventMessage, { topic: 'changed' }>;

/** The changes that this process heard of within `LIVE_RECENT_SECONDS`. */
export class RecentChanges {
  readonly #heard: { at: number; change: Change }[] = [];
  /** Changes up to this moment are not all known; milliseconds of `performance.now()`. */
  #missedUntil = Number.NEGATIVE_INFINITY;

  constructor(events: Pick<Events, 'on' | 'onGap'>) {
    events.on('changed', (change) => this.#add(change));
    let began = false;
    events.onGap(() => {
      // The first time this process begins to listen: nobody has read anything from it before.
      if (began) this.#missedUntil = performance.now();
      began = true;
    });
  }

  #add(change: Change): void {
    const at = performance.now();
    this.#heard.push({ at, change });
    while (this.#heard[0] && (this.#heard[0].at < at - RECENT_MS || this.#heard.length > RECENT_MAX)) {
      const forgotten = this.#heard.shift();
      if (forgotten) this.#missedUntil = Math.max(this.#missedUntil, forgotten.at);
    }
  }

  /** The latest changes; undefined when some of them are not known. */
  now(): readonly Change[] | undefined {
    const from = performance.now() - RECENT_MS;
    if (this.#missedUntil >= from) return undefined;
    return this.#heard.filter(({ at }) => at >= from).map(({ change }) => change);
  }
}

/**
 * The scope of a viewer, kept up to date for as long as its stream lasts. It listens before it reads, so that
 * nothing is missed in between; of two looks the later one counts.
 */
class Sight {
  readonly #db: Db;
  readonly #viewer: Viewer;
  readonly #offs: (() => void)[];
  readonly #lost = new AbortController();
  #scope: ReadonlySet<string> = new Set();
  #looks = 0;

  constructor({ db, events }: Pick<Deps, 'db' | 'events'>, viewer: Viewer) {
    this.#db = db;
    this.#viewer = viewer;
    this.#offs = [
      // Its own session, role or place may have changed: the client comes back with what it still has.
      events.on('users', ({ ids }) =>
        ids.includes(viewer.id) || ids.includes(viewer.person.id) ? this.#lost.abort() : this.#lookAgain(),
      ),
      events.onGap(() => this.#lookAgain()),
    ];
  }

  /** Aborts when the viewer may receive nothing any more, or has to reconnect. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  has(owner: string): boolean {
    return this.#scope.has(owner);
  }

  async look(): Promise<void> {
    this.#looks += 1;
    const look = this.#looks;
    const scope = await scopeNow(this.#db, this.#viewer);
    if (scope.size === 0) this.#lost.abort();
    else if (look === this.#looks) this.#scope = scope;
  }

  #lookAgain(): void {
    this.look().catch(() => this.#lost.abort());
  }

  close(): void {
    for (const off of this.#offs) off();
  }
}

/** The ids of everybody in the viewer's scope; nobody for a viewer that is disabled, deleted or without its session. */
async function scopeNow(db: Db, { id, tokenHash }: Viewer): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select s.user_id as id from users u
      join user_scopes s on s.ancestor_id = u.id and (u.role = 'leading' or s.user_id = u.id)
    where u.id = ${id} and not u.disabled
      and exists (select from sessions k where k.token_hash = ${tokenHash} and k.expires_at > now())`.execute(db);
  return new Set(rows.map((row) => row.id));
}

/** Changed ids of one kind that wait to be sent; not listed any more when anything may have changed. */
type Pending = Set<string> | 'anything';

/** Sends the first change of a kind at once and gathers what follows within a second into the next event. */
class Coalescer {
  readonly #send: (kind: LiveKind, ids: string[]) => void;
  readonly #pending = new Map<LiveKind, Pending>();
  readonly #timers = new Map<LiveKind, NodeJS.Timeout>();

  constructor(send: (kind: LiveKind, ids: string[]) => void) {
    this.#send = send;
  }

  /** No ids: anything may have changed. */
  add(kind: LiveKind, ids: string[]): void {
    this.#pending.set(kind, joined(this.#pending.get(kind), ids));
    if (!this.#timers.has(kind)) this.#flush(kind);
  }

  #flush(kind: LiveKind): void {
    const pending = this.#pending.get(kind);
    this.#timers.delete(kind);
    if (!pending) return;
    this.#pending.delete(kind);
    this.#send(kind, pending === 'anything' ? [] : [...pending]);
    this.#timers.set(
      kind,
      setTimeout(() => this.#flush(kind), EVENT_INTERVAL_MS),
    );
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }
}

/** More ids than an event can contain are reported as "anything", because none may be omitted. */
function joined(pending: Pending | undefined, ids: string[]): Pending {
  if (pending === 'anything' || ids.length === 0) return 'anything';
  const all = new Set([...(pending ?? []), ...ids]);
  return all.size > IDS_AN_EVENT ? 'anything' : all;
}

/** A person with a page in every tab has fewer; each costs memory and a look at every event. */
const STREAMS_MAX = 20;
const streamsOf = new Map<string, Set<ServerResponse>>();

/** Keeps a person's newest streams of this process: the oldest is closed at once, not when its reader agrees. */
function keepNewest(personId: string, stream: ServerResponse): void {
  const streams = streamsOf.get(personId) ?? new Set();
  streamsOf.set(personId, streams.add(stream));
  const [oldest] = streams;
  if (oldest && streams.size > STREAMS_MAX) {
    streams.delete(oldest);
    oldest.destroy();
  }
  stream.on('close', () => {
    streams.delete(stream);
    if (streams.size === 0) streamsOf.delete(personId);
  });
}

/**
 * Server-sent events of what changed in the viewer's scope, from the `recent` changes on until either side leaves. An
 * event with no ids means: look at everything again. The stream ends when something about the viewer's own account
 * changes.
 */
export async function streamLive(
  deps: Deps,
  recent: RecentChanges,
  viewer: Viewer,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const sight = new Sight(deps, viewer);
  try {
    await sight.look();
    if (sight.lost.aborted) throw new AppError('UNAUTHENTICATED');
  } catch (error) {
    sight.close();
    throw error;
  }
  const raw = takeOver(reply);
  // The reader left meanwhile: its `close` event has fired already, so nothing would remove the listeners.
  if (raw.destroyed) {
    sight.close();
    return;
  }
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
  // The head is all that was asked for.
  if (request.method === 'HEAD') {
    sight.close();
    raw.end();
    return;
  }
  raw.write(': welcome\n\n');
  keepNewest(viewer.person.id, raw);
  const live = new Coalescer((kind, ids) => {
    if (raw.writableLength > UNREAD_MAX_BYTES) raw.destroy();
    else raw.write(`event: ${kind}\ndata: ${JSON.stringify({ ids })}\n\n`);
  });

  const isSeen = ({ owners }: Change): boolean => owners.some((owner) => sight.has(owner));
  const changed = (change: Change): void => {
    if (isSeen(change)) live.add(change.kind, change.ids);
  };
  const everything = (): void => LIVE_KINDS.forEach((kind) => live.add(kind, []));
  const known = recent.now();
  if (known) {
    for (const [kind, changes] of Map.groupBy(known.filter(isSeen), (change) => change.kind)) {
      const ids = changes.flatMap((change) => change.ids);
      live.add(kind, ids);
    }
  } else everything();
  const offs = [deps.events.on('changed', changed), deps.events.onGap(everything)];
  // The page comes back, to a process that stays, with what it still may see.
  const leave = (): void => void raw.end();
  const ends = AbortSignal.any([deps.stopping, sight.lost]);
  ends.addEventListener('abort', leave);
  if (ends.aborted) leave();
  const beat = setInterval(() => raw.write(': beat\n\n'), LIVE_BEAT_SECONDS * 1000);
  raw.on('close', () => {
    clearInterval(beat);
    live.stop();
    ends.removeEventListener('abort', leave);
    sight.close();
    for (const off of offs) off();
  });
}
