import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import {
  type DatabaseIntrospector,
  Kysely,
  PostgresDialect,
  type QueryCompiler,
  type RawBuilder,
  sql,
  type Transaction,
  type TransactionBuilder,
} from 'kysely';
import pg from 'pg';
import { isDatabaseAway } from './away.ts';
import { KeepingCompiler } from './compiled-once.ts';
import { preparing } from './prepared.ts';
import { TableNames } from './table-names.ts';

/** Every table. Each feature adds its own beside its queries (`<feature>.tables.ts`). */
// An interface, so that features can merge their tables into it.
export interface Tables {}

export type Db = Kysely<Tables>;

/** One waits for new jobs, and two are enough to take and end jobs (runner-pool.ts). */
const POOL_SIZE = 18;
/** A request waits so long for the database, less than browsers wait for it; a start or a fail-over is often shorter. */
const PATIENCE_MS = 4000;
const CONNECT_AGAIN_MS = 100;
/** A server that starts waits longer: others may start beside it, and whoever restarts it would add to the load. */
const START_PATIENCE_MS = 30_000;

// 20 is int8 and 1700 numeric: counts and byte sizes here stay below 2^53.
pg.types.setTypeParser(20, Number);
pg.types.setTypeParser(1700, Number);
// 1082 is date: kept as YYYY-MM-DD, a calendar date has no instant.
pg.types.setTypeParser(1082, (text) => text);

/** PostgreSQL's code for a change where none is allowed. */
const READ_ONLY = '25006';

/** A read-only database, such as a standby before its promotion, counts as unavailable. */
class StandbyError extends Error {
  override name = 'StandbyError';
  readonly code = READ_ONLY;
}

/**
 * Refuses a standby, and ends compilation on a new connection: PostgreSQL as packaged by Debian compiles statements that
 * it thinks are long, which takes up to two seconds each time and saves milliseconds.
 */
function prepareConnection(client: pg.ClientBase, done: (error?: Error) => void): void {
  client.query<{ standby: boolean }>(
    `select pg_is_in_recovery() as standby, set_config('jit', 'off', false)`,
    (error: Error | null, result) => {
      if (error) done(error);
      else done(result.rows[0]?.standby ? new StandbyError('the database is a standby') : undefined);
    },
  );
}

/** Sets how long a pool tries to connect: for a server that starts, or for requests. */
export function setPatience(pool: pg.Pool, whoWaits: 'start' | 'request'): void {
  pool.options.connectionTimeoutMillis = whoWaits === 'start' ? START_PATIENCE_MS : PATIENCE_MS;
}

/** The connections of one server process. One that breaks is replaced; it must not end the process. */
export function makePool(connection: pg.PoolConfig, log: FastifyBaseLogger): pg.Pool {
  const pool = new pg.Pool({
    max: POOL_SIZE,
    connectionTimeoutMillis: PATIENCE_MS,
    verify: prepareConnection,
    ...connection,
  });
  const lost = (error: Error): void => {
    if (!pool.ending) log.warn({ err: error }, 'database connection lost');
  };
  pool.on('error', lost);
  pool.on('connect', (client) => client.on('error', lost));
  return pool;
}

/** So often a transaction is run that collides with others. */
const TRANSACTION_TRIES = 5;

/** Runs work again that PostgreSQL undid because of others that ran at the same time. */
async function retryCollisions<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (tries === TRANSACTION_TRIES || collisionOf(error) !== 'aborted') throw error;
    }
  }
}

/** Its transactions are run again after a deadlock or a serialization failure: all that they did was undone. */
class Database extends Kysely<Tables> {
  override transaction(): TransactionBuilder<Tables> {
    const builder = super.transaction();
    const once = builder.execute.bind(builder);
    builder.execute = <T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T> =>
      retryCollisions(() => once(work));
    return builder;
  }
}

/** Connects again while the database is away, for as long as that makes sense. */
async function connectPatiently(pool: pg.Pool, isWorthwhile: () => boolean): Promise<pg.PoolClient> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await pool.connect();
    } catch (error) {
      const isLate = performance.now() + CONNECT_AGAIN_MS > until;
      if (isLate || pool.ending || !isWorthwhile() || !isDatabaseAway(error)) throw error;
      await sleep(CONNECT_AGAIN_MS);
    }
  }
}

class Dialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new TableNames(db);
  }

  override createQueryCompiler(): QueryCompiler {
    return new KeepingCompiler();
  }
}

/** @param isPatient whether statements wait for a database that is away; without it they fail at once */
export const makeDb = (pool: pg.Pool, isPatient: () => boolean = () => false): Db =>
  new Database({ dialect: new Dialect({ pool: preparing(pool, () => connectPatiently(pool, isPatient)) }) });

/** Reads everything as of one moment. A row that changed since cannot be held: the reading is then run again. */
export const atOneMoment = <T>(db: Db, read: (trx: Db) => Promise<T>): Promise<T> =>
  retryCollisions(() => db.transaction().setIsolationLevel('repeatable read').execute(read));

/** `{ id, username, phone }` of the user whose id `column` holds, as JSON; null when there is none. */
export const userRef = <T>(column: RawBuilder<unknown>): RawBuilder<T> =>
  sql<T>`(select jsonb_build_object('id', u.id, 'username', u.username, 'phone', u.phone) from users u where u.id = ${column})`;

/** An instant as ISO 8601 UTC text, for use inside SQL. */
export const iso = (column: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`to_char((${column}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A search text as a LIKE pattern that means its own characters. */
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/**
 * How a change fails because of another one at the same time. `missing`: it refers to something that was deleted;
 * `referenced`: something refers to the row that it deletes; `taken`: a unique value is there already; `aborted`:
 * PostgreSQL undid it; `locked`: it waited for a lock longer than `waitAtMost` allows.
 */
export type Collision = 'missing' | 'referenced' | 'taken' | 'aborted' | 'locked';

/**
 * Whether others still refer to the row that a violation of a foreign key is about. The words of its detail are in the
 * language of the database, `(column)=(value)` is not: that is the key of this row, or else the column that refers to one.
 */
function isReferenced({ detail = '', table, constraint }: pg.DatabaseError): boolean {
  const column = /\((\w+)\)=/.exec(detail)?.[1];
  return column !== undefined && constraint !== `${table}_${column}_fkey`;
}

/** The collision that an error of PostgreSQL indicates, by its SQLSTATE (appendix A of its manual). */
export function collisionOf(error: unknown): Collision | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  switch (error.code) {
    case '23503':
      return isReferenced(error) ? 'referenced' : 'missing';
    case '23001':
      return 'referenced';
    case '23505':
      return 'taken';
    case '40001':
    case '40P01':
      return 'aborted';
    case '55P03':
      return 'locked';
    default:
      return undefined;
  }
}

/** Statements of this transaction wait at most so long for a lock, at least 1 ms; then they fail as `locked`. */
export const waitAtMost = (trx: Db, ms: number): Promise<unknown> =>
  sql`select set_config('lock_timeout', ${`${Math.max(1, Math.ceil(ms))}ms`}, true)`.execute(trx);

export const isUniqueViolation = (error: unknown): boolean => collisionOf(error) === 'taken';
