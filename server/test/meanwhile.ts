import { type RawBuilder, sql } from 'kysely';
import { expect } from 'vitest';
import type { Db } from '../src/platform/database/database.ts';

interface Meanwhile<T> {
  /** Holds what the call waits for once its caller was admitted. */
  hold: RawBuilder<unknown>;
  call: () => Promise<T>;
  /** The change that somebody else commits before the call goes on. */
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
