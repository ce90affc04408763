import './releases.tables.ts';
import type { Release } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { holdingPresent, raiseRevision, tellDevices } from '../devices/devices.service.ts';
import { inScope, inScopeEach, type Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { publish } from '../platform/events/events.ts';
import { playingOn, type StoredAd } from './order.ts';
import { bringAll } from './sending.service.ts';
import { lockStanding } from './standing.lock.ts';
import { moveTargets } from './standing.service.ts';
import { findReleases } from './releases.queries.ts';
import { type Frozen, insertFiles } from './releases.service.ts';
import { takeBack } from './withdraw.service.ts';

/** `devices`: how many got the new version, or will in a later step. */
export interface Renewed {
  devices: number;
  releases: Release[];
}

/**
 * The condition that a release `r` is not of the version of its ad that was stored at `updatedAt`. What a campaign shows
 * was approved as it is: it never follows its ad. Nor does a takeover.
 */
const isOutdated = (updatedAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(r.campaign_id is null and r.priority <> 'takeover' and r.ad_version is distinct from date_trunc('milliseconds', ${updatedAt}))`;

/**
 * The condition that a release `r` follows its ad, stored at `updatedAt`, when its devices are updated. Default content is
 * named for an orientation: when its ad has another one by now, it stays as it is.
 */
export const isRenewable = (updatedAt: RawBuilder<unknown>, orientation: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${isOutdated(updatedAt)} and (r.priority <> 'default' or ${orientation} = (
    select t.orientation from standing_releases t where t.release_id = r.id)))`;

/**
 * The condition that a viewer's update of the devices of an ad renews a release `r` on those in scope. A standing one is
 * replaced as a whole, or not at all if it stands in the name of a superior.
 */
export const isRenewableBy = (
  viewer: Scoped,
  updatedAt: RawBuilder<unknown>,
  orientation: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  sql<boolean>`(${isRenewable(updatedAt, orientation)} and (r.standing_by is null or ${inScope(viewer, sql`r.standing_by`)}))`;

/**
 * Replaces the live releases of earlier versions of an ad by releases of this one, on the devices in scope. Each keeps
 * its screen, schedule, priority, steps and its place among what else those devices have: an ad that another one
 * replaced stays replaced. Takeovers stay as they are.
 */
export async function renewReleases(trx: Db, viewer: Scoped, ad: StoredAd, frozen: Frozen): Promise<Renewed> {
  // Standing releases begin and end here.
  await lockStanding(trx);
  const outdated = await lockOutdated(trx, viewer, ad);
  await bringAll(trx, outdated);
  const pairs = outdated.map((old) => ({ old, id: uuidv7() }));
  if (pairs.length === 0) return { devices: 0, releases: [] };
  await copyReleases(trx, viewer, ad, frozen, pairs);
  const ids = pairs.map(({ id }) => id);
  await insertFiles(trx, ids, frozen.files);
  const olds = pairs.map(({ old }) => old);
  const touched = await raiseRevision(
    trx,
    sql<boolean>`d.id in (select rd.device_id from release_devices rd where rd.release_id = any(${olds}::uuid[])
      and rd.revision is not null and rd.withdrawn_at is null) and ${inScopeEach(viewer, sql`d.owner_id`)}`,
    viewer.id,
  );
  await moveTargets(trx, pairs);
  const devices = await copyDevices(trx, viewer, pairs, touched);
  await takeBack(
    trx,
    viewer.id,
    sql<boolean>`(r.id, rd.device_id) in (select p.old, n.device_id
      from ${joined(pairs)} join release_devices n on n.release_id = p.id)`,
  );
  await endReplaced(trx, viewer, pairs);
  await tellDevices(trx, touched);
  await publish(trx, { topic: 'changed', kind: 'release', ids, owners: [ad.owner.id] });
  return { devices, releases: await findReleases(trx, viewer, ids) };
}

/** How many devices in scope have an earlier version of an ad, begun or planned. */
export async function countOutdated(db: Db, viewer: Scoped, ad: StoredAd): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct rd.device_id) as count from releases r
    join release_devices rd on rd.release_id = r.id and rd.withdrawn_at is null
    join devices d on d.id = rd.device_id and ${inScope(viewer, sql`d.owner_id`)}
    where r.ad_id = ${ad.id} and r.withdrawn_at is null
      and ${isRenewableBy(viewer, sql`${ad.updatedAt}::timestamptz`, sql`${ad.orientation}`)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** A live release and the one that replaces it. */
interface Pair {
  old: string;
  id: string;
}

const joined = (pairs: readonly Pair[]) => sql`
  unnest(${pairs.map(({ old }) => old)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[]) p(old, id)`;

/**
 * Live releases of earlier versions that have a device in scope, and standing ones, locked in order: releases before
 * devices.
 */
async function lockOutdated(trx: Db, viewer: Scoped, ad: StoredAd): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.id from releases r
    where r.ad_id = ${ad.id} and r.withdrawn_at is null
      and ${isRenewableBy(viewer, sql`${ad.updatedAt}::timestamptz`, sql`${ad.orientation}`)}
      and (r.standing_by is not null
        or exists (select from release_devices rd join devices d on d.id = rd.device_id
          where rd.release_id = r.id and rd.withdrawn_at is null and ${inScope(viewer, sql`d.owner_id`)})
          or exists (select from release_sends s, unnest(s.device_ids[s.reached + 1:]) p(id) join devices d on d.id = p.id
            where s.release_id = r.id and ${inScope(viewer, sql`d.owner_id`)}))
    order by r.id for no key update`.execute(trx);
  return rows.map(({ id }) => id);
}

const copyReleases = (
  trx: Db,
  viewer: Scoped,
  ad: StoredAd,
  frozen: Frozen,
  pairs: readonly Pair[],
): Promise<unknown> =>
  sql`
    insert into releases (id, ad_id, ad_name, owner_id, operator_id, ad_version, programme, rank_at, screen, replace,
      priority, schedule, stages, go_on_at, stop_above, stage, rollout, pause_reason, standing_by)
    select p.id, r.ad_id, ${ad.name}, r.owner_id, ${viewer.id}, ${ad.updatedAt}::timestamptz,
      case when r.priority = 'default' then ${JSON.stringify(playingOn(frozen).programme)}::jsonb
        else ${JSON.stringify(frozen.programme)}::jsonb end, coalesce(r.rank_at, r.released_at), r.screen, r.replace,
      r.priority, r.schedule, r.stages, r.go_on_at, r.stop_above, r.stage, r.rollout, r.pause_reason,
      r.standing_by
    from ${joined(pairs)} join releases r on r.id = p.old`.execute(trx);

/** Puts the new releases on the devices of the old ones, those of later steps as planned. Returns their number. */
async function copyDevices(
  trx: Db,
  viewer: Scoped,
  pairs: readonly Pair[],
  touched: readonly { id: string; revision: number }[],
): Promise<number> {
  const { rows } = await sql<{ devices: number }>`
    with ${holdingPresent(sql<boolean>`d.id in (select rd.device_id from ${joined(pairs)} join release_devices rd
      on rd.release_id = p.old and rd.withdrawn_at is null)`)}, copied as (
      insert into release_devices (release_id, device_id, stage, revision, started_at)
      select p.id, rd.device_id, rd.stage, t.revision, case when t.revision is not null then now() end
      from ${joined(pairs)} join release_devices rd on rd.release_id = p.old and rd.withdrawn_at is null
      join present on present.id = rd.device_id
      join devices d on d.id = rd.device_id and ${inScope(viewer, sql`d.owner_id`)}
      left join unnest(${touched.map(({ id }) => id)}::uuid[], ${touched.map(({ revision }) => revision)}::bigint[])
        t(id, revision) on t.id = rd.device_id and rd.revision is not null
      where rd.revision is null or t.revision is not null
      returning device_id)
    select count(distinct device_id) as devices from copied`.execute(trx);
  return rows[0]?.devices ?? 0;
}

/** A standing release that had no device is not taken back from any. */
const endReplaced = (trx: Db, viewer: Scoped, pairs: readonly Pair[]): Promise<unknown> =>
  sql`
    update releases r set withdrawn_at = now(), withdrawn_by = ${viewer.id} from ${joined(pairs)}
    where r.id = p.old and r.withdrawn_at is null and not exists (
      select from release_devices rd where rd.release_id = r.id and rd.withdrawn_at is null)`.execute(trx);
