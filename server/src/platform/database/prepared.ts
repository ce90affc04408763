import {
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  type RawBuilder,
  sql,
} from 'kysely';
import type pg from 'pg';

const MARK = '/* prepared */';
/** Maximum number of prepared statements, because each connection keeps them in memory; further ones are sent unprepared. */
const STATEMENTS_MAX = 1000;

/**
 * Stands at the end of a statement that comes with every other request: a connection parses it once and, when values
 * make no difference, plans it once, which is most of what a short statement costs. Only for statements in few
 * different texts whose plan is right for all values: PostgreSQL cannot know how many rows match a value.
 */
export const prepared: RawBuilder<unknown> = sql.raw(MARK);

/**
 * The condition that a column is one of these ids. PostgreSQL guesses the same number whatever the values: a prepared
 * statement is planned once with it, and again with each use of `= any($1)`.
 */
export const oneOf = (column: RawBuilder<unknown>, ids: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${column} = any(array(select unnest(${ids}::uuid[])))`;

/**
 * A value of a prepared statement whose frequency PostgreSQL does not look up: it would find a plan for each cheaper than
 * the one for all, and plan the statement anew with each use.
 */
export const unweighed = (value: RawBuilder<unknown>): RawBuilder<unknown> => sql`(select ${value})`;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  if (!text.endsWith(MARK)) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= STATEMENTS_MAX) return known;
  const name = `ams${names.size}`;
  names.set(text, name);
  return name;
}

/** The part of a `pg` connection that Kysely uses. */
export interface Connection {
  query<R>(statement: pg.QueryConfig): Promise<PostgresQueryResult<R>>;
  release(destroy?: boolean): void;
}

/** A connection as Kysely takes it, which sends marked statements by name. */
class PreparingClient implements PostgresPoolClient {
  readonly #client: Connection;

  constructor(client: Connection) {
    this.#client = client;
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(
    text: string | PostgresCursor<R>,
    values: readonly unknown[] = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') throw new Error('no statement here is read by a cursor');
    return this.#client.query({ name: nameOf(text), text, values: [...values] });
  }

  release(destroy?: boolean): void {
    this.#client.release(destroy);
  }
}

/** A pool as Kysely takes it, whose connections keep the statements that are marked by `prepared`. */
export const preparing = (pool: pg.Pool, connect: () => Promise<Connection> = () => pool.connect()): PostgresPool => ({
  options: pool.options,
  connect: async () => new PreparingClient(await connect()),
  end: () => pool.end(),
});
