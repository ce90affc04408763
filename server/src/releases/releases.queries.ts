import './releases.tables.ts';
import {
  type Page,
  type PageQuery,
  type Release,
  RELEASE_SORTS,
  type ReleaseDevice,
  type releases,
  type ReleaseState,
  type Rollout,
  sortingOf,
  type StageCounts,
  type UserRef,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { delivery } from '../devices/verdict.service.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { contains, type Db, iso, userRef } from '../platform/database/database.ts';
import { byMac, newestFirst, type SortColumn, sorted } from '../platform/database/page.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';

/** A device `rd` belongs to its release `r` until the release is taken back from it alone. */
const belongs = sql<boolean>`(rd.withdrawn_at is null or (r.withdrawn_at is not null and not rd.unmatched))`;

/** Each step of a release with its `visible` devices `d`: (stage, started_at, total, done, failed). */
function stageSums(releaseId: RawBuilder<unknown>, visible = sql<boolean>`true`): RawBuilder<unknown> {
  const visibleIn = (state: ReleaseState) =>
    sql`count(*) filter (where ${visible} and ${delivery} = ${sql.lit(state)})`;
  return sql`select rd.stage, min(rd.started_at) as started_at, count(*) filter (where ${visible}) as total,
      ${visibleIn('done')} as done, ${visibleIn('failed')} as failed
    from release_devices rd join devices_now d on d.id = rd.device_id
    where rd.release_id = ${releaseId} and rd.withdrawn_at is null group by rd.stage`;
}

/** Progress of the devices of one step of a release. */
export async function countStage(db: Db, releaseId: string, stage: number): Promise<StageCounts> {
  const { rows } = await sql<StageCounts>`
    select coalesce(s.total, 0) as total, coalesce(s.done, 0) as done, coalesce(s.failed, 0) as failed, w.withdrawn
    from (
      select count(*) as withdrawn from release_devices rd
      where rd.release_id = ${releaseId}::uuid and rd.stage = ${stage}
        and rd.revision is not null and rd.withdrawn_at is not null
    ) w left join (${stageSums(sql`${releaseId}::uuid`)}) s on s.stage = ${stage}`.execute(db);
  return rows[0] ?? { total: 0, done: 0, failed: 0, withdrawn: 0 };
}

/** People see the devices that are in their scope now, whatever is in the release. */
const inSight = (viewer: Scoped): RawBuilder<boolean> => inScope(viewer, sql`d.owner_id`);

/** The number of devices to which a release `r` is on its way: all were in the scope of its operator just before. */
export const pending = (viewer: Scoped) => sql<number>`
  coalesce((select case when r.operator_id = ${viewer.id}::uuid then s.total - s.reached else (
      select count(*) from unnest(s.device_ids[s.reached + 1:]) p(id) join devices d on d.id = p.id
      where ${inSight(viewer)}) end
    from release_sends s where s.release_id = r.id and r.withdrawn_at is null), 0)`;

/** How far a release `r` is on its way to many devices. */
const sending = sql<Release['sending']>`
  (select jsonb_build_object('reached', s.reached, 'total', s.total) from release_sends s
    where s.release_id = r.id and r.withdrawn_at is null)`;

const stages = (viewer: Scoped) => sql<Rollout['stages']>`
  (select jsonb_agg(jsonb_build_object('percent', step.value -> 'percent', 'startedAt', ${iso(sql`sums.started_at`)},
      'total', coalesce(sums.total, 0), 'done', coalesce(sums.done, 0), 'failed', coalesce(sums.failed, 0))
      order by step.place)
    from jsonb_array_elements(r.stages) with ordinality step(value, place)
    left join (${stageSums(sql`r.id`, inSight(viewer))}) sums on sums.stage = step.place - 1)`;

const rollout = (viewer: Scoped) => sql<Release['rollout']>`
  case when r.stages is not null then jsonb_build_object('state', r.rollout, 'reason', r.pause_reason, 'stage', r.stage, 'goOnAt', r.go_on_at,
    'stopAbove', r.stop_above, 'stages', ${stages(viewer)}) end`;

/** The request that a release `r` was approved by. */
const approval = sql<Release['approval']>`
  (select jsonb_build_object('state', q.state, 'devices', q.devices, 'changed', false, 'remark', q.remark,
      'requestedBy', ${userRef(sql`q.requested_by`)}, 'requestedAt', ${iso(sql`q.requested_at`)},
      'decidedBy', ${userRef(sql`q.decided_by`)}, 'decidedAt', ${iso(sql`q.decided_at`)})
    from release_requests q where q.id = r.id)`;

/** The devices of a standing release `r`, for viewers who may see the filter of its group. */
const target = (viewer: Scoped) => sql<Release['target']>`
  (select jsonb_build_object('filter', s.filter,
      'further', (select f.filter from standing_filters f where f.release_id = s.release_id),
      'group', (select jsonb_build_object('id', g.id, 'name', g.name) from groups g where g.id = s.group_id))
    from standing_releases s where s.release_id = r.id and r.standing_by is not null
      and ${inScope(viewer, sql`s.scope_id`)})`;

/** Since when a release `r` is taken back, from all its devices or from this one. */
const withdrawnAt = (device: string | undefined): RawBuilder<Date | null> =>
  device === undefined
    ? sql`r.withdrawn_at`
    : sql`coalesce(r.withdrawn_at, (select rd.withdrawn_at from release_devices rd
        where rd.release_id = r.id and rd.device_id = ${device}))`;

const selectReleases = (db: Db, viewer: Scoped, device?: string) =>
  db
    .selectFrom('releases as r')
    .select(['r.id', 'r.screen', 'r.replace', 'r.priority', 'r.schedule', 'r.campaign_id as campaignId'])
    .select(sql<Release['ad']>`jsonb_build_object('id', r.ad_id, 'name', r.ad_name)`.as('ad'))
    .select(userRef<UserRef | null>(sql`r.operator_id`).as('operator'))
    .select(
      iso(sql`r.ends_at`)
        .$castTo<string | null>()
        .as('endsAt'),
    )
    .select(iso(sql`r.released_at`).as('releasedAt'))
    .select(iso(withdrawnAt(device)).$castTo<string | null>().as('withdrawnAt'))
    .select(userRef<UserRef | null>(sql`r.withdrawn_by`).as('withdrawnBy'))
    .select(sql<boolean>`r.standing_by is not null`.as('standing'))
    .select(target(viewer).as('target'))
    .select(rollout(viewer).as('rollout'))
    .select(sending.as('sending'))
    .select(approval.as('approval'));

/**
 * How far the devices of releases are, in one pass for all: a count within the row of each release would read all devices
 * of a large fleet for each. Devices to which a release is on its way are counted as of the same moment.
 */
async function withCounts(db: Db, viewer: Scoped, found: readonly Omit<Release, 'counts'>[]): Promise<Release[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const countOf = (state: ReleaseState) => sql`count(*) filter (where state = ${sql.lit(state)})`;
  const { rows } = await sql<Release['counts'] & { id: string }>`
    select r.id, coalesce(s.total, 0) + p.n as total, coalesce(s.waiting, 0) + p.n as waiting,
      coalesce(s.planned, 0) as planned, coalesce(s.downloading, 0) as downloading, coalesce(s.done, 0) as done,
      coalesce(s.failed, 0) as failed, coalesce(s.missed, 0) as missed
    from releases r cross join lateral (select ${pending(viewer)} as n) p left join (
      select id, count(*) as total, ${countOf('planned')} as planned, ${countOf('waiting')} as waiting,
        ${countOf('downloading')} as downloading, ${countOf('done')} as done, ${countOf('failed')} as failed,
        ${countOf('missed')} as missed
      from (
        select r.id, ${delivery} as state
        from releases r join release_devices rd on rd.release_id = r.id join devices_now d on d.id = rd.device_id
        where r.id = any(${ids}::uuid[]) and ${belongs} and ${inSight(viewer)}
      ) states group by id
    ) s on s.id = r.id
    where r.id = any(${ids}::uuid[])`.execute(db);
  return counted(found, rows);
}

/** Each of these with its counts, without those that were deleted meanwhile. */
export function counted<T extends { id: string }, R extends { id: string }>(
  found: readonly T[],
  rows: readonly R[],
): (T & { counts: Omit<R, 'id'> })[] {
  const counts = new Map(rows.map(({ id, ...own }) => [id, own]));
  return found.flatMap((each) => {
    const own = counts.get(each.id);
    return own ? [{ ...each, counts: own }] : [];
  });
}

const selectInScope = (db: Db, viewer: Scoped, ids: readonly string[]) =>
  selectReleases(db, viewer)
    .where(sql<boolean>`r.id = any(${ids}::uuid[])`)
    .where(inScope(viewer, sql`r.owner_id`))
    .orderBy('r.id');

/** Those of these releases that are in scope, in the order of their ids: the oldest first. */
export const findReleases = async (db: Db, viewer: Scoped, ids: readonly string[]): Promise<Release[]> =>
  withCounts(db, viewer, await selectInScope(db, viewer, ids).execute());

/** A release whose devices nobody counted: that takes most of the time of reading it. */
export const findUncounted = (db: Db, viewer: Scoped, id: string): Promise<Omit<Release, 'counts'> | undefined> =>
  selectInScope(db, viewer, [id]).executeTakeFirst();

export const findRelease = async (db: Db, viewer: Scoped, id: string): Promise<Release | undefined> =>
  (await findReleases(db, viewer, [id]))[0];

const SORTS: Record<(typeof RELEASE_SORTS)[number], SortColumn> = {
  name: { column: sql`r.ad_name`, type: 'name' },
  // The operator may have been deleted.
  operator: { column: sql`coalesce(o.username_key, '')`, type: 'word' },
  releasedAt: { column: sql`r.released_at`, type: 'time' },
};

/** Releases in scope, newest first unless the query has another order; for one device, each with its progress. */
export async function listReleases(
  db: Db,
  viewer: Viewer,
  query: z.output<typeof releases.list.query>,
): Promise<Page<Release>> {
  const all: RawBuilder<boolean>[] = [inScope(viewer, sql`r.owner_id`)];
  if (query.ad) all.push(sql`r.ad_id = ${query.ad}`);
  if (query.active !== undefined) all.push(sql`(${withdrawnAt(query.device)} is null) = ${query.active}`);
  if (query.owner) all.push(sql`r.owner_id = ${query.owner}`);
  if (query.group) {
    all.push(
      sql`r.standing_by is not null and r.id in (
        select s.release_id from standing_releases s where s.group_id = ${query.group})`,
    );
  }
  if (query.q) all.push(sql`r.ad_name ilike ${contains(query.q)}`);
  if (query.device) {
    all.push(
      sql`exists (select from release_devices rd join devices d on d.id = rd.device_id
        where rd.release_id = r.id and rd.device_id = ${query.device} and ${inSight(viewer)})`,
    );
  }
  const here = query.device
    ? sql<ReleaseState | null>`(select ${delivery} from release_devices rd join devices_now d on d.id = rd.device_id
        where rd.release_id = r.id and rd.device_id = ${query.device})`
    : sql<null>`null`;
  const chosen = selectReleases(db, viewer, query.device)
    .select(here.as('here'))
    .where(sql<boolean>`(${sql.join(all, sql` and `)})`);
  const sorting = sortingOf(RELEASE_SORTS, query.sort);
  const operated = chosen.leftJoin('users as o', 'o.id', 'r.operator_id');
  const page = sorting
    ? await sorted(operated, query, sorting, SORTS[sorting.key], sql`r.id`)
    : await newestFirst(chosen, query, sql`r.released_at`, sql`r.id`);
  return { ...page, items: await withCounts(db, viewer, page.items) };
}

/** The devices of a release that are in scope, by MAC, each with its own state. */
export function listReleaseDevices(
  db: Db,
  viewer: Scoped,
  releaseId: string,
  query: PageQuery & { state?: ReleaseState | undefined },
): Promise<Page<ReleaseDevice>> {
  let chosen = db
    .selectFrom('release_devices as rd')
    .innerJoin('releases as r', 'r.id', 'rd.release_id')
    .innerJoin('devices_now as d', 'd.id', 'rd.device_id')
    .select(['d.id', 'd.mac', 'd.name', 'd.online'])
    .select(delivery.as('state'))
    .select(
      sql<number>`case when d.reported_revision >= rd.revision
      then coalesce((d.download ->> 'doneBytes')::bigint, 0) else 0 end`.as('doneBytes'),
    )
    .select(
      sql<number>`case when d.reported_revision >= rd.revision
      then coalesce((d.download ->> 'totalBytes')::bigint, 0) else 0 end`.as('totalBytes'),
    )
    .select(sql<string | null>`case when ${delivery} = 'failed' then d.download ->> 'reason' end`.as('reason'))
    .where('rd.release_id', '=', releaseId)
    .where(belongs)
    .where(inSight(viewer));
  if (query.state) chosen = chosen.where(sql<boolean>`${delivery} = ${query.state}`);
  return byMac(chosen, query);
}
