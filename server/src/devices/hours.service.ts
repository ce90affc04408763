import './devices.tables.ts';
import { type Span, type WorkingHours, workingSpans } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { touchDevices } from './devices.service.ts';

/**
 * The default working hours of a device `d`; null where it has its own, or nobody above it set any. Whether anybody at all
 * did is looked up once for a list; the function would be called for each device.
 */
export const defaultHours = sql<WorkingHours | null>`
  case when d.working_hours is null and exists (select from users where working_hours is not null)
    then default_hours(d.owner_id) end`;

/** The working hours in force on a device `d`; null: always. */
export const hoursInForce = sql<WorkingHours | null>`coalesce(d.working_hours, default_hours(d.owner_id))`;

/** Working hours (null: always) that a device had until an instant, in milliseconds since 1970. */
export interface PastHours {
  until: number;
  hours: WorkingHours | null;
}

/**
 * The working hours that devices had since `from` and no longer have, in order, by device. The database keeps them at
 * each change.
 */
export async function readPastHours(
  db: Db,
  deviceIds: readonly string[],
  from: Date,
): Promise<ReadonlyMap<string, PastHours[]>> {
  if (deviceIds.length === 0) return new Map();
  const { rows } = await sql<PastHours & { deviceId: string }>`
    select device_id as "deviceId", (extract(epoch from until) * 1000)::bigint as until, hours from past_hours
    where device_id = any(${deviceIds}::uuid[]) and until > ${from} order by until`.execute(db);
  return Map.groupBy(rows, ({ deviceId }) => deviceId);
}

/** The spans of time within the working hours that were in force at each moment. */
export function workedSpans(
  past: readonly PastHours[],
  current: WorkingHours | null,
  { from, to }: Span,
  timeZone: string,
): Span[] {
  let start = from;
  return [...past, { until: to, hours: current }].flatMap(({ until, hours }) => {
    const spans = workingSpans(hours, start, until, timeZone);
    start = until;
    return spans;
  });
}

/** Working hours of the past are kept for a year, for reports about the time of a campaign. */
const PAST_HOURS_DAYS = 400;

export const forgetPastHours = (db: Db): Promise<unknown> =>
  sql`delete from past_hours where until < now() - make_interval(days => ${PAST_HOURS_DAYS})`.execute(db);

/** The default working hours of these owners (a query of ids) have changed: announces them to devices without their own. */
export const defaultHoursChanged = async (trx: Db, owners: RawBuilder<unknown>): Promise<void> => {
  await touchDevices(trx, sql<boolean>`(d.working_hours is null and d.owner_id in (${owners}))`);
};
