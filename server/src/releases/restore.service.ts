import './releases.tables.ts';
import { sql } from 'kysely';
import { raiseRevision, type Taken, type Touched } from '../devices/devices.service.ts';
import { covers } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import { lacksFiles, lockDevices } from './releases.service.ts';

/**
 * Brings back what `withdrawFrom` and `withdrawForeign` took, unless the release was withdrawn as a whole, its people lost
 * the device, or its files are gone. The caller notifies the devices and holds `lockReleases`.
 */
export async function restoreReleases(trx: Db, taken: readonly Omit<Taken, 'begun'>[]): Promise<void> {
  await lockDevices(trx, sql`select unnest(${taken.map(({ deviceId }) => deviceId)}::uuid[])`);
  const { rows } = await sql<Touched>`
    update release_devices rd set withdrawn_at = null from releases r, devices d,
      unnest(${taken.map(({ releaseId }) => releaseId)}::uuid[], ${taken.map(({ deviceId }) => deviceId)}::uuid[])
        t(release_id, device_id)
    where rd.release_id = t.release_id and rd.device_id = t.device_id and r.id = rd.release_id and d.id = rd.device_id
      and rd.withdrawn_at is not null and not rd.unmatched
      -- Its time may have been sold meanwhile.
      and r.campaign_id is null
      -- It was emptied, device by device, in the transaction that took the last one.
      and (r.withdrawn_at is null or r.withdrawn_at = rd.withdrawn_at
        -- A takeover that ended has the time of its end on devices that never knew of it.
        or (r.priority <> 'takeover' and r.withdrawn_at in (
          select other.withdrawn_at from release_devices other where other.release_id = r.id)))
      and ${covers(sql`coalesce(r.operator_id, r.owner_id)`, sql`d.owner_id`)}
      and not ${lacksFiles}
    returning r.id, r.owner_id`.execute(trx);
  const live = rows.map(({ id }) => id);
  await sql`
    update releases set withdrawn_at = null, withdrawn_by = null, withdrawn_person = null where id = any(${live}::uuid[])`.execute(
    trx,
  );
  await beginLate(
    trx,
    live,
    taken.map(({ deviceId }) => deviceId),
  );
  await publish(trx, ...changed('release', rows));
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
