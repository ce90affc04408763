import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import { expect, vi } from 'vitest';
import type { Db } from '../src/platform/database/database.ts';

interface Meanwhile<T> {
  /** Holds what the call waits for once its caller was admitted. */
  hold: RawBuilder<unknown>;
  call: () => Promise<T>;
  /** The change that somebody else commits before the call continues. */
  change: RawBuilder<unknown>;
}

/** The answer of a call during which something else is committed: after it was let in, and before it takes effect. */
export async function meanwhile<T>(db: Db, { hold, call, change }: Meanwhile<T>): Promise<T> {
  const { answer } = await db.transaction().execute(async (trx) => {
    await hold.execute(trx);
    const begun = call();
    await expect
      .poll(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(trx);
        return rows.length;
      })
      .toBeGreaterThan(0);
    await change.execute(trx);
    return { answer: begun };
  });
  return answer;
}

/** Resolves when so many statements of this database wait for locks. */
export const untilWaiting = (db: Db, count: number): Promise<void> =>
  expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length;
    })
    .toBe(count);

/** Runs `work` while the first transaction that adds a row to `table` is undone, as after a deadlock. */
export async function collidingOnce<T>(db: Db, table: string, work: () => Promise<T>): Promise<T> {
  // Sequences are not rolled back: the second try succeeds.
  await sql`
    create sequence collisions;
    create function collide() returns trigger language plpgsql as $$ begin
      if nextval('collisions') = 1 then raise 'collision' using errcode = 'deadlock_detected'; end if;
      return new;
    end $$;
    create trigger collide before insert on ${sql.table(table)} for each row execute function collide()`.execute(db);
  try {
    return await work();
  } finally {
    await sql`drop function collide cascade; drop sequence collisions`.execute(db);
  }
}

interface Crossing<A, B> {
  /** Holds what the first call waits for once it holds all that comes before. */
  hold: RawBuilder<unknown>;
  first: () => Promise<A>;
  /** Waits for something that the first call holds, or that it waits for. */
  second: () => Promise<B>;
}

/** A query of `pg` as it receives its error; its types leave this out. */
interface Failing {
  handleError(error: unknown): void;
}
const canFail = (query: object): query is Failing => 'handleError' in query;

/** PostgreSQL ends one of the transactions that wait for each other with this. */
const isDeadlock = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '40P01';

/** The answers of calls, and how many deadlocks they made: their order of locks differs. */
export async function countDeadlocks<T>(work: () => Promise<T>): Promise<{ answers: T; deadlocks: number }> {
  const query: object = pg.Query.prototype;
  if (!canFail(query)) throw new Error('pg has another way to tell of errors');
  const errors = vi.spyOn(query, 'handleError');
  try {
    const answers = await work();
    return { answers, deadlocks: errors.mock.calls.filter(([error]) => isDeadlock(error)).length };
  } finally {
    errors.mockRestore();
  }
}

/** The answers of two calls that cross at one point, and how many deadlocks that made. */
export const crossing = <A, B>(db: Db, { hold, first, second }: Crossing<A, B>) =>
  countDeadlocks(async () => {
    const begun = await db.transaction().execute(async (trx) => {
      await hold.execute(trx);
      const one = first();
      await untilWaiting(db, 1);
      const two = second();
      await untilWaiting(db, 2);
      return { answers: Promise.all([one, two]) };
    });
    return begun.answers;
  });

/** The database for a reader during whose reading a change is made: after its first answer, or the first of these. */
export function changedMeanwhile(
  db: Db,
  change: () => Promise<unknown>,
  isDue: (rows: readonly object[]) => boolean = () => true,
): Db {
  let isMade = false;
  return db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isMade && isDue(result.rows)) {
        isMade = true;
        await change();
      }
      return result;
    },
  });
}
