import './player.tables.ts';
import { sql } from 'kysely';
import type { Config } from '../platform/process/deps.ts';
import { type Db, waitAtMost } from '../platform/database/database.ts';

/** Partitions are there this many days before they are needed, so that a job may fail for as long. */
const DAYS_AHEAD = 7;
/** Rows that are deleted at a time, in short transactions that block nobody. */
const SLICE_ROWS = 20_000;
/** Reports wait behind the dropping of partitions for as long as it waits itself: rather the next hour. */
const LOCK_PATIENCE_MS = 2000;
/** Key of the advisory lock for making and dropping partitions; any number. */
const PARTITIONS_LOCK = 0x706c6179;

const today = sql`(now() at time zone 'UTC')::date`;

/** Makes the partitions of reported plays for today and the days ahead. Needed before the first report of a day. */
export const makePlayPartitions = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await holdPartitions(trx);
    const { rows } = await sql<{ name: string; day: string; next: string }>`
      select to_char(day, '"plays_"YYYYMMDD') as name, day::date as day, (day + interval '1 day')::date as next
      from generate_series(${today}, ${today} + ${sql.lit(DAYS_AHEAD)}, interval '1 day') day
      where to_regclass(to_char(day, '"plays_"YYYYMMDD')) is null`.execute(trx);
    for (const { name, day, next } of rows) {
      // Attached instead of created in place, so that reports continue meanwhile.
      await sql`create table ${sql.table(name)} (like plays including defaults including indexes)`.execute(trx);
      await sql`alter table plays attach partition ${sql.table(name)}
        for values from (${sql.lit(day)}) to (${sql.lit(next)})`.execute(trx);
    }
  });

const holdPartitions = (trx: Db): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(${PARTITIONS_LOCK})`.execute(trx);

/** Drops what was reported longer ago than `playsDays`, and sums older than `reportMonths`. */
export async function dropOldPlays(
  db: Db,
  keep: Pick<Config, 'playsDays' | 'reportMonths'>,
  stopping?: AbortSignal,
): Promise<void> {
  await dropPartitions(db, keep.playsDays);
  const first = sql`(date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${keep.reportMonths}))::date`;
  for (const [table, time] of [
    ['play_item_days', 'day'],
    ['play_item_months', 'month'],
    ['play_days', 'day'],
    // Proofs of what was sold are kept as long as the sums they prove.
    ['signed_batches', 'received_on'],
  ] as const) {
    const slice = sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(time)} < ${first} limit ${sql.lit(SLICE_ROWS)}))`;
    let deleted = SLICE_ROWS;
    while (deleted === SLICE_ROWS) {
      if (stopping?.aborted) return;
      deleted = Number((await slice.execute(db)).numAffectedRows);
    }
  }
}

const dropPartitions = (db: Db, days: number): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await holdPartitions(trx);
    await waitAtMost(trx, LOCK_PATIENCE_MS);
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'plays'::regclass
        and c.relname < to_char(${today} - ${days}::integer, '"plays_"YYYYMMDD')`.execute(trx);
    for (const { name } of rows) await sql`drop table ${sql.table(name)}`.execute(trx);
  });
