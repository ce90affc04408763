import './devices.tables.ts';
import type { WorkingHours } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { touchDevices } from './devices.service.ts';

/** The default working hours of a device `d`; null where it has its own, or nobody above it set any. */
export const defaultHours = sql<WorkingHours | null>`
  case when d.working_hours is null then default_hours(d.owner_id) end`;

/** The working hours in force on a device `d`; null: always. */
export const hoursInForce = sql<WorkingHours | null>`coalesce(d.working_hours, default_hours(d.owner_id))`;

/** The default working hours of these owners (a query of ids) have changed: announces them to devices without their own. */
export const defaultHoursChanged = async (trx: Db, owners: RawBuilder<unknown>): Promise<void> => {
  await touchDevices(trx, sql<boolean>`(d.working_hours is null and d.owner_id in (${owners}))`);
};
