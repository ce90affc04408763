import './devices.tables.ts';
import { PING_SECONDS, PLAYING_STALE_SECONDS } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../platform/database.ts';
import { releaseJobs } from '../platform/jobs.ts';
import { PROCESS_DEAD_SECONDS, type Touched, tellOperators } from './devices.service.ts';

const BEAT_MS = 5000;

/** How fast a machine is missed, in milliseconds. */
export interface Pace {
  /** A ping so often; after two that nobody answered the channel is closed. */
  pingMs: number;
  /** A machine that comes back within this time was never away. */
  graceMs: number;
  /** A machine whose channel lives but which says nothing for so long is no longer believed to show what it said. */
  silentMs: number;
}

const PACE: Pace = { pingMs: PING_SECONDS * 1000, graceMs: 10_000, silentMs: PLAYING_STALE_SECONDS * 1000 };

/** What this process knows of a machine for as long as it holds its lease. Times by `performance.now()`. */
export interface Tenure {
  /** Resolves when the lease is written and the rest here can be relied on. */
  ready: Promise<void>;
  /** The status that was stored last, as text; empty when another process may have stored one since. */
  said: string;
  /** When it last said what it does, whether that was news or not. */
  saidAt: number;
  /** When a message of its was last read. */
  takenAt: number;
  /** Whether it is marked as silent. */
  silent: boolean;
  /** When it last gave any sign of life. */
  heardAt: number;
  leaving: NodeJS.Timeout | undefined;
}

/**
 * Which machines are online: those whose channel a living server process holds. The process beats for
 * all of them with one row, so a machine's heartbeat writes nothing; a process that dies takes its
 * machines' leases with it.
 */
export class Presence {
  readonly pace: Pace;
  readonly #db: Db;
  readonly #pulse: Db;
  readonly #processId: string;
  readonly #log: FastifyBaseLogger;
  readonly #tenures = new Map<string, Tenure>();
  /** Leases that are being given back: a machine that returns meanwhile waits for that. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** Machines whose lease could not be given back, with when they were last heard. */
  readonly #owed = new Map<string, number>();
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  /** `pulse` is a connection for the beat alone: lists that keep all others busy make no machine look offline. */
  constructor(db: Db, pulse: Db, processId: string, log: FastifyBaseLogger, pace: Partial<Pace> = {}) {
    this.#db = db;
    this.#pulse = pulse;
    this.#processId = processId;
    this.#log = log;
    this.pace = { ...PACE, ...pace };
  }

  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => {
      this.beat().catch((error: unknown) => this.#log.warn({ err: error }, 'presence beat failed'));
    }, BEAT_MS);
  }

  /**
   * Beats a last time and leaves the leases: machines that come back elsewhere in time were never away. Who does not
   * is missed as with a process that died.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    for (const { leaving } of this.#tenures.values()) clearTimeout(leaving);
    await this.#beatOnce();
  }

  /** The machine's channel is open here. */
  connected(deviceId: string): Tenure {
    const held = this.#tenures.get(deviceId);
    clearTimeout(held?.leaving);
    const now = performance.now();
    const tenure: Tenure = held ?? {
      ready: Promise.resolve(),
      said: '',
      saidAt: now,
      takenAt: -Infinity,
      silent: true,
      heardAt: now,
      leaving: undefined,
    };
    tenure.leaving = undefined;
    tenure.ready = this.#settle(deviceId, tenure);
    this.#tenures.set(deviceId, tenure);
    return tenure;
  }

  async #settle(deviceId: string, tenure: Tenure): Promise<void> {
    await this.#leaving.get(deviceId);
    const fresh = await this.#lease([deviceId]);
    tenure.heardAt = performance.now();
    if (fresh.length > 0) Object.assign(tenure, { said: '', silent: true });
  }

  /** The channel closed. Offline follows after the grace, unless another channel opens, here or elsewhere. */
  disconnected(deviceId: string): void {
    const tenure = this.#tenures.get(deviceId);
    if (!tenure || this.#stopped) return;
    const leave = (): void => {
      this.#tenures.delete(deviceId);
      this.#giveBack(deviceId, tenure.heardAt);
    };
    tenure.leaving = setTimeout(leave, this.pace.graceMs);
  }

  #giveBack(deviceId: string, heardAt: number): void {
    const released = this.#release(deviceId, ago(heardAt))
      .catch((error: unknown) => {
        // Otherwise it would stay online for as long as this process lives.
        this.#owed.set(deviceId, heardAt);
        this.#log.warn({ err: error }, 'lease not given back');
      })
      .finally(() => this.#leaving.delete(deviceId));
    this.#leaving.set(deviceId, released);
  }

  /** Tries again what failed. A machine that is back here keeps its lease. */
  #settleDebts(): void {
    for (const [deviceId, heardAt] of this.#owed) {
      this.#owed.delete(deviceId);
      if (!this.#tenures.has(deviceId)) this.#giveBack(deviceId, heardAt);
    }
  }

  /** The next word of these machines (of all when left out) counts, also when it is their last one again. */
  forgetWords(deviceIds: Iterable<string> = this.#tenures.keys()): void {
    for (const id of deviceIds) {
      const tenure = this.#tenures.get(id);
      if (tenure) tenure.said = '';
    }
  }

  /** Marks a machine that has said nothing for too long, once. */
  async checkSilence(deviceId: string): Promise<void> {
    const tenure = this.#tenures.get(deviceId);
    if (!tenure || tenure.silent || performance.now() - tenure.saidAt < this.pace.silentMs) return;
    Object.assign(tenure, { said: '', silent: true });
    const { rows } = await sql<Touched>`
      update devices set silent = true, playing_at = ${ago(tenure.saidAt)}
      where id = ${deviceId} and lease = ${this.#processId} returning id, owner_id`.execute(this.#db);
    await tellOperators(this.#db, rows);
  }

  /** One sign of life for all machines held here, and the burial of processes that gave none. */
  async beat(): Promise<void> {
    const fresh = await this.#beatOnce();
    this.#settleDebts();
    const held = [...this.#tenures].flatMap(([id, { leaving }]) => (leaving ? [] : [id]));
    // Taken for dead meanwhile: the leases are gone, the channels are not. What has gone elsewhere stays there.
    if (fresh && held.length > 0) await this.#lease(held, sql`d.lease is null`);
    const dead = await this.#buryDead();
    if (dead.length > 0) await releaseJobs(this.#pulse, dead);
  }

  /**
   * Takes machines over and answers those that this process did not hold already. Whoever was away for longer
   * than the grace has come back; a change of hands between living processes is no change to the machine.
   */
  async #lease(ids: string[], condition: RawBuilder<unknown> = sql`true`): Promise<Touched[]> {
    const { rows } = await sql<Touched>`
      with before as materialized (
        select d.id, d.lease is not null as held, (
          select p.beat_at from server_processes p where p.id = d.lease
        ) as at
        from devices d where d.id = any(${ids}) and d.lease is distinct from ${this.#processId} and ${condition}
        order by d.id for update
      ), gone as (
        -- Its process died and nobody has buried it yet.
        select id, at from before where held and ${isDead(sql`at`)}
      ), ${NOTED}, healed as (
        delete from presence_changes c using before b
        where c.device_id = b.id and not b.held and not c.online
          and c.at > now() - make_interval(secs => ${this.pace.graceMs / 1000})
          and not exists (select from presence_changes later where later.device_id = b.id and later.at > c.at)
        returning c.device_id
      ), come as (
        insert into presence_changes (device_id, at, online)
        select b.id, now(), true from before b
        where (not b.held or b.id in (select id from gone)) and b.id not in (select device_id from healed)
        on conflict do nothing
      )
      update devices d set lease = ${this.#processId}, silent = true from before b where d.id = b.id
      returning d.id, d.owner_id`.execute(this.#db);
    await tellOperators(this.#db, rows);
    return rows;
  }

  async #release(deviceId: string, lastHeard: RawBuilder<Date>): Promise<void> {
    const { rows } = await sql<Touched>`
      with gone as (
        update devices d set lease = null, last_seen_at = ${lastHeard},
          playing_at = case when silent then playing_at else ${lastHeard} end
        where d.id = ${deviceId} and d.lease = ${this.#processId} returning d.id, d.owner_id, d.last_seen_at as at
      ), ${NOTED}
      select id, owner_id from gone`.execute(this.#db);
    await tellOperators(this.#db, rows);
  }

  /** Answers whether this process was not among the living. */
  async #beatOnce(): Promise<boolean> {
    const { rows } = await sql<{ fresh: boolean }>`
      insert into server_processes (id, beat_at) values (${this.#processId}, now())
      on conflict (id) do update set beat_at = now() returning xmax = 0 as fresh`.execute(this.#pulse);
    return rows[0]?.fresh ?? false;
  }

  /** Buries processes that gave no sign of life, with all they held, and answers their ids. */
  async #buryDead(): Promise<string[]> {
    const { rows } = await sql<{ dead: string[]; gone: Touched[] }>`
      with dead as (
        delete from server_processes p where ${isDead(sql`p.beat_at`)} returning p.id, p.beat_at as at
      ), gone as (
        update devices d set lease = null, last_seen_at = dead.at,
          playing_at = case when silent then playing_at else dead.at end
        from dead where d.lease = dead.id returning d.id, d.owner_id, dead.at
      ), ${NOTED}
      select array(select id from dead) as dead,
        coalesce((select jsonb_agg(jsonb_build_object('id', id, 'owner_id', owner_id)) from gone), '[]') as gone`.execute(
      this.#pulse,
    );
    const { dead = [], gone = [] } = rows[0] ?? {};
    await tellOperators(this.#pulse, gone);
    return dead;
  }
}

/** The instant, by the database's clock, that was `performance.now()` = `at` here. */
const ago = (at: number): RawBuilder<Date> =>
  sql<Date>`now() - make_interval(secs => ${Math.max(0, performance.now() - at) / 1000})`;

/** Whether a process that last beat then is dead; one that left no trace is. */
const isDead = (beatAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`coalesce(${beatAt} < now() - make_interval(secs => ${PROCESS_DEAD_SECONDS}), true)`;

/** Notes that the machines in `gone` left, never before they came. */
const NOTED = sql`noted as (
  insert into presence_changes (device_id, at, online)
  select gone.id, greatest(coalesce(gone.at, now() - interval '1 second'), (
    select max(c.at) + interval '1 millisecond' from presence_changes c where c.device_id = gone.id)), false
  from gone on conflict do nothing
)`;

/** How many machines living processes hold. */
export const countOnline = (db: Db): Promise<number> =>
  sql<{ n: number }>`
    select count(*) as n from devices d join server_processes p on p.id = d.lease
    where not ${isDead(sql`p.beat_at`)}`
    .execute(db)
    .then(({ rows }) => rows[0]?.n ?? 0);

/** Counts who is online now in each scope, for the home page's chart; run at each full hour. */
export const samplePresence = (db: Db): Promise<unknown> =>
  sql`
    insert into presence_samples (user_id, at, below, online)
    select t.user_id, date_trunc('hour', now()), t.below, sum(t.n)
    from tallies t join users u on u.id = t.user_id join server_processes p on p.id::text = t.part
    where t.subject = 'online' and p.beat_at > now() - make_interval(secs => ${PROCESS_DEAD_SECONDS})
    group by t.user_id, t.below
    on conflict (user_id, at, below) do update set online = excluded.online`
    .execute(db)
    .then(() => sql`delete from presence_samples where at < now() - interval '8 days'`.execute(db));
