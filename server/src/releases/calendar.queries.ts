import './releases.tables.ts';
import {
  CALENDAR_CLASSES_MAX,
  CALENDAR_SAMPLE,
  type CalendarQuery,
  type Screen,
  type WorkingHours,
  type Scheduled,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { hoursInForce } from '../devices/hours.service.ts';
import { delivery, hasStarted, type HeldRelease, oncePlayed, paceOf, rank } from '../devices/verdict.service.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { type Db, iso } from '../platform/database/database.ts';

/** Devices whose calendars are equal. `total`: of all sets. */
export interface DeviceClass {
  total: number;
  devices: number;
  timeZone: string;
  /** Their last day, if it is not after the days asked for. */
  expiresOn: string | null;
  workingHours: WorkingHours | null;
  /** Live releases in release order, oldest first. */
  held: string[];
  hasSecondary: boolean;
  example: { id: string; mac: string; name: string };
  sample: string[];
}

/** The devices `d` (`devices_now`) that a condition chooses, by their content, the largest sets first. */
export async function classDevices(db: Db, chosen: RawBuilder<boolean>, { to }: CalendarQuery): Promise<DeviceClass[]> {
  const { rows } = await sql<DeviceClass>`
    select sum(count(*)) over ()::int as total, count(*)::int as devices, time_zone as "timeZone",
      expires_on as "expiresOn", working_hours as "workingHours", held, bool_or(has_secondary) as "hasSecondary",
      (array_agg(ref order by mac, id))[1] as example, (array_agg(id order by mac, id))[1:${sql.lit(CALENDAR_SAMPLE)}] as sample
    from (select d.id, d.mac, d.time_zone, jsonb_array_length(d.screens) > 1 as has_secondary,
        jsonb_build_object('id', d.id, 'mac', d.mac, 'name', d.name) as ref,
        ${hoursInForce} as working_hours,
        case when d.expires_on <= ${to}::date then d.expires_on end as expires_on,
        (select coalesce(array_agg(r.id order by ${rank}, r.id), '{}')
          from release_devices rd join releases r on r.id = rd.release_id
          where rd.device_id = d.id and rd.revision is not null and rd.withdrawn_at is null
            and r.withdrawn_at is null and ${hasStarted}) as held
      from devices_now d where ${chosen}) chosen
    group by time_zone, expires_on, working_hours, held order by count(*) desc, min(mac) limit ${sql.lit(CALENDAR_CLASSES_MAX)}`.execute(
    db,
  );
  return rows;
}

/** Plays of one release on a screen of the devices of a set (by its index), in one hour by their clocks. */
export interface HourOfPlays {
  index: number;
  releaseId: string;
  screen: Screen;
  day: string;
  hour: number;
  plays: number;
}

/** The plays on days `from` to `to` of sets of devices, by hour. */
export async function playsByHour(
  db: Db,
  samples: readonly string[][],
  { from, to }: CalendarQuery,
): Promise<HourOfPlays[]> {
  const devices = samples.flat();
  const indexes = samples.flatMap((ids, index) => ids.map(() => index));
  const { rows } = await sql<HourOfPlays>`
    select c.index, i.release_id as "releaseId", i.screen, to_char(s.day, 'YYYY-MM-DD') as day,
      (h.nth - 1)::int as hour, sum(h.plays)::int as plays
    from unnest(${devices}::uuid[], ${indexes}::int[]) c(device, index)
      join play_item_days s on s.device_id = c.device and s.day between ${from}::date and ${to}::date
      join play_items i on i.id = s.item_id
      cross join lateral unnest(s.hour_plays) with ordinality h(plays, nth)
    where h.plays > 0
    group by c.index, i.release_id, i.screen, s.day, h.nth order by s.day, h.nth, i.release_id`.execute(db);
  return rows;
}

/** A release as far as a calendar depends on it. `once` and `here`: on the one device that is asked for. */
export type CalendarEntry = Scheduled &
  Partial<Pick<HeldRelease, 'once' | 'here'>> & {
    id: string;
    ad: { id: string; name: string };
    onScreen: Screen | null;
    open: boolean;
  };

/** Releases by id; with their state on one device, if given. */
export async function readEntries(
  db: Db,
  viewer: Scoped,
  ids: readonly string[],
  deviceId: string | undefined,
): Promise<Map<string, CalendarEntry>> {
  const onDevice = deviceId ? sql`, ${oncePlayed} as once, ${delivery} as here` : sql``;
  const { rows } = await sql<CalendarEntry>`
    select r.id, r.priority, r.replace, r.schedule, ${iso(sql`r.ends_at`)} as "endsAt", r.screen as "onScreen", r.programme ->> 'playMode' as "playMode",
      ${paceOf} as pace,
      jsonb_build_object('id', r.ad_id, 'name', r.ad_name) as ad, ${inScope(viewer, sql`r.owner_id`)} as open ${onDevice}
    from releases r
      left join release_devices rd on rd.release_id = r.id and rd.device_id = ${deviceId ?? null}::uuid
      left join devices_now d on d.id = rd.device_id
    where r.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
