import './releases.tables.ts';
import { AppError, type DeviceChoice, type GroupFilter, macSearch, passingConditions } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { changedContent, holdingPresent, type Matched, raising, type Touched } from '../devices/devices.service.ts';
import { findDeviceSet } from '../groups/groups.service.ts';
import { holdUsers } from '../platform/auth/authority.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { contains, type Db } from '../platform/database/database.ts';
import { oneOf, prepared } from '../platform/database/prepared.ts';
import { changed, publish } from '../platform/events/events.ts';
import { lockStanding } from './standing.lock.ts';

export { lockAdsOf } from './ads.lock.ts';
export { shareStanding } from './standing.lock.ts';

/** The devices of a standing release: those that match the filter in the scope of `scopeId` and of its operator. */
export interface Target {
  groupId: string | null;
  scopeId: string;
  /** That of the group, if there is one. */
  filter: GroupFilter;
  /** What devices must satisfy beside the filter of the group. */
  further: GroupFilter | null;
}

/** Throws `STANDING_FILTER` for filters with conditions that devices begin or cease to satisfy by themselves. */
export function requireLasting(...filters: readonly GroupFilter[]): void {
  const conditions = [...new Set(filters.flatMap(passingConditions))];
  if (conditions.length > 0) throw new AppError('STANDING_FILTER', { conditions });
}

/** Holds the owner of the group that a release is ordered for, who may be named by it. Call it before ads are held. */
export async function holdOwnerOfGroup(trx: Db, choice: DeviceChoice): Promise<void> {
  const group = 'group' in choice ? choice.group : 'filter' in choice ? choice.filter.group : undefined;
  if (group !== undefined) await holdUsers(trx, sql`select owner_id from groups where id = ${group}`);
}

/**
 * The devices that a standing release is ordered for. The caller has called `holdOwnerOfGroup`. Until the transaction ends, no device and no group changes.
 * @throws `STANDING_FILTER`, `NOT_FOUND` (the group)
 */
export async function findTarget(trx: Db, viewer: Scoped, choice: DeviceChoice): Promise<Target> {
  if ('ids' in choice) throw new AppError('STANDING_FILTER', { conditions: ['ids'] });
  const { group, ...filter } = 'filter' in choice ? choice.filter : { group: choice.group };
  await lockStanding(trx);
  requireLasting(filter);
  if (group === undefined) return { groupId: null, scopeId: viewer.id, filter, further: null };
  const set = await findDeviceSet(trx, viewer, group);
  requireLasting(set.filter);
  const hasFurther = Object.values(filter).some((value) => value !== undefined);
  return { groupId: group, scopeId: set.owner.id, filter: set.filter, further: hasFurther ? filter : null };
}

/** The columns of a filter, as one row. */
const columnsOf = (filter: GroupFilter) => {
  const { owner, q, paired, orientation, fits, area, tags } = filter;
  const mac = q ? macSearch(q) : undefined;
  return sql`${JSON.stringify(filter)}::jsonb, ${owner ?? null}::uuid,
    ${q ? contains(q) : null}::text, ${mac ? contains(mac) : null}::text, ${paired ?? null}::boolean,
    ${orientation ?? null}::text, ${fits ?? null}::text, lower(${area || null}::text),
    ${tags?.all ?? []}::text[], ${tags?.any ?? null}::text[], ${tags?.none ?? []}::text[]`;
};

const COLUMNS = sql`filter, owner_id, words, mac_words, paired, orientation, fits, area, tags_all, tags_any, tags_none`;

/** Makes a release standing. The caller gives it to the devices that match. */
export async function insertTarget(
  trx: Db,
  releaseId: string,
  { groupId, scopeId, filter, further }: Target,
): Promise<void> {
  await sql`
    insert into standing_releases (release_id, group_id, scope_id, ${COLUMNS})
    select ${releaseId}::uuid, ${groupId}::uuid, ${scopeId}::uuid, ${columnsOf(filter)}`.execute(trx);
  if (further === null) return;
  await sql`
    insert into standing_filters (release_id, ${COLUMNS})
    select ${releaseId}::uuid, ${columnsOf(further)}`.execute(trx);
}

/** The condition that a device `d`, whose owner is called `d.username_key`, satisfies a row with the columns of a filter. */
const satisfiesRow = (row: RawBuilder<unknown>) =>
  sql<boolean>`(d.tags @> ${row}.tags_all and (${row}.tags_any is null or d.tags && ${row}.tags_any)
  and not d.tags && ${row}.tags_none
  and (${row}.orientation is null or d.orientation = ${row}.orientation)
  and (${row}.fits is null or coalesce(d.orientation, ${row}.fits) = ${row}.fits)
  and (${row}.area is null or lower(d.area) = ${row}.area)
  and (${row}.owner_id is null or d.owner_id = ${row}.owner_id)
  and (${row}.paired is null or (d.paired_at is not null) = ${row}.paired)
  and (${row}.words is null or d.name ilike ${row}.words or d.area ilike ${row}.words or d.address ilike ${row}.words
    or d.username_key like lower(${row}.words) or replace(d.mac, ':', '') like ${row}.mac_words))`;

/** The condition that such a device satisfies a standing release `s`; an orientation that is not known yet satisfies none. */
const satisfies = sql<boolean>`(${satisfiesRow(sql`s`)} and not exists (
  select from standing_filters f where f.release_id = s.release_id and ${satisfiesRow(sql`f`)} is not true))`;

const isStanding = sql<boolean>`(r.standing_by is not null and r.withdrawn_at is null)`;

/** The devices `d` and the standing releases `r` that are compared with each other. */
interface Compared {
  devices: RawBuilder<boolean>;
  releases: RawBuilder<boolean>;
}

/** Standing releases `r` of a condition are compared with all devices. */
export const onAll = (releases: RawBuilder<boolean>): Compared => ({ devices: sql<boolean>`true`, releases });

/** All default content is compared with the devices at and below these users: the nearest counts. */
export const defaultsOf = (userIds: readonly string[]): Compared => ({
  devices: sql<boolean>`d.owner_id in (select c.user_id from user_scopes c where c.ancestor_id = any(${userIds}::uuid[]))`,
  releases: sql<boolean>`r.priority = 'default'`,
});

interface Move {
  releaseId: string;
  deviceId: string;
  ownerId: string;
  /** It begins to match; otherwise it no longer does. */
  joins: boolean;
  /** It gets or loses the release now: what was planned for a later step changes nothing on the device. */
  isNow: boolean;
  /** The step that it belongs to; -1: it came after the first delivery. */
  stage: number;
  /** An operator took the release back from this device alone before. */
  wasTaken: boolean;
}

/**
 * The devices `d` (of a condition) that begin or cease to match standing releases `r` (of a condition) since their last
 * change. A device from which an operator took a release back gets it again after it ceased to match. Of default content,
 * which is compared all together, it has that of the nearest leading user at or above its owner. Releases of a disabled
 * user stay where they are and are given to no further device. `offset 0`: the scopes of the few owners are looked up,
 * instead of joining all scopes.
 */
async function findMoves(trx: Db, { devices, releases }: Compared): Promise<Move[]> {
  const { rows } = await sql<Move>`
    with device as materialized (
      select d.id, d.owner_id, d.mac, d.name, d.area, d.address, d.tags, d.orientation, d.paired_at, o.username_key
      from devices d join users o on o.id = d.owner_id where ${devices}
    ), above as materialized (
      select o.owner_id, a.* from (select distinct owner_id from device) o
      cross join lateral (
        select u.id, u.disabled, u.role from user_scopes c join users u on u.id = c.ancestor_id
        where c.user_id = o.owner_id and (u.role = 'leading' or u.id = o.owner_id) offset 0
      ) a
    ), standing as materialized (
      select s.*, r.standing_by, r.owner_id as ad_owner_id, r.rollout, r.stage, jsonb_array_length(r.stages) - 1 as last,
        case when r.priority = 'default' then (select count(*) from user_scopes c where c.user_id = r.standing_by) end as depth
      from releases r join standing_releases s on s.release_id = r.id
      where ${isStanding} and r.standing_by in (select id from above) and ${releases}
    ), candidate as (
      select d.id as device_id, s.release_id, s.ad_owner_id, s.depth,
        max(s.depth) over (partition by d.id) as nearest,
        case when s.rollout in ('paused', 'stopped') and s.stage < s.last then s.last else -1 end as stage
      from device d join above op on op.owner_id = d.owner_id
      join standing s on s.standing_by = op.id
      where ${satisfies} and (s.scope_id = op.id
        or exists (select from above a where a.owner_id = d.owner_id and a.id = s.scope_id))
        and (s.depth is null or op.role = 'leading')
        and (not op.disabled or exists (select from release_devices rd
          where rd.release_id = s.release_id and rd.device_id = d.id and not rd.unmatched))
    ), matching as materialized (
      select * from candidate where depth is null or depth = nearest
    )
    select m.release_id as "releaseId", m.device_id as "deviceId", m.ad_owner_id as "ownerId", true as joins,
      m.stage = -1 as "isNow", m.stage, false as "wasTaken"
    from matching m
    left join release_devices rd on rd.release_id = m.release_id and rd.device_id = m.device_id
    where rd.release_id is null or rd.unmatched
    union all
    select rd.release_id, rd.device_id, r.owner_id, false, rd.revision is not null and rd.withdrawn_at is null,
      rd.stage, rd.withdrawn_at is not null
    from device d join release_devices rd on rd.device_id = d.id join releases r on r.id = rd.release_id
    where ${isStanding} and ${releases} and not rd.unmatched and not exists (
      select from matching m where m.release_id = rd.release_id and m.device_id = rd.device_id)
    ${prepared}`.execute(trx);
  return rows;
}

/**
 * Devices are locked before their releases change on them: whoever changes them later sees what was done. Answers the
 * devices that have to fetch their content; they and their operators were told.
 */
async function move(trx: Db, moves: readonly Move[], operatorId?: string): Promise<string[]> {
  const changing = [...new Set(moves.flatMap(({ deviceId, isNow }) => (isNow ? [deviceId] : [])))];
  const { true: joining = [], false: leaving = [] } = Object.groupBy(moves, ({ joins }) => `${joins}`);
  const { rows: touched } = await sql<Touched>`
    with ${raising(oneOf(sql`d.id`, changing), operatorId)},
    ${holdingPresent(
      oneOf(
        sql`d.id`,
        joining.map(({ deviceId }) => deviceId),
      ),
    )}, lost as (
      update release_devices rd set withdrawn_at = coalesce(rd.withdrawn_at, now()), unmatched = true
      from unnest(${leaving.map(({ releaseId }) => releaseId)}::uuid[],
        ${leaving.map(({ deviceId }) => deviceId)}::uuid[]) m(release_id, device_id)
      where rd.release_id = m.release_id and rd.device_id = m.device_id
    ), gained as (
      insert into release_devices (release_id, device_id, stage, revision, started_at)
      select m.release_id, m.device_id, m.stage, t.revision, case when t.revision is not null then now() end
      from unnest(${joining.map(({ releaseId }) => releaseId)}::uuid[], ${joining.map(({ deviceId }) => deviceId)}::uuid[],
        ${joining.map(({ stage }) => stage)}::int[], ${joining.map(({ isNow }) => isNow)}::boolean[])
        m(release_id, device_id, stage, is_now)
      join present on present.id = m.device_id
      left join raised t on t.id = m.device_id and m.is_now
      on conflict (release_id, device_id) do update set stage = excluded.stage, revision = excluded.revision,
        -- Plays before it left may be reported later; what is planned has not started.
        started_at = case when excluded.revision is not null
          then least(release_devices.started_at, excluded.started_at) end,
        withdrawn_at = null, unmatched = false, missed = false
    )
    select id, owner_id from raised ${prepared}`.execute(trx);
  const owners = new Map(moves.map(({ releaseId, ownerId }) => [releaseId, ownerId]));
  await publish(
    trx,
    ...changedContent(touched),
    ...changed(
      'release',
      [...owners].map(([id, owner_id]) => ({ id, owner_id })),
    ),
  );
  return touched.map(({ id }) => id);
}

/**
 * Compares devices with standing releases again, for an operator whose release begins. The caller holds `lockStanding`, or
 * the devices and `shareStanding`.
 */
export async function matchAgain(
  trx: Db,
  compared: Compared,
  operatorId?: string,
): Promise<{ moves: readonly Move[]; told: readonly string[] }> {
  const moves = await findMoves(trx, compared);
  return { moves, told: moves.length > 0 ? await move(trx, moves, operatorId) : [] };
}

/** The devices (ids) that `matchAgain` would change: to hold them together with others. The caller holds `lockStanding`. */
export const findMoving = async (trx: Db, compared: Compared): Promise<string[]> =>
  (await findMoves(trx, compared)).map(({ deviceId }) => deviceId);

/**
 * After these devices were added or changed: those that begin to match standing releases get them, those that no longer
 * match lose them. The caller holds `shareStanding` and the devices.
 */
export async function matchDevices(trx: Db, ids: readonly string[]): Promise<Matched> {
  if (ids.length === 0) return { taken: [], told: [] };
  const { moves, told } = await matchAgain(trx, { devices: oneOf(sql`d.id`, ids), releases: sql<boolean>`true` });
  const taken = moves.flatMap(({ releaseId, deviceId, joins, isNow, wasTaken }) =>
    joins || wasTaken ? [] : [{ releaseId, deviceId, begun: isNow }],
  );
  return { taken, told };
}

/** All devices are compared with the standing releases `r` of a condition again. The caller holds `lockStanding`. */
export const matchReleases = (trx: Db, releases: RawBuilder<boolean>): Promise<unknown> =>
  matchAgain(trx, onAll(releases));

/** Devices at and below these users are compared with all default content again. The caller holds `lockStanding`. */
export const matchDefaults = (trx: Db, userIds: readonly string[]): Promise<unknown> =>
  matchAgain(trx, defaultsOf(userIds));

/** A user was enabled or has another role: other devices are in the scope of its standing releases and groups. */
export async function matchReleasesOf(trx: Db, userId: string): Promise<void> {
  const concerned = sql<boolean>`(r.standing_by = ${userId} or r.id in (
    select t.release_id from standing_releases t where t.scope_id = ${userId}))`;
  await lockStanding(trx);
  const { rows } = await sql<{ isDefault: boolean }>`
    select distinct r.priority = 'default' as "isDefault" from releases r where ${isStanding} and ${concerned}`.execute(
    trx,
  );
  if (rows.some(({ isDefault }) => isDefault)) await matchDefaults(trx, [userId]);
  if (rows.some(({ isDefault }) => !isDefault)) {
    await matchReleases(trx, sql<boolean>`(${concerned} and r.priority <> 'default')`);
  }
}

/** The condition that a release `r` stands on a group, or did before it was withdrawn. */
const standsOn = (groupId: string): RawBuilder<boolean> =>
  sql<boolean>`r.id in (select t.release_id from standing_releases t where t.group_id = ${groupId})`;

async function endStandingOn(trx: Db, groupId: string): Promise<void> {
  await sql`update releases r set standing_by = null where ${standsOn(groupId)}`.execute(trx);
}

/**
 * A group has another filter: releases that stand on it go to the devices that match now. Withdrawn ones that cannot stand
 * on it are no longer standing: their withdrawal can be undone. The caller holds `lockStanding`.
 * @throws `STANDING_FILTER`
 */
export async function followGroup(trx: Db, groupId: string, filter: GroupFilter): Promise<void> {
  const { rows } = await sql<{ isUsed: boolean }>`
    select bool_or(${isStanding}) as "isUsed" from standing_releases s join releases r on r.id = s.release_id
    where s.group_id = ${groupId} having count(*) > 0`.execute(trx);
  if (rows.length === 0) return;
  if (rows[0]?.isUsed) requireLasting(filter);
  if (passingConditions(filter).length > 0) return endStandingOn(trx, groupId);
  await sql`
    update standing_releases set (${COLUMNS}) = (select ${columnsOf(filter)}) where group_id = ${groupId}`.execute(trx);
  await matchReleases(trx, standsOn(groupId));
}

/**
 * Throws `GROUP_IN_USE` with the names of the releases in scope that stand on a group, and of the users whose `alerts`
 * are about it (null: out of scope). Releases that were withdrawn are no longer standing. The caller holds `lockStanding`.
 */
export async function releaseGroup(
  trx: Db,
  viewer: Scoped,
  groupId: string,
  alerts: readonly (string | null)[],
): Promise<void> {
  const { rows } = await sql<{ name: string | null }>`
    select case when ${inScope(viewer, sql`r.owner_id`)} then r.ad_name end as name from releases r
    where ${isStanding} and ${standsOn(groupId)} order by r.released_at desc`.execute(trx);
  if (rows.length > 0 || alerts.length > 0) {
    const releases = [...new Set(rows.flatMap(({ name }) => name ?? []))];
    const watching = alerts.flatMap((username) => username ?? []);
    throw new AppError('GROUP_IN_USE', { releases, alerts: watching, uses: [...releases, ...watching] });
  }
  await endStandingOn(trx, groupId);
}

/** Releases that stand in a user's name or on its groups stay on their devices and are no longer standing. */
export async function endStandingOf(trx: Db, userId: string): Promise<void> {
  await lockStanding(trx);
  await sql`
    update releases r set standing_by = null
    where r.standing_by = ${userId} or (r.standing_by is not null and r.id in (
      select t.release_id from standing_releases t where t.scope_id = ${userId}))`.execute(trx);
}

/**
 * The devices of standing releases `old` get the release `id` instead from now on. Devices from which an operator took
 * the old one back stay without. The caller holds `lockStanding`.
 */
export async function moveTargets(trx: Db, pairs: readonly { old: string; id: string }[]): Promise<void> {
  const joined = sql`unnest(${pairs.map(({ old }) => old)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[]) p(old, id)`;
  await sql`
    update standing_releases s set release_id = p.id from ${joined} where s.release_id = p.old`.execute(trx);
  await sql`
    with ${holdingPresent(sql<boolean>`d.id in (select rd.device_id from ${joined} join release_devices rd
      on rd.release_id = p.old and rd.withdrawn_at is not null and not rd.unmatched)`)}
    insert into release_devices (release_id, device_id, stage, revision, started_at, withdrawn_at, missed)
    select p.id, rd.device_id, rd.stage, rd.revision, rd.started_at, rd.withdrawn_at, true from ${joined} join releases r on r.id = p.old and r.standing_by is not null
    join release_devices rd on rd.release_id = p.old and rd.withdrawn_at is not null and not rd.unmatched
    join present on present.id = rd.device_id`.execute(trx);
  await sql`update releases r set standing_by = null from ${joined} where r.id = p.old`.execute(trx);
}
