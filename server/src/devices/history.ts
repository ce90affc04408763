import './devices.tables.ts';
import {
  AppError,
  type DeviceHistory,
  HISTORY_DAYS,
  addDays,
  darkOutside,
  expiryInstant,
  localTime,
  presenceStretches,
  uptimeOf,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { hoursInForce, workedSpans, readPastHours } from './hours.service.ts';
import { inScope } from '../platform/auth/scope.ts';

/** The last days of a device by its own calendar, as far as anything is known of them. */
export async function presenceHistory(db: Db, viewer: Viewer, id: string, now = Date.now()): Promise<DeviceHistory> {
  const device = await db
    .selectFrom('devices as d')
    .select('d.time_zone')
    .select(hoursInForce.as('hours'))
    .where('d.id', '=', id)
    .where(inScope(viewer, sql`d.owner_id`))
    .executeTakeFirst();
  if (!device) throw new AppError('NOT_FOUND');
  const today = localTime(now, device.time_zone).date;
  const from = expiryInstant(addDays(today, -HISTORY_DAYS), device.time_zone);
  const known = presenceStretches(await readChanges(db, id, new Date(from)), from, now);
  const past = (await readPastHours(db, [id], new Date(from))).get(id) ?? [];
  const stretches = darkOutside(known, workedSpans(past, device.hours, { from, to: now }, device.time_zone));
  return {
    from: new Date(from).toISOString(),
    to: new Date(now).toISOString(),
    timeZone: device.time_zone,
    uptime: uptimeOf(stretches),
    stretches: stretches.map(({ state, ...time }) => ({
      state,
      from: new Date(time.from).toISOString(),
      to: new Date(time.to).toISOString(),
    })),
  };
}

/**
 * Changes since `from` and the last one before, in order. Of a device that connects and disconnects all the time, the
 * last change of each minute is enough. One whose process died and is not buried yet went with its last beat.
 */
async function readChanges(db: Db, id: string, from: Date): Promise<{ at: number; online: boolean }[]> {
  const { rows } = await sql<{ at: number; online: boolean }>`
    select (extract(epoch from at) * 1000)::bigint as at, online from (
      (select at, online from presence_changes where device_id = ${id} and at <= ${from} order by at desc limit 1)
      union all
      (select distinct on (date_trunc('minute', at)) at, online
        from presence_changes where device_id = ${id} and at > ${from}
        order by date_trunc('minute', at), at desc)
      union all
      (select coalesce(p.beat_at, d.last_seen_at, d.created_at), false
        from devices_now d left join server_processes p on p.id = d.lease
        where d.id = ${id} and d.lease is not null and not d.online)
    ) change order by at`.execute(db);
  return rows;
}

/** Failures are kept for so long. */
const FAILURE_DAYS = 400;

/**
 * Deletes changes that are too old to be shown, except the last one, which is the state at the beginning, and those that
 * are `needed`: a condition on `c` (`presence_changes`).
 */
export async function forgetPresence(db: Db, needed: RawBuilder<boolean> = sql<boolean>`false`): Promise<void> {
  await sql`
    delete from presence_changes c using (
      select device_id, max(at) as at from presence_changes
      where at < now() - make_interval(days => ${HISTORY_DAYS + 1}) group by device_id) last
    where last.device_id = c.device_id and c.at < last.at and not ${needed}`.execute(db);
  await sql`
    delete from device_failures f where coalesce(until, since) < now() - make_interval(days => ${FAILURE_DAYS})
      and (until is not null or not exists (select from devices d where d.id = f.device_id))`.execute(db);
}
