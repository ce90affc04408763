import './releases.tables.ts';
import { AppError, type Release, UNDO_SECONDS } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { lockForStoring } from '../blobs/content-lock.ts';
import { clearedByOthers } from '../devices/batch.service.ts';
import { raiseRevision, type Taken, tellDevices, type Touched } from '../devices/devices.service.ts';
import { audit } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { actingAs, covers } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import { lockAdsOf } from './ads.lock.ts';
import { findUncounted } from './releases.queries.ts';
import { getRelease } from './releases.service.ts';
import { undoRequest } from './requests.service.ts';
import { resumeSend } from './sending.service.ts';
import { lockStanding } from './standing.lock.ts';
import { defaultsOf, findMoving, matchAgain, onAll } from './standing.service.ts';
import { lockDevices } from './devices.lock.ts';
import { lockReleases, takeBack } from './withdraw.service.ts';
import { stopWithdrawal } from './withdrawing.service.ts';
import { isWhole } from './whole.sql.ts';

/** Whether there is other default content in the place of a release `r`. */
const isSucceeded = sql<boolean>`(r.priority = 'default' and exists (
  select from releases o join standing_releases t on t.release_id = o.id
  where o.priority = 'default' and o.standing_by = r.standing_by and o.withdrawn_at is null
    and t.orientation = (select s.orientation from standing_releases s where s.release_id = r.id)))`;

/**
 * Undoes a withdrawal of the viewer, for a short time. Devices that its people lost, or somebody else cleared, meanwhile stay
 * without the release.
 * A request that waits for approval is taken back.
 * @throws `UNDO_OVER`
 */
export const restoreRelease = (db: Db, viewer: Viewer, id: string): Promise<Release> =>
  actingAs(db, viewer, {}, async (trx, actor) => {
    const release = await findUncounted(trx, actor, id);
    if (!release) return undoRequest(trx, actor, id);
    await lockAdsOf(trx, sql`select ad_id from releases where id = ${id}`);
    if (release.standing) await lockStanding(trx);
    await lockReleases(trx, [id]);
    await lockForStoring(trx);
    const { rows } = await sql<{ id: string; owner_id: string }>`
      update releases r set withdrawn_at = null, withdrawn_by = null, withdrawn_person = null
      where r.id = ${id} and r.withdrawn_by = ${viewer.id}
        and coalesce(r.withdrawn_person, r.withdrawn_by) = ${viewer.person.id} and r.priority <> 'takeover' and r.campaign_id is null
        and not ${isSucceeded}
        and r.withdrawn_at > now() - make_interval(secs => ${sql.lit(UNDO_SECONDS)})
        and (r.standing_by is not null or exists (select from release_sends s where s.release_id = r.id)
          or exists (select from release_devices rd where rd.release_id = r.id and rd.withdrawn_at is null))
        and ${isWhole}
      returning r.id, r.owner_id`.execute(trx);
    if (rows.length === 0) throw new AppError('UNDO_OVER');
    await stopWithdrawal(trx, id);
    const lost = sql<boolean>`not ${covers(
      sql`coalesce(r.operator_id, r.owner_id)`,
      sql`(select d.owner_id from devices d where d.id = rd.device_id)`,
    )}`;
    const isCleared = (deviceId: RawBuilder<unknown>) =>
      clearedByOthers(deviceId, viewer.person.id, release.withdrawnAt);
    const { operator, priority } = release;
    const concerned =
      priority === 'default' && operator ? defaultsOf([operator.id]) : onAll(sql<boolean>`r.id = ${id}`);
    const moving = release.standing ? await findMoving(trx, concerned) : [];
    // All that change, in one order. A clear that is under way is seen below; a later one sees the release.
    await lockDevices(
      trx,
      sql`select rd.device_id from release_devices rd where rd.release_id = ${id} and rd.withdrawn_at is null
        union all select unnest(${moving}::uuid[])`,
    );
    await takeBack(trx, viewer.id, sql<boolean>`r.id = ${id} and (${lost} or ${isCleared(sql`rd.device_id`)})`);
    await beginAgain(trx, sql<boolean>`r.id = ${id}`, viewer.id);
    await resumeSend(trx, id, isCleared(sql`p.id`));
    if (release.standing) await matchAgain(trx, concerned);
    await publish(trx, ...changed('release', rows));
    await audit(trx, viewer, { action: 'releases.restore', targetId: id, target: release.ad.name });
    return getRelease(trx, actor, id);
  });

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
  const { rows } = await sql<Touched & { deviceId: string }>`
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
    returning r.id, r.owner_id, rd.device_id as "deviceId"`.execute(trx);
  const live = rows.map(({ id }) => id);
  await sql`
    update releases set withdrawn_at = null, withdrawn_by = null, withdrawn_person = null where id = any(${live}::uuid[])`.execute(
    trx,
  );
  await beginAgain(
    trx,
    sql<boolean>`(r.id, rd.device_id) in (
      select * from unnest(${live}::uuid[], ${rows.map(({ deviceId }) => deviceId)}::uuid[]))`,
  );
  await publish(trx, ...changed('release', rows));
  // A standing release that a device no longer matches is none that it lacks.
  const lacking = await sql<{ id: string }>`
    select distinct rd.device_id as id from release_devices rd, ${pairs}
    where rd.release_id = t.release_id and rd.device_id = t.device_id and rd.withdrawn_at is not null
      and not rd.unmatched`.execute(trx);
  return new Set(lacking.rows.map(({ id }) => id));
}

/**
 * Gives devices `rd` releases `r` that were taken from them again: they are done when they report that. Those whose step
 * began meanwhile get the release now; those of later steps are planned.
 */
async function beginAgain(trx: Db, chosen: RawBuilder<boolean>, operatorId?: string): Promise<void> {
  const begun = sql<boolean>`(${chosen} and rd.withdrawn_at is null and (rd.revision is not null or rd.stage <= r.stage))`;
  const raised = await raiseRevision(
    trx,
    sql<boolean>`d.id in (
      select rd.device_id from release_devices rd join releases r on r.id = rd.release_id where ${begun})`,
    operatorId,
  );
  await sql`
    update release_devices rd set revision = t.revision, started_at = coalesce(rd.started_at, now()), missed = false
    from releases r, unnest(${raised.map(({ id }) => id)}::uuid[], ${raised.map(({ revision }) => revision)}::bigint[])
      t(id, revision)
    where r.id = rd.release_id and t.id = rd.device_id and ${begun}`.execute(trx);
  await sql`
    update release_devices rd set missed = false from releases r
    where r.id = rd.release_id and rd.missed and ${chosen} and rd.withdrawn_at is null`.execute(trx);
  await tellDevices(trx, raised);
}
