import { workedSince, type WorkingHours } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

const MINUTE_MS = 60_000;

/** Devices of an owner with the same working hours and time zone. */
interface HoursGroup {
  /** Hash of hours of their own; null for the default of the owner. */
  own: string | null;
  ownerId: string;
  timeZone: string;
  hours: WorkingHours;
}

/** Offline devices with working hours, in groups. */
async function offlineGroups(db: Db): Promise<HoursGroup[]> {
  const { rows } = await sql<HoursGroup>`
    with groups as (
      select distinct d.working_hours, d.owner_id, d.time_zone from devices_now d
      where d.paired_at is not null and not d.online and not d.expired
    )
    select md5(g.working_hours::text) as own, g.owner_id as "ownerId", g.time_zone as "timeZone", h.hours
    from groups g cross join lateral (select coalesce(g.working_hours, default_hours(g.owner_id)) as hours) h
    where h.hours is not null`.execute(db);
  return rows;
}

/**
 * The rows `c` (own, owner_id, time_zone, minutes, since): the instant since which offline devices with working hours
 * have worked for as many minutes as an alert waits, null while they are dark.
 */
export async function workedMinutes(db: Db, now = Date.now()): Promise<RawBuilder<unknown>> {
  const { rows: waits } = await sql<{ minutes: number }>`
    select distinct offline_minutes as minutes from alerts where offline_minutes is not null`.execute(db);
  const groups = waits.length > 0 ? await offlineGroups(db) : [];
  const rows = groups.flatMap(({ own, ownerId, timeZone, hours }) =>
    waits.map(({ minutes }) => {
      const since = workedSince(hours, minutes * MINUTE_MS, now, timeZone);
      return { own, owner_id: ownerId, time_zone: timeZone, minutes, since: since && new Date(since).toISOString() };
    }),
  );
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as c(own text, owner_id uuid, time_zone text, minutes int, since timestamptz)`;
}
