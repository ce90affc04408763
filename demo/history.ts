import { addDays, isoWeekday, localTime, zonedInstant } from '@ams/contract';
import { sql } from 'kysely';
import type { Db } from '../server/src/platform/database/database.ts';
import '../server/src/devices/devices.tables.ts';
import '../server/src/player/player.tables.ts';
import '../server/src/releases/releases.tables.ts';
import type { Place } from './cast.ts';
import type { Devices } from './seed.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEEK_DAYS = 9;
/** The charts' two weeks are days in UTC: where it is tomorrow already, their first is one day more ago. */
const PLAY_DAYS = 15;
/** The demo's releases, pairings and so on happened so long ago. */
const AGE_DAYS = 16;

/** 0 ≤ x < 1, always the same for the same arguments: history is the same in every demo. */
function chance(...of: (string | number)[]): number {
  let hash = 2_166_136_261;
  for (const letter of of.join('/')) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

/** Whether a device was on in a past hour: cafés sleep at night, lines break now and then. */
function wasOn({ owner, number, part }: Place, timeZone: string, at: number, now: number): boolean {
  if (part === 'away' && now - at < (2 + number / 2) * HOUR_MS) return false;
  const hour = Math.floor(localTime(at, timeZone).minutes / 60);
  const day = Math.floor(at / DAY_MS);
  if (owner === 'lumencafe' && (hour < 6 || hour >= 22)) return false;
  if (part === 'flaps' && chance('line', number, day, hour) < 0.25) return false;
  return chance('outage', number, day, Math.floor(hour / 3)) >= 0.02;
}

/** When a device came and went in the past hours. */
function changesOf(place: Place, timeZone: string, now: number): { at: number; online: boolean }[] {
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - WEEK_DAYS * DAY_MS;
  const changes: { at: number; online: boolean }[] = [];
  for (let at = first; at < now - HOUR_MS; at += HOUR_MS) {
    const online = wasOn(place, timeZone, at, now);
    const minutes = Math.round(50 * chance('minute', place.number, at));
    if (online !== (changes.at(-1)?.online ?? false)) changes.push({ at: at + minutes * 60_000, online });
  }
  return changes;
}

async function rememberPresence(db: Db, devices: Devices, now: number): Promise<void> {
  for (const [place, { id, timeZone }] of devices) {
    if (place.part === 'known') continue;
    const changes = changesOf(place, timeZone, now);
    if (place.part === 'away') {
      await db.deleteFrom('presence_changes').where('device_id', '=', id).execute();
      const last = new Date(changes.at(-1)?.at ?? now - HOUR_MS);
      await db.updateTable('devices').set({ last_seen_at: last, playing_at: last }).where('id', '=', id).execute();
    }
    await db
      .insertInto('presence_changes')
      .values(changes.map(({ at, online }) => ({ device_id: id, at: new Date(at), online })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await sql`
    insert into presence_samples (user_id, at, below, online)
    select s.ancestor_id, hour, s.ancestor_id <> d.owner_id, count(*)
    from generate_series(date_trunc('hour', now()) - interval '7 days', date_trunc('hour', now()), interval '1 hour') hour
      cross join devices d join user_scopes s on s.user_id = d.owner_id
    where (select c.online from presence_changes c where c.device_id = d.id and c.at <= hour order by c.at desc limit 1)
    group by 1, 2, 3 on conflict do nothing`.execute(db);
}

/** Plays in each hour of a calendar day there, for items that take about eight seconds and share the screen. */
function hoursOf(place: Place, timeZone: string, date: string, now: number): number[] {
  const weekend = isoWeekday(date) >= 6 ? 0.8 : 1;
  return Array.from({ length: 24 }, (_, hour) => {
    const begin = zonedInstant(date, hour * 60, timeZone);
    if (begin > now - HOUR_MS || !wasOn(place, timeZone, begin, now)) return 0;
    return Math.round(160 * weekend * (0.85 + 0.3 * chance('plays', place.number, date, hour)));
  });
}

const NEVER_PLAYED = new Set<Place['part']>(['known', 'slow', 'diskFull', 'corrupt']);
const PLAY_MS = 8000;

/** The sums of two weeks of plays, as the reports and charts read them; single plays are not kept that long. */
async function rememberPlays(db: Db, devices: Devices, now: number): Promise<void> {
  await sql`
    insert into play_items (release_id, sha256, screen, file_id, file_name, length_ms)
    select distinct on (rf.release_id, rf.sha256) rf.release_id, rf.sha256, 'main', rf.file_id, f.name, ${PLAY_MS}::integer
    from release_files rf join files f on f.id = rf.file_id join releases r on r.id = rf.release_id
    where r.released_at < now() - interval '1 day' on conflict do nothing`.execute(db);
  for (const [place, { id, timeZone }] of devices) {
    if (NEVER_PLAYED.has(place.part)) continue;
    const today = localTime(now, timeZone).date;
    const days = Array.from({ length: PLAY_DAYS }, (_, ago) => {
      const day = addDays(today, -ago);
      return { day, hours: hoursOf(place, timeZone, day, now) };
    });
    await sql`
      insert into play_item_days as old (device_id, item_id, day, plays, duration_ms, hour_plays, hour_ms)
      select ${id}::uuid, i.id, d.day, (select sum(n) from unnest(d.hours) n),
        (select sum(n) from unnest(d.hours) n) * ${PLAY_MS}::bigint, d.hours,
        array(select n * ${PLAY_MS}::integer from unnest(d.hours) with ordinality as x(n, hour) order by x.hour)
      from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d(day date, hours integer[])
        cross join play_items i join release_devices rd on rd.release_id = i.release_id
        join releases r on r.id = rd.release_id and r.released_at < now() - interval '1 day'
      where rd.device_id = ${id} and (select sum(n) from unnest(d.hours) n) > 0
      on conflict (device_id, day, item_id) do update set plays = old.plays + excluded.plays,
        duration_ms = old.duration_ms + excluded.duration_ms,
        hour_plays = add_hours(old.hour_plays, excluded.hour_plays), hour_ms = add_hours(old.hour_ms, excluded.hour_ms)`.execute(
      db,
    );
  }
  await sql`
    insert into play_days (device_id, day, plays, duration_ms)
    select device_id, day, sum(plays), sum(duration_ms) from play_item_days group by 1, 2
    on conflict (device_id, day) do update set plays = excluded.plays, duration_ms = excluded.duration_ms`.execute(db);
  await sql`
    insert into play_item_months (device_id, item_id, month, plays_to, ms_to)
    select m.device_id, m.item_id, m.month, sums.plays_to, sums.ms_to
    from (
      select distinct device_id, item_id, date_trunc('month', day)::date as month from play_item_days
    ) m cross join lateral (
      select array_agg(r.plays::integer order by r.nth) as plays_to, array_agg(r.ms::bigint order by r.nth) as ms_to
      from (
        select nth, sum(coalesce(d.plays, 0)) over running as plays, sum(coalesce(d.duration_ms, 0)) over running as ms
        from generate_series(1, 31) nth left join play_item_days d
          on d.device_id = m.device_id and d.item_id = m.item_id
            and d.day = m.month + nth - 1 and d.day < m.month + interval '1 month'
        window running as (order by nth)
      ) r
    ) sums
    on conflict (device_id, month, item_id) do update set plays_to = excluded.plays_to, ms_to = excluded.ms_to`.execute(
    db,
  );
}

/** Makes what exists so far two weeks old. */
export async function age(db: Db): Promise<void> {
  const then = sql`now() - make_interval(days => ${AGE_DAYS})`;
  await sql`update users set created_at = ${then} where superior_id is not null and role = 'member'`.execute(db);
  await sql`update devices set created_at = ${then}, paired_at = case when paired_at is null then null else ${then} end`.execute(
    db,
  );
  await sql`update files set created_at = ${then}`.execute(db);
  await sql`update ads set created_at = ${then}, updated_at = ${then}`.execute(db);
  // Of the same version of their ads as before: none of them was changed since.
  await sql`update releases r set released_at = ${then}, ad_version = date_trunc('milliseconds', a.updated_at)
    from ads a where a.id = r.ad_id`.execute(db);
  await sql`update release_devices set started_at = ${then}`.execute(db);
}

/** History for the charts: presence and plays of devices. */
export async function remember(db: Db, devices: Devices, now: number): Promise<void> {
  await rememberPresence(db, devices, now);
  await db.transaction().execute((trx) => rememberPlays(trx, devices, now));
}
