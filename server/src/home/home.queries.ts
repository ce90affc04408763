import { EXPIRY_WARNING_DAYS, HOME_EXPIRING_MAX, type HomeSummary } from '@ams/contract';
import { sql } from 'kysely';
import type { Viewer } from '../platform/auth.ts';
import { type Db, iso } from '../platform/database.ts';

/** All numbers of the home page within the viewer's scope, in one round trip. */
export async function homeSummary(db: Db, viewer: Viewer): Promise<HomeSummary> {
  const scope =
    viewer.role === 'leading'
      ? sql`select user_id as id from user_scopes where ancestor_id = ${viewer.id}`
      : sql`select ${viewer.id}::uuid as id`;
  const { rows } = await sql<Omit<HomeSummary, 'merchant'>>`
    with scope as materialized (${scope}),
    people as (
      select count(*) as total, count(*) filter (where u.disabled) as disabled,
        count(*) filter (where u.created_at > now() - interval '7 days') as new
      from users u join scope on scope.id = u.id
    ),
    machines as (
      select count(*) as total, count(*) filter (where d.online) as online, count(*) filter (where d.expired) as expired,
        count(*) filter (where d.expiring) as expiring, count(*) filter (where not d.done) as waiting
      from devices_now d join scope on scope.id = d.owner_id
    ),
    adverts as (
      select count(*) as total,
        count(*) filter (where exists (select from releases r where r.ad_id = a.id and r.withdrawn_at is null)) as released
      from ads a join scope on scope.id = a.owner_id
    ),
    resources as (
      select count(*) filter (where f.type = 2) as videos, count(*) filter (where f.type <> 2) as images,
        coalesce(sum(b.bytes), 0) as bytes
      from files f join scope on scope.id = f.owner_id join blobs b on b.sha256 = f.sha256
    ),
    today as (
      select coalesce(sum(p.plays), 0) as plays
      from play_days p join devices d on d.id = p.device_id join scope on scope.id = d.owner_id
      where p.day >= current_date - 1 and p.day = (now() at time zone d.time_zone)::date
    )
    select
      (select jsonb_build_object('total', total, 'disabled', disabled, 'newThisWeek', new) from people) as users,
      (select jsonb_build_object('total', total, 'online', online, 'expired', expired, 'expiring', expiring,
        'waiting', waiting) from machines) as devices,
      (select to_jsonb(adverts) from adverts) as ads,
      (select jsonb_build_object('videos', videos, 'images', images, 'bytes', bytes, 'playsToday', today.plays)
        from resources, today) as resources,
      ${expiring()} as expiring,
      jsonb_build_object('online', ${onlineHistory()}, 'plays', ${playHistory()}) as history`.execute(db);
  const numbers = rows[0];
  if (!numbers) throw new Error('the summary query answers one row');
  return {
    ...numbers,
    merchant: viewer.superior && { username: viewer.superior.username, phone: viewer.superior.phone },
  };
}

const expiring = () => sql`
  (select coalesce(jsonb_agg(e), '[]') from (
    select d.id, d.mac, d.name, d.expires_on as "expiresAt"
    from devices d join scope on scope.id = d.owner_id
    where d.expires_at > now() and d.expires_at <= now() + make_interval(days => ${EXPIRY_WARNING_DAYS})
    order by d.expires_at, d.id limit ${HOME_EXPIRING_MAX}
  ) e)`;

/** The samples of the last full hours, and the count of this moment as the last point. */
const onlineHistory = () => sql`
  (select jsonb_agg(jsonb_build_array(${iso(sql`point.at`)}, point.online) order by point.at) from (
    select hour as at, coalesce(sum(s.online), 0) as online
    from generate_series(date_trunc('hour', now()) - interval '23 hours', date_trunc('hour', now()), interval '1 hour') hour
    left join (select p.* from presence_samples p join scope on scope.id = p.owner_id) s on s.at = hour
    group by hour
    union all
    select date_trunc('milliseconds', now()), online from machines
  ) point)`;

const playHistory = () => sql`
  (select jsonb_agg(jsonb_build_array(to_char(point.day, 'YYYY-MM-DD'), point.plays) order by point.day) from (
    select d::date as day, coalesce(sum(p.plays), 0) as plays
    from generate_series(current_date - 13, current_date, interval '1 day') d
    left join (
      select pd.day, pd.plays from play_days pd join devices m on m.id = pd.device_id join scope on scope.id = m.owner_id
    ) p on p.day = d::date
    group by d
  ) point)`;
