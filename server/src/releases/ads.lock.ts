import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

/** Ads of these releases are not deleted until the transaction ends. They are held before standing releases. */
export const holdAdsOf = (trx: Db, releaseIds: readonly string[]): Promise<unknown> =>
  sql`
    select from ads a where a.id in (select r.ad_id from releases r where r.id = any(${releaseIds}::uuid[]))
    order by a.id for key share`.execute(trx);

/** Locks ads (a query of ids) some of whose releases are about to end: ads count their releases, and come before them. */
export const lockAdsOf = (trx: Db, ads: RawBuilder<unknown>): Promise<unknown> =>
  sql`select from ads where id in (${ads}) order by id for no key update`.execute(trx);

/** The same for ads whose live releases are on these devices (a query of ids). */
export const lockAdsOn = (trx: Db, devices: RawBuilder<unknown>): Promise<unknown> =>
  lockAdsOf(
    trx,
    sql`select r.ad_id from release_devices rd join releases r on r.id = rd.release_id
      where rd.withdrawn_at is null and r.withdrawn_at is null and rd.device_id in (${devices})`,
  );
