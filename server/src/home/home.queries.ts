import { EXPIRY_WARNING_DAYS, HOME_EXPIRING_MAX, type HomeSummary, type Media, STALLED_MINUTES } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Db, iso } from '../platform/database/database.ts';
import { prepared } from '../platform/database/prepared.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { HomeLinks } from './links.ts';
import { countsOnline } from './tallies.service.ts';

/** Maximum number of owners that are read one by one for expiring devices; with more, all devices are scanned. */
const FEW_OWNERS = 500;

/** The subjects under which files are counted, and their names in the answer. */
const MEDIA_SUBJECTS: Record<Media, keyof HomeSummary['resources']> = { image: 'images', video: 'videos' };
const mediaSums = Object.values(MEDIA_SUBJECTS).flatMap((subject) => [sql.lit(subject), sumOf(subject)]);

/**
 * All numbers of the home page within the viewer's scope, in one round trip. They are true at this very moment:
 * tallies change in the transaction that changes what they count, and what time changes is judged here.
 */
export async function homeSummary(db: Db, links: HomeLinks, viewer: Viewer): Promise<Omit<HomeSummary, 'storageFull'>> {
  const { rows } = await sql<Omit<HomeSummary, 'merchant' | 'storageFull'>>`
    with tally as materialized (
      select subject, part, at, sum(n) as n from tallies where ${countedFor(viewer)} group by subject, part, at
    ),
    people as materialized (${people(viewer)}),
    device_counts as materialized (${devicesOf(links.offlineOnPurpose(viewer))}),
    soon as materialized (${soonestInstants})
    select
      (select to_jsonb(people) from people) as users,
      (select to_jsonb(device_counts) from device_counts) as devices,
      (select jsonb_build_object('total', ${sumOf('ads')}, 'released', ${sumOf('released')}) from tally) as ads,
      (select jsonb_build_object(${sql.join(mediaSums)},
        'bytes', ${sumOf('bytes')}, 'playsToday', coalesce(sum(n) filter (where ${isToday}), 0)) from tally) as resources,
      (select coalesce(jsonb_agg(jsonb_build_object('id', e.id, 'mac', e.mac, 'name', e.name, 'expiresAt', e.expires_on)
        order by e.expires_at, e.id), '[]') from (${expiring(viewer)}) e) as expiring,
      ${links.rejectedReleases(viewer)} as "rejectedReleases", ${links.rejectedCampaigns(viewer)} as "rejectedCampaigns",
      jsonb_build_object('online', ${onlineHistory(viewer)}, 'plays', ${playHistory}) as history ${prepared}`.execute(
    db,
  );
  const numbers = rows[0];
  if (!numbers) throw new Error('the summary query answers one row');
  return {
    ...numbers,
    merchant: viewer.superior && { username: viewer.superior.username, phone: viewer.superior.phone },
  };
}

/** The sums of `tallies` and `presence_samples` in the viewer's scope: its own, and for a leading user those below. */
const countedFor = (viewer: Viewer): RawBuilder<boolean> =>
  viewer.role === 'leading' ? sql<boolean>`user_id = ${viewer.id}` : sql<boolean>`user_id = ${viewer.id} and not below`;

function sumOf(subject: string): RawBuilder<number> {
  return sql<number>`coalesce(sum(n) filter (where subject = ${sql.lit(subject)}), 0)`;
}

const scopeOf = (viewer: Viewer) =>
  viewer.role === 'leading'
    ? sql`select s.user_id from user_scopes s where s.ancestor_id = ${viewer.id}`
    : sql`select ${viewer.id}::uuid as user_id`;

/** Few are disabled or new: only those are looked up. */
function people(viewer: Viewer): RawBuilder<unknown> {
  const those = (condition: RawBuilder<boolean>) =>
    sql`(select count(*) from users u where u.colleague_of is null and ${inScope(viewer, sql`u.id`)} and ${condition})`;
  return sql`
    select (select count(*) from (${scopeOf(viewer)}) scope) as total, ${those(sql`u.disabled`)} as disabled,
      ${those(sql`u.created_at > now() - interval '7 days'`)} as "newThisWeek"`;
}

const EXPIRES_SOON = sql<boolean>`
  subject = 'expires' and at > now() and at <= now() + make_interval(hours => 24 * ${sql.lit(EXPIRY_WARNING_DAYS)})`;

const STALLED_BEFORE = sql`now() - make_interval(mins => ${sql.lit(STALLED_MINUTES)})`;

const devicesOf = (offlineOnPurpose: RawBuilder<number>) => sql`
  select ${sumOf('devices')} as total,
    coalesce(sum(n) filter (where ${countsOnline}), 0) as online,
    coalesce(sum(n) filter (where subject = 'expires' and at <= now()), 0) as expired,
    coalesce(sum(n) filter (where ${EXPIRES_SOON}), 0) as expiring,
    ${sumOf('waiting')} as waiting,
    coalesce(sum(n) filter (where subject = 'paired' and part not in (
      select p.id::text from living_processes p)), 0) - ${offlineOnPurpose} as offline,
    ${sumOf('failed')} as failed,
    coalesce(sum(n) filter (where subject = 'stalled' and at <= ${STALLED_BEFORE} and part in (
      select p.id::text from living_processes p)), 0) as stalled
  from tally`;

/** Plays of the current day in the device's time zone. The parts of other subjects are not time zones. */
const isToday = sql<boolean>`
  case when subject = 'plays' then at = date_trunc('day', now() at time zone part) at time zone 'UTC' end`;

/** Between which instants the devices expire that the home page names. */
const soonestInstants = sql`
  select min(at) as first, coalesce(min(at) filter (where upto >= ${sql.lit(HOME_EXPIRING_MAX)}), max(at)) as last
  from (select at, sum(n) over (order by at) as upto from tally where ${EXPIRES_SOON} and n > 0) instants`;

/** The devices that expire soonest. */
function expiring(viewer: Viewer): RawBuilder<unknown> {
  const soonest = (condition: RawBuilder<boolean>) => sql`
    (select d.id, d.mac, d.name, d.expires_on, d.expires_at from devices d
    where d.expires_at >= (select first from soon) and d.expires_at <= (select last from soon) and ${condition}
    order by d.expires_at, d.id limit ${sql.lit(HOME_EXPIRING_MAX)})`;
  const owners = scopeOf(viewer);
  const byOwner = sql`
    select e.* from (${owners}) scope cross join lateral ${soonest(sql`d.owner_id = scope.user_id`)} e
    where (select total from people) <= ${sql.lit(FEW_OWNERS)}`;
  // A scalar subquery is looked up device by device, so that reading stops at the last one that is named.
  const inTurn = soonest(sql`
    (select total from people) > ${sql.lit(FEW_OWNERS)} and (
      select true from user_scopes s where s.ancestor_id = ${viewer.id} and s.user_id = d.owner_id)`);
  const found = viewer.role === 'leading' ? sql`${byOwner} union all ${inTurn}` : byOwner;
  return sql`select * from (${found}) found order by expires_at, id limit ${sql.lit(HOME_EXPIRING_MAX)}`;
}

/** The samples of the last full hours, and the count of this moment as the last point. */
const onlineHistory = (viewer: Viewer) => sql`
  (select jsonb_agg(jsonb_build_array(${iso(sql`point.at`)}, point.online) order by point.at) from (
    select hour as at, coalesce(
      (select sum(online) from presence_samples where ${countedFor(viewer)} and at = hour), 0) as online
    from generate_series(date_trunc('hour', now()) - interval '23 hours', date_trunc('hour', now()), interval '1 hour') hour
    union all
    select date_trunc('milliseconds', now()), online from device_counts
  ) point)`;

/** The latest day that is today for the devices which played on it, so that the chart ends with the plays of today. */
const lastDay = sql`coalesce(
  (select max(at at time zone 'UTC') from tally where n > 0 and ${isToday}), date_trunc('day', now() at time zone 'UTC'))`;

const playHistory = sql`
  (select jsonb_agg(jsonb_build_array(to_char(point.day, 'YYYY-MM-DD'), point.plays) order by point.day) from (
    select day, coalesce((select sum(n) from tally where subject = 'plays' and at = day at time zone 'UTC'), 0) as plays
    from generate_series(${lastDay} - interval '13 days', ${lastDay}, interval '1 day') day
  ) point)`;
