import './devices.tables.ts';
import { PING_SECONDS } from '@ams/contract';
import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import { BUSY, inFreeBatches } from '../platform/database/loader.ts';
import type { Db } from '../platform/database/database.ts';
import { releaseJobs } from '../platform/jobs/jobs.ts';
import { ClockWatch } from '../platform/process/clock-watch.ts';
import { type Touched, tellOperators } from './devices.service.ts';
import { ago, beatOnce, buryDead, countLeases, giveBack, type Left, takeLeases } from './leases.ts';
import { isOnline } from './online.sql.ts';

const BEAT_MS = 5000;
/**
 * Many devices come, or go, at once: a process takes their leases one statement after the other. Two at once would wait for
 * each other at the numbers of the same accounts.
 */
const BATCHES = { atOnce: 1, size: 2000, restMaxMs: 250 };
/** A beat that nobody answered for so long went to a database that is silent, not slow: it writes one row. */
const SILENCE_MS = 2 * BEAT_MS;

/** How fast a device is missed, in milliseconds. */
export interface Pace {
  /** A ping so often. The first without an answer makes the last report old, two of them end the connection. */
  pingMs: number;
  /** A device that disconnects and comes back within this time was never away. */
  graceMs: number;
  /** A device that answers pings but reports nothing for so long hangs: its last report counts as old. */
  silentMs: number;
}

const PACE: Pace = { pingMs: PING_SECONDS * 1000, graceMs: 10_000, silentMs: 60_000 };

/** State of a device whose lease this process holds. Times by `performance.now()`. */
export interface Lease {
  /** Resolves when the lease is written and the rest here can be relied on. */
  ready: Promise<void>;
  /** Whether the lease was ever written. */
  written: boolean;
  /** The hash of the status that was stored last; empty when another process may have stored one since. */
  said: string;
  /** When it last reported, whether the report had news or not. */
  saidAt: number;
  /** When a message of its was last read. */
  takenAt: number;
  /** Whether it is marked as silent. */
  silent: boolean;
  /** When it last gave any sign of life. */
  heardAt: number;
  leaving: NodeJS.Timeout | undefined;
}

/** Its earlier reports no longer count: the next one is new. */
const AS_NEW = { said: '', silent: true };

/**
 * Which devices are online: those whose channel a living server process holds. The process beats for
 * all of them with one row, so a device's heartbeat writes nothing; a process that dies takes its
 * devices' leases with it.
 */
export class Presence {
  readonly pace: Pace;
  readonly #db: Db;
  readonly #pulse: Db;
  readonly #processId: string;
  readonly #log: FastifyBaseLogger;
  readonly #onSilence: () => void;
  readonly #clocks: ClockWatch;
  readonly #leases = new Map<string, Lease>();
  /** Leases that are being given back: a device that returns meanwhile waits for that. */
  readonly #leaving = new Map<string, Promise<void>>();
  /** Takes a device over; whether it was not held here. A device that left meanwhile may be at another process. */
  readonly #take = inFreeBatches<string, boolean>(async (ids) => {
    const here = ids.filter((id) => this.#isHere(id));
    const taking = { processId: this.#processId, graceMs: this.pace.graceMs };
    const { done, busy } = await takeLeases(this.#db, here, taking);
    return ids.map((id) => (busy.has(id) ? BUSY : done.has(id)));
  }, BATCHES);
  readonly #giveBack = inFreeBatches<Left, undefined>(async (left) => {
    const { busy } = await giveBack(this.#db, this.#processId, left);
    return left.map(({ id }) => (busy.has(id) ? BUSY : undefined));
  }, BATCHES);
  /** Devices whose lease could not be released, with the time of their last message. */
  readonly #owed = new Map<string, number>();
  #stopped = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param pulse a connection for the beat alone: lists that keep all others busy make no device look offline
   * @param onSilence called when the database neither answers nor breaks its connections
   */
  constructor(
    db: Db,
    pulse: Db,
    processId: string,
    log: FastifyBaseLogger,
    onSilence: () => void,
    pace: Partial<Pace> = {},
  ) {
    this.#db = db;
    this.#pulse = pulse;
    this.#processId = processId;
    this.#log = log;
    this.#onSilence = onSilence;
    this.#clocks = new ClockWatch(log);
    this.pace = { ...PACE, ...pace };
  }

  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => {
      this.beat().catch((error: unknown) => this.#log.warn({ err: error }, 'presence heartbeat failed'));
    }, BEAT_MS);
  }

  /**
   * Sends a last heartbeat and keeps the leases: devices that reach another process in time were never offline. The
   * others go offline as after a crash.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    for (const { leaving } of this.#leases.values()) clearTimeout(leaving);
    await this.#beatOnce();
  }

  /** The device's channel is open here. */
  connected(deviceId: string): Lease {
    const held = this.#leases.get(deviceId);
    clearTimeout(held?.leaving);
    const now = performance.now();
    const lease: Lease = held ?? {
      ready: Promise.resolve(),
      written: false,
      said: '',
      saidAt: now,
      takenAt: -Infinity,
      silent: true,
      heardAt: now,
      leaving: undefined,
    };
    lease.leaving = undefined;
    this.#leases.set(deviceId, lease);
    lease.ready = this.#settle(deviceId, lease);
    return lease;
  }

  /** Whether its channel is open here. */
  #isHere(deviceId: string): boolean {
    const lease = this.#leases.get(deviceId);
    return lease !== undefined && lease.leaving === undefined;
  }

  async #settle(deviceId: string, lease: Lease): Promise<void> {
    await this.#leaving.get(deviceId);
    const fresh = await this.#take(deviceId);
    lease.heardAt = performance.now();
    lease.written = true;
    if (fresh) Object.assign(lease, AS_NEW);
  }

  /** The channel closed. Offline follows after the grace, unless another channel opens, here or elsewhere. */
  disconnected(deviceId: string): void {
    this.#leaveAfter(deviceId, this.pace.graceMs);
  }

  /** The channel was closed because nothing had come over it for longer than any grace: offline at once. */
  lost(deviceId: string): void {
    this.#leaveAfter(deviceId, 0);
  }

  #leaveAfter(deviceId: string, graceMs: number): void {
    const lease = this.#leases.get(deviceId);
    if (!lease || this.#stopped) return;
    const leave = (): void => {
      this.#leases.delete(deviceId);
      this.#leave(deviceId, lease.heardAt);
    };
    lease.leaving = setTimeout(leave, graceMs);
  }

  #leave(deviceId: string, heardAt: number): void {
    const released = this.#giveBack({ id: deviceId, heardAt })
      .catch((error: unknown) => {
        // Otherwise it would stay online until this process ends.
        this.#owed.set(deviceId, heardAt);
        this.#log.warn({ err: error }, 'lease not released');
      })
      .finally(() => this.#leaving.delete(deviceId));
    this.#leaving.set(deviceId, released);
  }

  /** Tries again what failed. A device that is back here keeps its lease. */
  #settleDebts(): void {
    for (const [deviceId, heardAt] of this.#owed) {
      this.#owed.delete(deviceId);
      if (!this.#leases.has(deviceId)) this.#leave(deviceId, heardAt);
    }
  }

  /** The next report of these devices (default: all) counts, even if it repeats the last one. */
  forgetWords(deviceIds: Iterable<string> = this.#leases.keys()): void {
    for (const id of deviceIds) {
      const lease = this.#leases.get(id);
      if (lease) lease.said = '';
    }
  }

  /**
   * Marks a device once if it has not reported for too long or does not answer its ping. Undefined if nothing is to do,
   * which is so thousands of times a second.
   */
  checkSilence(deviceId: string, isAnswering: boolean): Promise<void> | undefined {
    const lease = this.#leases.get(deviceId);
    if (!lease || lease.silent) return undefined;
    if (isAnswering && performance.now() - lease.saidAt < this.pace.silentMs) return undefined;
    return this.#markSilent(deviceId, lease);
  }

  async #markSilent(deviceId: string, lease: Lease): Promise<void> {
    Object.assign(lease, AS_NEW);
    try {
      const { rows } = await sql<Touched>`
        update devices set silent = true, playing_at = ${ago(lease.saidAt)}
        where id = ${deviceId} and lease = ${this.#processId} returning id, owner_id`.execute(this.#db);
      await tellOperators(this.#db, rows);
    } catch (error) {
      // The next check tries again.
      lease.silent = false;
      throw error;
    }
  }

  /** One sign of life for all devices held here, and the burial of processes that gave none. */
  async beat(): Promise<void> {
    await this.#beatOnce();
    this.#settleDebts();
    const dead = await buryDead(this.#pulse);
    if (dead.length > 0) await releaseJobs(this.#pulse, dead);
    await this.#takeBack();
  }

  /**
   * Leases can be lost while the connections stay: this process was declared dead, or a process that took a device
   * later crashed. A lease that a living process holds stays there.
   */
  async #takeBack(): Promise<void> {
    // Of thousands that come at once, most are not written yet.
    const written = [...this.#leases].flatMap(([id, lease]) => (lease.written ? id : []));
    // Devices that leave have theirs, too, and must not hide the lack of another's.
    const due = written.length + this.#leaving.size + this.#owed.size;
    if (due === 0 || (await countLeases(this.#pulse, this.#processId)) >= due) return;
    const here = written.filter((id) => this.#isHere(id));
    const { graceMs } = this.pace;
    const only = sql<boolean>`d.lease is null`;
    // Busy ones are left to the next beat.
    const { done } = await takeLeases(this.#db, here, { processId: this.#processId, graceMs, only });
    for (const id of done) {
      const lease = this.#leases.get(id);
      if (lease) Object.assign(lease, AS_NEW);
    }
  }

  async #beatOnce(): Promise<void> {
    const silence = setTimeout(() => {
      this.#log.warn('the database does not answer; reconnecting');
      this.#onSilence();
    }, SILENCE_MS);
    try {
      this.#clocks.note(await beatOnce(this.#pulse, this.#processId));
    } finally {
      clearTimeout(silence);
    }
  }
}

/** How many devices are online, at any process. */
export const countOnline = (db: Db): Promise<number> =>
  sql<{ n: number }>`select count(*) as n from devices d where ${isOnline}`
    .execute(db)
    .then(({ rows }) => rows[0]?.n ?? 0);
