import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

/**
 * Locks ads (a query of ids) some of whose releases are about to begin or end: ads count their releases. They come after
 * people and before everything else, all in one call: nobody deletes them meanwhile.
 */
export const lockAdsOf = (trx: Db, ads: RawBuilder<unknown>): Promise<unknown> =>
  sql`select from ads where id in (${ads}) order by id for no key update`.execute(trx);

/** The ads (ids) whose live releases are on these devices (a query of ids). */
const adsOn = (devices: RawBuilder<unknown>) => sql`
  select r.ad_id from release_devices rd join releases r on r.id = rd.release_id
  where rd.withdrawn_at is null and r.withdrawn_at is null and rd.device_id in (${devices})`;

/** The same for ads whose live releases are on these devices (a query of ids), and for those of `further` releases. */
export const lockAdsOn = (trx: Db, devices: RawBuilder<unknown>, further: readonly string[] = []): Promise<unknown> =>
  lockAdsOf(trx, sql`${adsOn(devices)} union all select r.ad_id from releases r where r.id = any(${further}::uuid[])`);

/** The same for ads of a user who is deleted, and those whose releases end with it. */
export const lockAdsOfUser = (trx: Db, userId: string): Promise<unknown> =>
  lockAdsOf(
    trx,
    sql`select id from ads where owner_id = ${userId}
      union all select ad_id from releases where withdrawn_at is null and (operator_id = ${userId} or standing_by = ${userId})
      union all ${adsOn(sql`select id from devices where owner_id = ${userId}`)}`,
  );
