import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

declare module '../platform/database/database.ts' {
  interface Tables {
    presence_samples: { user_id: string; at: Date; below: boolean; online: number };
  }
}

/** Rows of `tallies` that count online devices: their part is the process that holds the leases, and it is alive. */
export const countsOnline = sql<boolean>`subject = 'online' and part in (select id::text from living_processes)`;

/**
 * Makes one row again of tallies that several rows share, and drops those that nobody reads: zeros, plays
 * of long ago, and what is left of deleted users. Sums stay as they are, whoever counts meanwhile: a row that is busy
 * is left for the next time.
 */
export const foldTallies = (db: Db): Promise<unknown> =>
  sql`
    with crowded as materialized (
      select user_id, subject, part, at, below from tallies
      group by user_id, subject, part, at, below having count(*) > 1 or sum(n) = 0
    ), gone as (
      delete from tallies where id in (
        select t.id from tallies t join crowded using (user_id, subject, part, at, below) for update of t skip locked)
      returning *
    )
    insert into tallies (user_id, subject, part, at, below, n)
    select user_id, subject, part, at, below, sum(n) from gone group by 1, 2, 3, 4, 5 having sum(n) <> 0`
    .execute(db)
    .then(() =>
      sql`
        delete from tallies where id in (
          select t.id from tallies t
          where t.subject = 'plays' and t.at < now() - interval '20 days'
            or not exists (select from users u where u.id = t.user_id)
          for update of t skip locked)`.execute(db),
    );

/** Counts the devices online now in each scope, for the chart of the home page; run at each full hour. */
export const samplePresence = (db: Db): Promise<unknown> =>
  sql`
    insert into presence_samples (user_id, at, below, online)
    select t.user_id, date_trunc('hour', now()), t.below, sum(t.n)
    from tallies t join users u on u.id = t.user_id
    where ${countsOnline}
    group by t.user_id, t.below
    on conflict (user_id, at, below) do update set online = excluded.online`
    .execute(db)
    .then(() => sql`delete from presence_samples where at < now() - interval '8 days'`.execute(db));
