import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

/** Locks these devices (a query of ids) in order, before their rows of releases: changes of devices do so, too. */
export const lockDevices = (trx: Db, devices: RawBuilder<unknown>): Promise<unknown> =>
  sql`select d.id from devices d where d.id in (${devices}) order by d.id for no key update`.execute(trx);
