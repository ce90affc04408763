import './releases.tables.ts';
import { AppError, type Priority, type Release } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { type Taken, type Touched } from '../devices/devices.service.ts';
import { isMissed } from '../devices/verdict.service.ts';
import { audit, type AuditActor } from '../platform/auth/audit.ts';
import { actingAs, covers } from '../platform/auth/authority.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import { lockAdsOf, lockAdsOn } from './ads.lock.ts';
import { lockDevices } from './devices.lock.ts';
import type { ReleaseLinks } from './links.ts';
import { findUncounted } from './releases.queries.ts';
import { getRelease } from './releases.service.ts';
import { withdrawRequest, withdrawRequestsOf } from './requests.service.ts';
import { bringEarly, endSendsOf, sendsTo } from './sending.service.ts';
import { lockStanding } from './standing.lock.ts';
import { endStandingOf, matchDefaults } from './standing.service.ts';
import { leaveDevices } from './withdrawing.service.ts';

/**
 * Withdraws the live releases that a condition on `releases` chooses and notifies their devices, many by a job. Without a
 * viewer they ended by themselves. Where default content ends, devices get that of the next user above.
 */
export async function withdrawAll(
  trx: Db,
  viewer: AuditActor | undefined,
  chosen: RawBuilder<boolean>,
): Promise<number> {
  await lockAdsOf(trx, sql`select ad_id from releases where withdrawn_at is null and ${chosen}`);
  const standing = await sql`
    select from releases where withdrawn_at is null and standing_by is not null and ${chosen} limit 1`.execute(trx);
  if (standing.rows.length > 0) await lockStanding(trx);
  const { rows } = await sql<{ id: string; owner_id: string; priority: Priority; standing_by: string | null }>`
    with held as materialized (
      select id from releases where withdrawn_at is null and ${chosen} order by id for no key update
    )
    update releases set withdrawn_at = now(), withdrawn_by = ${viewer?.id ?? null},
      withdrawn_person = ${viewer?.person?.id ?? null}
    where id in (select id from held) returning id, owner_id, priority, standing_by`.execute(trx);
  if (rows.length === 0) return 0;
  const ids = rows.map((row) => row.id);
  const takeovers = rows.filter(({ priority }) => priority === 'takeover').map(({ id }) => id);
  if (takeovers.length > 0) await publish(trx, { topic: 'takeover', ids: takeovers });
  await leaveDevices(trx, ids, viewer?.id ?? null);
  const namers = rows.flatMap(({ priority, standing_by: by }) => (priority === 'default' && by !== null ? [by] : []));
  if (namers.length > 0) await matchDefaults(trx, namers);
  await publish(trx, ...changed('release', rows));
  return rows.length;
}

/**
 * Takes back what is released to these devices, from them alone, and altogether the releases that are left without
 * any; default content stays. `devices` is a query of device ids; telling the devices is up to the caller.
 */
export async function withdrawFrom(trx: Db, operatorId: string, devices: RawBuilder<unknown>): Promise<Taken[]> {
  await lockAdsOn(trx, devices);
  await lockReleasesOn(trx, devices);
  await lockDevices(trx, devices);
  return takeBack(trx, operatorId, sql<boolean>`rd.device_id in (${devices}) and r.priority <> 'default'`);
}

/**
 * After devices changed their owner (`moved` has the former ones): releases on them are withdrawn, planned ones too,
 * if their operator or the owner of their ad no longer has the device in scope. Standing ones follow their own rule;
 * those of standing campaigns come back with the device. The caller notifies the devices and holds them and
 * `lockReleasesOn`.
 */
export async function withdrawForeign(trx: Db, operatorId: string, moved: readonly Touched[]): Promise<Taken[]> {
  const ids = moved.map(({ id }) => id);
  const formerOwners = JSON.stringify(Object.fromEntries(moved.map((device) => [device.id, device.owner_id])));
  const former = sql`(${formerOwners}::jsonb ->> rd.device_id::text)::uuid`;
  const owner = sql`(select d.owner_id from devices d where d.id = rd.device_id)`;
  const isForeign = sql<boolean>`r.standing_by is null and (not ${covers(sql`coalesce(r.operator_id, r.owner_id)`, owner)}
    or (${covers(sql`r.owner_id`, former)} and not ${covers(sql`r.owner_id`, owner)}))`;
  const taken = await takeBack(trx, operatorId, sql<boolean>`rd.device_id = any(${ids}::uuid[]) and ${isForeign}`);
  await noteUnmatched(trx, sql<boolean>`r.campaign_id is not null and rd.device_id = any(${ids}::uuid[])`);
  return taken;
}

/** Of releases `r` that were taken back from devices `rd`: not because an operator refused them there. */
export const noteUnmatched = (trx: Db, chosen: RawBuilder<boolean>): Promise<unknown> =>
  sql`
    update release_devices rd set unmatched = true from releases r
    where r.id = rd.release_id and rd.withdrawn_at is not null and not rd.unmatched and ${chosen}`.execute(trx);

/** The condition that some of these devices (a query of ids) have a release `r`, or are about to get it. */
const isOn = (devices: RawBuilder<unknown>) => sql<boolean>`(r.id in (
  select rd.release_id from release_devices rd where rd.withdrawn_at is null and rd.device_id in (${devices}))
  or r.id in (${sendsTo(devices)}))`;

/**
 * Holds the live releases of these devices (a query of ids) and `further` ones, before anything changes: releases are
 * locked before devices, in order, and two that empty one release see each other's devices. What is on its way to them
 * arrives.
 */
export async function lockReleasesOn(
  trx: Db,
  devices: RawBuilder<unknown>,
  further: readonly string[] = [],
): Promise<void> {
  await sql`
    select r.id from releases r where r.id = any(${further}::uuid[]) or r.withdrawn_at is null and ${isOn(devices)}
    order by r.id for no key update`.execute(trx);
  await bringEarly(trx, devices);
}

/**
 * Takes live releases `r` back from devices `rd`; one that is not standing ends when no device has it. Those of campaigns
 * end with their campaign.
 */
export async function takeBack(trx: Db, operatorId: string, chosen: RawBuilder<boolean>): Promise<Taken[]> {
  const { rows } = await sql<Taken & { owner_id: string }>`
    update release_devices rd set withdrawn_at = now(), missed = rd.missed or ${isMissed} from releases r
    where r.id = rd.release_id and r.withdrawn_at is null and rd.withdrawn_at is null and ${chosen}
    returning r.id as "releaseId", r.owner_id, rd.device_id as "deviceId", rd.revision is not null as begun`.execute(
    trx,
  );
  const owners = new Map(rows.map(({ releaseId, owner_id }) => [releaseId, owner_id]));
  // One that came after `lockReleasesOn`: somebody else may take it from its last other device at this moment.
  await lockReleases(trx, [...owners.keys()]);
  await sql`
    update releases r set withdrawn_at = now(), withdrawn_by = ${operatorId}
    where r.withdrawn_at is null and r.standing_by is null and r.campaign_id is null
      and r.id = any(${[...owners.keys()]}::uuid[])
      and not exists (select from release_devices rd where rd.release_id = r.id and rd.withdrawn_at is null)
      and not exists (select from release_sends s where s.release_id = r.id)`.execute(trx);
  await publish(
    trx,
    ...changed(
      'release',
      [...owners].map(([id, owner_id]) => ({ id, owner_id })),
    ),
  );
  return rows.map(({ releaseId, deviceId, begun }) => ({ releaseId, deviceId, begun }));
}

/** Holds these releases, before anything changes on their devices. */
export const lockReleases = (trx: Db, ids: readonly string[]): Promise<unknown> =>
  sql`select id from releases where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx);

/** The same for releases of a user who is deleted, and those that its devices have or are about to get. */
export async function lockReleasesOf(trx: Db, userId: string): Promise<void> {
  const devices = sql`select id from devices where owner_id = ${userId}`;
  await sql`
    select r.id from releases r
    where r.owner_id = ${userId} or r.operator_id = ${userId} or r.standing_by = ${userId}
      or r.withdrawn_at is null and ${isOn(devices)}
    order by r.id for no key update`.execute(trx);
}

const isForLeading = ({ priority }: Pick<Release, 'priority'>): boolean =>
  priority === 'takeover' || priority === 'default';

/**
 * Takes a release back; doing it twice changes nothing more. One of a booked campaign is taken back by those who may end
 * the campaign: it ends with its last release.
 * @throws `LEADING_ONLY`
 */
export const withdrawRelease = (db: Db, links: ReleaseLinks, viewer: Viewer, id: string): Promise<Release> =>
  actingAs(db, viewer, {}, async (trx, actor) => {
    const release = await findUncounted(trx, actor, id);
    const request = release ? undefined : await withdrawRequest(trx, actor, id);
    if (request) return request;
    if (!release) throw new AppError('NOT_FOUND');
    if (isForLeading(release) && actor.role !== 'leading') throw new AppError('LEADING_ONLY');
    if (release.campaignId !== null) await links.requireMayEnd(trx, actor, release.campaignId);
    const withdrawn = await withdrawAll(trx, viewer, sql<boolean>`id = ${id}`);
    if (withdrawn > 0) await audit(trx, viewer, { action: 'releases.withdraw', targetId: id, target: release.ad.name });
    return getRelease(trx, actor, id);
  });

/** Gives all releases of a user to another one, and the responsibility for those that it sent. Its default content ends. */
export async function handOverReleases(trx: Db, from: string, to: string): Promise<void> {
  await withdrawAll(trx, { id: to }, sql<boolean>`(priority = 'default' and standing_by = ${from})`);
  await endStandingOf(trx, from);
  const empty = await endSendsOf(trx, from);
  await withdrawAll(trx, { id: to }, sql<boolean>`id = any(${empty}::uuid[])`);
  await withdrawRequestsOf(trx, from);
  await trx.updateTable('releases').set({ owner_id: to }).where('owner_id', '=', from).execute();
  await trx.updateTable('releases').set({ operator_id: to }).where('operator_id', '=', from).execute();
}
