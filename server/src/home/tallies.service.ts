import { sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

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
