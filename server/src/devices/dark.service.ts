import './devices.tables.ts';
import { type RawBuilder, sql } from 'kysely';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { isOffline } from './online.sql.ts';

const ownHours = sql`coalesce(d.working_hours, 'null'::jsonb)`;

/**
 * The working hours that are over at this moment (`owner_id`, `time_zone`, `own`: of the devices themselves, or JSON null)
 * and the number `n` of chosen devices `d` that have them. They are judged once for all devices that share them.
 */
const hoursOver = (chosen: RawBuilder<boolean>): RawBuilder<unknown> => sql`
  select shared.* from (
    select d.owner_id, d.time_zone, ${ownHours} as own, count(*) as n from devices d where ${chosen} group by 1, 2, 3
  ) shared
  where not is_within_hours(
    coalesce(nullif(shared.own, 'null'), default_hours(shared.owner_id)), now(), shared.time_zone)`;

/** Whether a device `d` is outside its working hours now. */
export const isDark = sql<boolean>`
  ((d.owner_id, d.time_zone, ${ownHours}) in (
    select dark.owner_id, dark.time_zone, dark.own from (${hoursOver(sql<boolean>`true`)}) dark))`;

/** Where nobody uses working hours, no device is looked at. */
const anyHours = sql<boolean>`(exists (select from users where working_hours is not null)
  or exists (select from devices where working_hours is not null))`;

/** The number of devices in scope that are offline outside their working hours: nobody has to do anything about them. */
export const offlineOnPurpose = (viewer: Scoped): RawBuilder<number> => {
  const chosen = sql<boolean>`(${anyHours} and d.paired_at is not null and ${isOffline}
    and ${inScope(viewer, sql`d.owner_id`)})`;
  return sql<number>`(select coalesce(sum(dark.n), 0) from (${hoursOver(chosen)}) dark)`;
};
