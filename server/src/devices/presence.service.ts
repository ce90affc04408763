import './devices.tables.ts';
import { sql } from 'kysely';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../platform/database.ts';
import { releaseJobs } from '../platform/jobs.ts';
import { type Touched, tellOperators } from './devices.service.ts';

const BEAT_MS = 5000;
const PROCESS_DEAD_SECONDS = 15;
/** A machine that comes back within this time was never away. */
const GRACE_MS = 10_000;

/**
 * Which machines are online: those whose channel a living server process holds. The process beats for
 * all of them with one row, so a machine's heartbeat writes nothing; a process that dies takes its
 * machines' leases with it.
 */
export class Presence {
  readonly #db: Db;
  readonly #processId: string;
  readonly #log: FastifyBaseLogger;
  readonly #held = new Set<string>();
  readonly #leaving = new Map<string, NodeJS.Timeout>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, processId: string, log: FastifyBaseLogger) {
    this.#db = db;
    this.#processId = processId;
    this.#log = log;
  }

  async start(): Promise<void> {
    await this.beat();
    this.#timer = setInterval(() => {
      this.beat().catch((error: unknown) => this.#log.warn({ err: error }, 'presence beat failed'));
    }, BEAT_MS);
  }

  /** Gives all leases back at once. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    for (const timer of this.#leaving.values()) clearTimeout(timer);
    await this.#db.deleteFrom('server_processes').where('id', '=', this.#processId).execute();
    await this.#release(sql`lease = ${this.#processId}`);
  }

  async connected(deviceId: string): Promise<void> {
    this.#held.add(deviceId);
    const leaving = this.#leaving.get(deviceId);
    if (leaving) {
      clearTimeout(leaving);
      this.#leaving.delete(deviceId);
      return;
    }
    await this.#lease([deviceId]);
  }

  /** The channel closed. Offline follows after the grace, unless another channel opens, here or elsewhere. */
  disconnected(deviceId: string): void {
    this.#held.delete(deviceId);
    const leave = (): void => {
      this.#leaving.delete(deviceId);
      this.#release(sql`id = ${deviceId} and lease = ${this.#processId}`).catch((error: unknown) =>
        this.#log.warn({ err: error }, 'lease not given back'),
      );
    };
    this.#leaving.set(deviceId, setTimeout(leave, GRACE_MS));
  }

  /** One sign of life for all machines held here, and the burial of processes that gave none. */
  async beat(): Promise<void> {
    const { rows } = await sql<{ fresh: boolean }>`
      insert into server_processes (id, beat_at) values (${this.#processId}, now())
      on conflict (id) do update set beat_at = now() returning xmax = 0 as fresh`.execute(this.#db);
    // Taken for dead meanwhile: the leases are gone, the channels are not.
    if (rows[0]?.fresh && this.#held.size > 0) await this.#lease([...this.#held]);
    const { rows: dead } = await sql<{ id: string }>`
      delete from server_processes where beat_at < now() - make_interval(secs => ${PROCESS_DEAD_SECONDS})
      returning id`.execute(this.#db);
    if (dead.length === 0) return;
    const processIds = dead.map((row) => row.id);
    await this.#release(sql`lease in (${sql.join(processIds)})`);
    await releaseJobs(this.#db, processIds);
  }

  async #lease(ids: string[]): Promise<void> {
    const { rows } = await sql<Touched>`
      update devices set lease = ${this.#processId} where id = any(${ids}) returning id, owner_id`.execute(this.#db);
    await tellOperators(this.#db, rows);
  }

  async #release(condition: ReturnType<typeof sql>): Promise<void> {
    const { rows } = await sql<Touched>`
      update devices set lease = null, last_seen_at = now() where ${condition} returning id, owner_id`.execute(
      this.#db,
    );
    await tellOperators(this.#db, rows);
  }
}

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
