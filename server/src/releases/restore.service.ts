import './releases.tables.ts';
import { sql } from 'kysely';
import { lockForStoring } from '../blobs/content-lock.ts';
import { raiseRevision, type Taken, type Touched } from '../devices/devices.service.ts';
import { covers } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import { lockDevices } from './withdraw.service.ts';
import { isWhole } from './whole.sql.ts';

/** The time that a campaign of a release `r` has on a device `d`; without it, it may have been sold to another one. */
const timeOfCampaign = sql`
  select from campaign_devices cd where cd.campaign_id = r.campaign_id and cd.device_id = d.id`;

/**
 * Brings back what `withdrawFrom` and `withdrawForeign` took, unless the release was withdrawn as a whole, its people lost
 * the device, its ad or files are gone, or the time of its campaign there was freed. The caller notifies the devices and holds
 * the releases.
 * @returns ids of the devices that lack one of them
 */
export async function restoreReleases(trx: Db, taken: readonly Omit<Taken, 'begun'>[]): Promise<Set<string>> {
  const deviceIds = taken.map(({ deviceId }) => deviceId);
  await lockDevices(trx, sql`select unnest(${deviceIds}::uuid[])`);
  await lockForStoring(trx);
  const pairs = sql`unnest(${taken.map(({ releaseId }) => releaseId)}::uuid[], ${deviceIds}::uuid[]) t(release_id, device_id)`;
  // The time of campaigns is not freed until the transaction ends.
  await sql`
    select from campaign_devices cd where (cd.campaign_id, cd.device_id) in (
      select r.campaign_id, t.device_id from ${pairs} join releases r on r.id = t.release_id)
    order by cd.campaign_id, cd.device_id for key share`.execute(trx);
  const { rows } = await sql<Touched>`
    update release_devices rd set withdrawn_at = null, unmatched = false from releases r, devices d, ${pairs}
    where rd.release_id = t.release_id and rd.device_id = t.device_id and r.id = rd.release_id and d.id = rd.device_id
      and rd.withdrawn_at is not null
      and case when r.campaign_id is null then not rd.unmatched else exists (${timeOfCampaign}) end
      -- It was emptied, device by device, in the transaction that took the last one.
      and (r.withdrawn_at is null or r.withdrawn_at = rd.withdrawn_at
        -- A takeover that ended has the time of its end on devices that never knew of it.
        or (r.priority <> 'takeover' and r.withdrawn_at in (
          select other.withdrawn_at from release_devices other where other.release_id = r.id)))
      and ${covers(sql`coalesce(r.operator_id, r.owner_id)`, sql`d.owner_id`)}
      and ${isWhole}
    returning r.id, r.owner_id`.execute(trx);
  const live = rows.map(({ id }) => id);
  await sql`
    update releases set withdrawn_at = null, withdrawn_by = null, withdrawn_person = null where id = any(${live}::uuid[])`.execute(
    trx,
  );
  await beginLate(trx, live, deviceIds);
  await publish(trx, ...changed('release', rows));
  // A standing release that a device no longer matches is none that it lacks.
  const lacking = await sql<{ id: string }>`
    select distinct rd.device_id as id from release_devices rd, ${pairs}
    where rd.release_id = t.release_id and rd.device_id = t.device_id and rd.withdrawn_at is not null
      and not rd.unmatched`.execute(trx);
  return new Set(lacking.rows.map(({ id }) => id));
}

/** Those of these devices whose step of these releases began while they were without get the release now. */
async function beginLate(trx: Db, releaseIds: readonly string[], deviceIds: readonly string[]): Promise<void> {
  const late = sql<boolean>`(r.id = any(${releaseIds}::uuid[]) and rd.device_id = any(${deviceIds}::uuid[])
    and rd.revision is null and rd.withdrawn_at is null and rd.stage <= r.stage)`;
  const begun = await raiseRevision(
    trx,
    sql<boolean>`d.id in (
      select rd.device_id from release_devices rd join releases r on r.id = rd.release_id where ${late})`,
  );
  await sql`
    update release_devices rd set revision = t.revision, started_at = now() from releases r,
      unnest(${begun.map(({ id }) => id)}::uuid[], ${begun.map(({ revision }) => revision)}::bigint[]) t(id, revision)
    where r.id = rd.release_id and t.id = rd.device_id and ${late}`.execute(trx);
}
