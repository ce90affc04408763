import './devices.tables.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { oneOf, prepared } from '../platform/database/prepared.ts';
import { type Touched, tellOperators } from './devices.service.ts';
import { isOnline } from './online.sql.ts';

/** Records a heartbeat of this process. Returns the time of the database, in milliseconds since 1970. */
export async function beatOnce(db: Db, processId: string): Promise<number> {
  const { rows } = await sql<{ at: Date }>`
    insert into server_processes (id, beat_at) values (${processId}, now())
    on conflict (id) do update set beat_at = now() returning beat_at as at`.execute(db);
  return rows[0]?.at.getTime() ?? Date.now();
}

/** How many devices this process holds. */
export const countLeases = (db: Db, processId: string): Promise<number> =>
  sql<{ n: number }>`select count(*) as n from devices where lease = ${processId}`
    .execute(db)
    .then(({ rows }) => rows[0]?.n ?? 0);

interface Taking {
  processId: string;
  /** A shorter absence does not count as a return. */
  graceMs: number;
  /** A condition on `d` (devices). */
  only?: RawBuilder<boolean>;
}

/** `done`: devices whose lease changed. `busy`: those whose row another transaction holds; nothing waits for it. */
interface Outcome {
  done: ReadonlySet<string>;
  busy: ReadonlySet<string>;
}

/**
 * Takes devices over; those that this process did not hold are `done`. A device that was away for longer than the grace
 * period has returned; a move between living processes does not change its presence.
 */
export async function takeLeases(
  db: Db,
  ids: readonly string[],
  { processId, graceMs, only = sql`true` }: Taking,
): Promise<Outcome> {
  const { rows } = await sql<Touched & { done: boolean }>`
    with wanted as materialized (
      select d.id, d.owner_id from devices d
      where ${oneOf(sql`d.id`, ids)} and d.lease is distinct from ${processId} and ${only}
    ), before as materialized (
      select d.id, d.lease is not null as held, (
        select p.beat_at from server_processes p where p.id = d.lease
      ) as at, coalesce(${isOnline}, false) as living
      from devices d where d.id in (select id from wanted) and d.lease is distinct from ${processId} and ${only}
      order by d.id for update of d skip locked
    ), gone as (
      -- Its process died and nobody has buried it yet.
      select id, at from before where held and not living
    ), ${NOTED}, latest as materialized (
      -- By device: thousands of others changed within the grace period, too.
      select b.id, c.at, c.online from before b, lateral (
        select at, online from presence_changes where device_id = b.id order by at desc limit 1) c
      where not b.held
    ), healed as (
      delete from presence_changes c using latest l
      where c.device_id = l.id and c.at = l.at and not l.online
        and l.at > now() - make_interval(secs => ${graceMs / 1000}) and l.at < now() + make_interval(secs => ${graceMs / 1000})
      returning c.device_id
    ), come as (
      insert into presence_changes (device_id, at, online)
      select b.id, now(), true from before b
      where (not b.held or b.id in (select id from gone)) and b.id not in (select device_id from healed)
      on conflict do nothing
    ), taken as (
      update devices d set lease = ${processId}, silent = true from before b where d.id = b.id returning d.id
    )
    select w.id, w.owner_id, w.id in (select id from taken) as done from wanted w ${prepared}`.execute(db);
  return tell(db, rows);
}

/** A device that this process held, and when it last gave a sign of life, by `performance.now()`. */
export interface Left {
  id: string;
  heardAt: number;
}

/** Gives back the leases of devices that left; those that another process holds by now stay there. */
export async function giveBack(db: Db, processId: string, left: readonly Left[]): Promise<Outcome> {
  const ids = left.map(({ id }) => id);
  const seconds = left.map(({ heardAt }) => secondsSince(heardAt));
  const { rows } = await sql<Touched & { done: boolean }>`
    with wanted as materialized (
      select d.id, d.owner_id, now() - make_interval(secs => w.seconds) as heard_at
      from unnest(${ids}::uuid[], ${seconds}::float8[]) w(id, seconds) join devices d on d.id = w.id
      where d.lease = ${processId}
    ), mine as materialized (
      select d.id from devices d where d.id in (select id from wanted) and d.lease = ${processId}
      order by d.id for no key update of d skip locked
    ), gone as (
      update devices d set lease = null, last_seen_at = w.heard_at,
        playing_at = case when silent then playing_at else w.heard_at end
      from wanted w join mine m on m.id = w.id where d.id = w.id returning d.id, d.last_seen_at as at
    ), ${NOTED}
    select w.id, w.owner_id, w.id in (select id from gone) as done from wanted w ${prepared}`.execute(db);
  return tell(db, rows);
}

/** The lock of the process that buries: what one does with many devices, the others must not begin as well. */
export const BURIAL_LOCK = sql`hashtext('ams burial')`;

/**
 * Devices that show as offline already are written so many at a time: after a restart of everything they all come back
 * meanwhile, and would wait for one statement that writes a hundred thousand.
 */
const GONE_AT_ONCE = 1000;

/**
 * Buries processes that gave no sign of life, with what they held. Answers the ids of all that are dead; none while another
 * process does it. One that holds more devices, or one whose row is busy, is buried later: the beat, which comes first, must
 * not wait.
 */
export async function buryDead(db: Db): Promise<string[]> {
  const { rows } = await sql<{ dead: string[]; gone: Touched[] }>`
    with turn as materialized (select pg_try_advisory_xact_lock(${BURIAL_LOCK}) as mine), dead as materialized (
      select p.id, least(p.beat_at, now()) as at from server_processes p
      where p.id not in (select id from living_processes) and (select mine from turn)
    ), held as materialized (
      select d.id, dead.at from devices d join dead on dead.id = d.lease limit ${sql.lit(GONE_AT_ONCE)}
      for no key update of d skip locked
    ), gone as (
      update devices d set lease = null, last_seen_at = held.at,
        playing_at = case when silent then playing_at else held.at end
      from held where d.id = held.id returning d.id, d.owner_id, held.at
    ), ${NOTED}, buried as (
      delete from server_processes p using dead
      where p.id = dead.id
        and not exists (select from devices d where d.lease = p.id and d.id not in (select id from gone))
    )
    select array(select id from dead) as dead,
      coalesce((select jsonb_agg(jsonb_build_object('id', id, 'owner_id', owner_id)) from gone), '[]') as gone`.execute(
    db,
  );
  const { dead = [], gone = [] } = rows[0] ?? {};
  await tellOperators(db, gone);
  return dead;
}

async function tell(db: Db, rows: (Touched & { done: boolean })[]): Promise<Outcome> {
  const [done, busy] = [rows.filter((row) => row.done), rows.filter((row) => !row.done)];
  await tellOperators(db, done);
  return { done: new Set(done.map(({ id }) => id)), busy: new Set(busy.map(({ id }) => id)) };
}

const secondsSince = (at = performance.now()): number => Math.max(0, performance.now() - at) / 1000;

/** The instant, by the database's clock, that was `performance.now()` = `at` here. */
export const ago = (at: number): RawBuilder<Date> => sql<Date>`now() - make_interval(secs => ${secondsSince(at)})`;

/** Notes that the devices in `gone` left, never before they came. */
const NOTED = sql`noted as (
  insert into presence_changes (device_id, at, online)
  select gone.id, greatest(coalesce(gone.at, now() - interval '1 second'), (
    select max(c.at) + interval '1 millisecond' from presence_changes c where c.device_id = gone.id)), false
  from gone on conflict do nothing
)`;
