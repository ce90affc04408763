import './devices.tables.ts';
import { type RawBuilder, sql } from 'kysely';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { isOffline } from './online.sql.ts';

/** What tells working hours apart, in the words of the index. */
const hoursKey = sql`md5(d.working_hours::text)`;

/**
 * The working hours of devices themselves (`key`, `time_zone`) that are over at this moment: one look-up in an index for
 * each that differ, and each judged once.
 */
const ownHoursOver = sql`
  select own.key, own.time_zone from (
    with recursive kind as (
      (select ${hoursKey} as key, d.time_zone, d.working_hours as hours from devices d
        where d.working_hours is not null order by ${hoursKey}, d.time_zone limit 1)
      union all
      select next.key, next.time_zone, next.hours from kind cross join lateral (
        select ${hoursKey} as key, d.time_zone, d.working_hours as hours from devices d
        where d.working_hours is not null and (${hoursKey}, d.time_zone) > (kind.key, kind.time_zone)
        order by ${hoursKey}, d.time_zone limit 1) next
    ) select key, time_zone, hours from kind) own
  where not is_within_hours(own.hours, now(), own.time_zone)`;

/** The time zones of all devices: one look-up in an index for each. */
const zones = sql`
  with recursive zone(name) as (
    select min(d.time_zone) from devices d
    union all
    select (select min(d.time_zone) from devices d where d.time_zone > zone.name) from zone where zone.name is not null
  ) select name from zone where name is not null`;

/**
 * The owners (`owner_id`) whose devices without hours of their own are dark in a `time_zone`: those of the nearest user at
 * or above them that has set any are over there. The hours of each such user are judged once for each time zone.
 */
const defaultHoursOver = sql`
  select nearest.user_id as owner_id, dark.time_zone from (
    select distinct on (s.user_id) s.user_id, u.id as setter_id
    from users u join user_scopes s on s.ancestor_id = u.id
    where u.working_hours is not null
    order by s.user_id, (select count(*) from user_scopes a where a.user_id = u.id) desc) nearest
  join (
    select setter.id, setter.time_zone from (
      select u.id, u.working_hours, z.name as time_zone from users u cross join (${zones}) z
      where u.working_hours is not null offset 0) setter
    where not is_within_hours(setter.working_hours, now(), setter.time_zone)) dark on dark.id = nearest.setter_id`;

/** Where nobody uses working hours, no device is looked at. */
const anyHours = sql<boolean>`(exists (select from users where working_hours is not null)
  or exists (select from devices where working_hours is not null))`;

/** Whether a device `d` is outside its working hours now. */
export const isDark = sql<boolean>`
  (${anyHours} and case when d.working_hours is null
    then (d.owner_id, d.time_zone) in (select dark.owner_id, dark.time_zone from (${defaultHoursOver}) dark)
    else (${hoursKey}, d.time_zone) in (select dark.key, dark.time_zone from (${ownHoursOver}) dark) end)`;

/**
 * The ids of dark devices, whoever's they are, at most `limit`. Where few are dark, a list finds them so without a walk
 * over all others.
 */
export const someDark = (limit: number): RawBuilder<{ id: string }> => sql<{ id: string }>`
  (select d.id from (${ownHoursOver}) dark cross join lateral (
    select d.id from devices d
    where ${hoursKey} = dark.key and d.time_zone = dark.time_zone and d.working_hours is not null
    limit ${sql.lit(limit)}) d limit ${sql.lit(limit)})
  union all
  (select d.id from (${defaultHoursOver}) dark cross join lateral (
    select d.id from devices d
    where d.owner_id = dark.owner_id and d.time_zone = dark.time_zone and d.working_hours is null
    limit ${sql.lit(limit)}) d limit ${sql.lit(limit)})`;

/** The number of devices in scope that are offline outside their working hours: nobody has to do anything about them. */
export const offlineOnPurpose = (viewer: Scoped): RawBuilder<number> => sql<number>`
  (select count(*) from devices d
    where ${isDark} and d.paired_at is not null and ${isOffline} and ${inScope(viewer, sql`d.owner_id`)})`;
