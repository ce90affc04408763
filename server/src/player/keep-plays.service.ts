import './player.tables.ts';
import { sql } from 'kysely';
import type { Config } from '../platform/process/deps.ts';
import { utcToday } from '../platform/database/clock.ts';
import { type Db, waitAtMost } from '../platform/database/database.ts';

/** Partitions are there this many days before they are needed, so that a job may fail for as long. */
const DAYS_AHEAD = 7;
/** Rows that are deleted at a time, in short transactions that block nobody. */
const SLICE_ROWS = 20_000;
/** Reports wait behind the dropping of partitions for as long as it waits itself: rather the next hour. */
const LOCK_PATIENCE_MS = 2000;
/** Key of the advisory lock for making and dropping partitions; any number. */
const PARTITIONS_LOCK = 0x706c6179;

/** Makes the partitions of reported plays for today and the days ahead. Needed before the first report of a day. */
export const makePlayPartitions = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await holdPartitions(trx);
    const { rows } = await sql<{ name: string; day: string; next: string }>`
      select to_char(day, '"plays_"YYYYMMDD') as name, day::date as day, (day + interval '1 day')::date as next
      from generate_series(${utcToday}, ${utcToday} + ${sql.lit(DAYS_AHEAD)}, interval '1 day') day
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
  const first = await dayBefore(db, keep.playsDays);
  await markForgotten(db, first, stopping);
  if (stopping?.aborted) return;
  await dropPartitions(db, first);
  const firstMonth = sql`(date_trunc('month', now() at time zone 'UTC') - make_interval(months => ${keep.reportMonths}))::date`;
  for (const [table, time] of [
    ['play_item_days', 'day'],
    ['play_item_months', 'month'],
    ['play_days', 'day'],
    // Proofs of what was sold are kept as long as the sums they prove.
    ['signed_batches', 'received_on'],
  ] as const) {
    const slice = sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${sql.ref(time)} < ${firstMonth} limit ${sql.lit(SLICE_ROWS)}))`;
    let deleted = SLICE_ROWS;
    while (deleted === SLICE_ROWS) {
      if (stopping?.aborted) return;
      deleted = Number((await slice.execute(db)).numAffectedRows);
    }
  }
}

/** A day as `YYYY-MM-DD`, some days before today. */
async function dayBefore(db: Db, days: number): Promise<string> {
  const { rows } = await sql<{ day: string }>`select (${utcToday} - ${days}::integer)::text as day`.execute(db);
  return rows[0]?.day ?? '';
}

/** The partitions of plays that were reported before a day. */
async function findOldPartitions(db: Db, first: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'plays'::regclass and c.relname < to_char(${first}::date, '"plays_"YYYYMMDD')`.execute(db);
  return rows.map(({ name }) => name);
}

/** Devices whose reports wait at a time. */
const DEVICES_AT_ONCE = 500;
/**
 * The last plays of a device that has reported nothing since stay on record: one that began shortly before them, on the
 * other screen or in another region, may still wait on the device.
 */
const KEPT_BACK = sql`interval '1 hour'`;

/**
 * Notes up to when plays of each device are about to be dropped: one that is older counts only while it is on record.
 * Reports of a device wait for its inbox, so that none is judged between the two.
 */
async function markForgotten(db: Db, first: string, stopping: AbortSignal | undefined): Promise<void> {
  if ((await findOldPartitions(db, first)).length === 0) return;
  let after: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (after !== undefined) {
    if (stopping?.aborted) return;
    after = await markSlice(db, first, after);
  }
}

/** Some devices after one, in order; answers the last of them, undefined if there are none. */
const markSlice = (db: Db, first: string, after: string): Promise<string | undefined> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select device_id as id from play_inboxes where device_id > ${after}::uuid order by device_id
      limit ${sql.lit(DEVICES_AT_ONCE)} for update`.execute(trx);
    const ids = rows.map(({ id }) => id);
    const lastOld = sql`(
      select max(p.at) from plays p where p.device_id = i.id and p.received_on < ${first}::date)`;
    await sql`
      with silent as (
        select i.id, ${lastOld} as last from unnest(${ids}::uuid[]) i(id)
        where not exists (select from plays k where k.device_id = i.id and k.received_on >= ${first}::date))
      update plays p set received_on = ${utcToday} from silent
      where p.device_id = silent.id and p.received_on < ${first}::date and p.at > silent.last - ${KEPT_BACK}`.execute(
      trx,
    );
    await sql`
      update play_inboxes set forgotten_to = greatest(forgotten_to, old.last)
      from (select i.id, ${lastOld} as last from unnest(${ids}::uuid[]) i(id)) old
      where device_id = old.id and old.last is not null`.execute(trx);
    return ids.at(-1);
  });

const dropPartitions = (db: Db, first: string): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await holdPartitions(trx);
    await waitAtMost(trx, LOCK_PATIENCE_MS);
    for (const name of await findOldPartitions(trx, first)) await sql`drop table ${sql.table(name)}`.execute(trx);
  });
