import './campaigns.tables.ts';
import { AppError, type Campaign, type CampaignConflict, CONFLICTS_MAX } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs, findActor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { holdDevices, releaseCampaign } from '../releases/campaign.service.ts';
import { shareStanding } from '../releases/standing.service.ts';
import { getCampaign, type HeldCampaign, holdCampaign, holdPeopleAndAds, readCampaign } from './campaigns.queries.ts';
import {
  recordCampaign,
  requireAction,
  requireFuture,
  requireLeft,
  requirePlays,
  requireRequested,
  requireSeen,
} from './campaigns.service.ts';
import { nameCampaigns, nameDevices } from './capacity.queries.ts';
import {
  checkSoon,
  type FrozenCreative,
  freezeCreatives,
  isAsRequested,
  meanSpotMs,
  noteCreatives,
} from './creatives.service.ts';
import { findParts } from './flight.ts';
import {
  afterLastDay,
  isAsked,
  type Measured,
  measure,
  type Paced,
  pledge,
  type Pledge,
  shareNeeded,
} from './pledge.ts';
import { reach, type Reached, requireStanding, type Target, targetOf } from './target.service.ts';

const LEADING = { role: 'leading' } as const;

/** The devices of a target, held in order; ids must all be there still. */
async function holdTarget(trx: Db, target: Target, { chosen }: Reached): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select d.id from devices_now d where ${chosen}`.execute(trx);
  const ids = rows.map(({ id }) => id);
  if ('ids' in target.devices && ids.length !== new Set(target.devices.ids).size) throw new AppError('NOT_FOUND');
  if (ids.length === 0) throw new AppError('NO_DEVICES');
  await holdDevices(trx, ids);
  return ids;
}

/** Screen-hours without room, the fullest first. */
async function conflictsOf(
  trx: Db,
  viewer: Viewer,
  campaign: HeldCampaign,
  measured: readonly Measured[],
  needed: number,
  isSeen: boolean,
): Promise<CampaignConflict[]> {
  const full = measured.filter(({ free }) => free < needed).toSorted((a, b) => a.free - b.free);
  const places = full
    .flatMap(({ ids, free, expiresOn, occupancy: { peakAt } }) =>
      peakAt ? ids.slice(0, CONFLICTS_MAX).map((id) => ({ id, free, expiresAt: expiresOn, ...peakAt })) : [],
    )
    .slice(0, CONFLICTS_MAX);
  const ids = places.map(({ id }) => id);
  const names = isSeen ? await nameDevices(trx, ids) : new Map<string, never>();
  const others = await nameCampaigns(trx, viewer, ids, campaign.schedule);
  return places.map(({ id, expiresAt, ...place }) => ({
    device: names.get(id) ?? null,
    ...place,
    needed,
    expiresAt: isSeen ? expiresAt : null,
    campaigns: others.get(id) ?? [],
  }));
}

/**
 * The pledge of a campaign on those of its devices on which its flight is not over. Throws `NO_ROOM` unless all of them
 * have room at every moment of what is left, `NO_PLAYS` if the goal is not even one play, `INVALID` if the flight is over on
 * all of them. The caller holds the devices if it books.
 */
async function requireRoom(
  trx: Db,
  viewer: Viewer,
  campaign: HeldCampaign,
  spotMs: number,
  chosen: RawBuilder<boolean>,
  isSeen: boolean,
): Promise<Pledge> {
  const left = requireLeft(await findParts(trx, chosen, campaign.schedule));
  const measured = measure(left, afterLastDay(campaign.goal));
  const plan = pledge(campaign.goal, spotMs, measured);
  requirePlays(plan);
  if (plan.isFeasible) return plan;
  // Of a total on devices that are all expired, no hour is named unless those after their last days are full.
  const full = measured.some(isAsked) ? measured : measure(left, 'full');
  const needed = shareNeeded(campaign.goal, spotMs, full);
  throw new AppError('NO_ROOM', { conflicts: await conflictsOf(trx, viewer, campaign, full, needed, isSeen) });
}

/** Stores the devices that carry a campaign, and their paces. A device that comes back has played some spots already. */
export const insertDevices = (
  trx: Db,
  campaignId: string,
  paced: readonly Paced[],
  spotMs: number,
): Promise<unknown> => {
  const rows = paced.flatMap(({ ids, everyMs }) => ids.map((id) => ({ id, everyMs })));
  return sql`
    insert into campaign_devices (campaign_id, device_id, every_ms, spot_ms, due_before)
    select ${campaignId}::uuid, t.id, t.every_ms, ${spotMs}, coalesce(s.spots, 0)
    from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ everyMs }) => everyMs)}::bigint[]) t(id, every_ms)
      left join campaign_sums s on s.campaign_id = ${campaignId} and s.device_id = t.id
    on conflict (campaign_id, device_id) do update set every_ms = excluded.every_ms`.execute(trx);
};

/**
 * Books frozen creatives on the target: every screen-hour has room, or nothing is booked. The caller holds `shareStanding`,
 * so that no group gets another filter meanwhile.
 */
async function book(
  trx: Db,
  actor: Viewer & Actor,
  campaign: HeldCampaign,
  creatives: readonly FrozenCreative[],
  target: Target,
  reached: Reached,
): Promise<void> {
  // Its group may have got another filter since it was written.
  if (campaign.standing) await requireStanding(trx, actor, target.devices);
  const ids = await holdTarget(trx, target, reached);
  const spotMs = meanSpotMs(creatives.map((creative) => creative.spotMs));
  // The condition once more: a device that was handed over while this waited for it is left out.
  const held = sql<boolean>`(d.id = any(${ids}::uuid[]) and ${reached.chosen})`;
  const { paced, plays } = await requireRoom(trx, actor, campaign, spotMs, held, reached.isSeen);
  const carriers = paced.flatMap((each) => each.ids);
  const releaseIds = await releaseCampaign(trx, actor, campaign, creatives, carriers);
  await insertDevices(trx, campaign.id, paced, spotMs);
  await noteCreatives(trx, campaign.id, creatives, releaseIds);
  await trx
    .updateTable('campaigns')
    .set({
      state: 'booked',
      ordered: plays,
      forecast: plays,
      remark: null,
      decided_at: new Date(),
      decided_by: actor.id,
      updated_at: new Date(),
    })
    .where('id', '=', campaign.id)
    .execute();
}

/**
 * Books a campaign directly on devices in scope.
 * @throws `CAMPAIGN_STATE`, `CHANGED_MEANWHILE`, `STANDING_FILTER`, `NO_ROOM`, `NO_PLAYS`, `NO_DEVICES`, `NOT_FOUND` (a device or the group)
 */
export const bookCampaign = (deps: Deps, viewer: Viewer, id: string, seen: string | undefined): Promise<Campaign> =>
  actingAs(deps.db, viewer, LEADING, async (trx, actor) => {
    await holdPeopleAndAds(trx, id);
    await shareStanding(trx);
    const campaign = await holdCampaign(trx, actor, id);
    requireAction(campaign, 'book');
    requireSeen(campaign, seen);
    requireFuture(campaign.schedule);
    const target = await targetOf(trx, campaign);
    const reached = await reach(trx, actor, target);
    // What only a superior can book has to be requested.
    if (!reached.isSeen) throw new AppError('NOT_FOUND');
    await book(trx, actor, campaign, await freezeCreatives(deps, trx, actor, id), target, reached);
    await recordCampaign(trx, actor, campaign, { action: 'campaigns.book' });
    return getCampaign(trx, actor, id);
  });

/**
 * Requests a campaign: what its ads show now is what can be approved.
 * @throws `CAMPAIGN_STATE`, `CHANGED_MEANWHILE`, `NO_ROOM`, `NO_PLAYS`, `NO_DEVICES`, `NOT_FOUND` (a device or the group)
 */
export const requestCampaign = (deps: Deps, viewer: Viewer, id: string, seen: string | undefined): Promise<Campaign> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    await holdPeopleAndAds(trx, id);
    const campaign = await holdCampaign(trx, actor, id);
    requireAction(campaign, 'request');
    requireSeen(campaign, seen);
    requireFuture(campaign.schedule);
    const { chosen, isSeen } = await reach(trx, actor, await targetOf(trx, campaign));
    const { rows } = await sql`select from devices_now d where ${chosen} limit 1`.execute(trx);
    if (rows.length === 0) throw new AppError('NO_DEVICES');
    const creatives = await freezeCreatives(deps, trx, actor, id);
    const spotMs = meanSpotMs(creatives.map((creative) => creative.spotMs));
    await requireRoom(trx, actor, campaign, spotMs, chosen, isSeen);
    await noteCreatives(trx, id, creatives);
    await checkSoon(deps, trx, creatives);
    await trx
      .updateTable('campaigns')
      .set({
        state: 'requested',
        requested_at: new Date(),
        requested_by: actor.id,
        remark: null,
        decided_at: null,
        decided_by: null,
        updated_at: new Date(),
      })
      .where('id', '=', id)
      .execute();
    await recordCampaign(trx, actor, campaign, { action: 'campaigns.request' });
    return getCampaign(trx, actor, id);
  });

/** What hinders a freeze, that is, has changed since the request. */
const isGone = (error: unknown): boolean =>
  error instanceof AppError && ['NOT_FOUND', 'EMPTY_AD', 'FILE_NOT_READY'].includes(error.error);

/** The creatives exactly as they were requested. Throws `CHANGED_MEANWHILE`. */
async function asRequested(deps: Deps, trx: Db, actor: Viewer, id: string): Promise<FrozenCreative[]> {
  const creatives = await freezeCreatives(deps, trx, actor, id).catch((error: unknown) => {
    throw isGone(error) ? new AppError('CHANGED_MEANWHILE') : error;
  });
  if (!(await isAsRequested(trx, id, creatives))) throw new AppError('CHANGED_MEANWHILE');
  return creatives;
}

/** The devices that the actor may decide on. Throws `NOT_APPROVABLE` if they are not in scope. */
async function decidable(trx: Db, actor: Actor, target: Target): Promise<Reached> {
  const reached = await reach(trx, actor, target).catch((error: unknown) => {
    throw isGone(error) ? new AppError('NOT_APPROVABLE', { reason: 'target' }) : error;
  });
  if (!reached.isSeen) throw new AppError('NOT_APPROVABLE', { reason: 'scope' });
  return reached;
}

/**
 * Approves what was requested, as it was requested, and books it. People who may not book the devices directly cannot
 * approve either, so nobody else approves their own requests.
 * @throws `NOT_APPROVABLE`, `CHANGED_MEANWHILE`, `STANDING_FILTER`, `NO_ROOM`, `NO_PLAYS`, `NO_DEVICES`
 */
export const approveCampaign = (deps: Deps, viewer: Viewer, id: string, seen: string | undefined): Promise<Campaign> =>
  actingAs(deps.db, viewer, LEADING, async (trx, actor) => {
    const { requested_by: requester } = await readCampaign(trx, actor, id);
    const person = requester === null ? undefined : await findActor(trx, requester);
    await holdPeopleAndAds(trx, id);
    await shareStanding(trx);
    const campaign = await holdCampaign(trx, actor, id);
    requireRequested(campaign);
    requireSeen(campaign, seen);
    if (campaign.requested_by !== requester) throw new AppError('CHANGED_MEANWHILE');
    if (!person) throw new AppError('NOT_APPROVABLE', { reason: 'requester' });
    requireFuture(campaign.schedule);
    const target = await targetOf(trx, campaign);
    const reached = await decidable(trx, actor, target);
    await book(trx, actor, campaign, await asRequested(deps, trx, actor, id), target, reached);
    await recordCampaign(trx, actor, campaign, { action: 'campaigns.approve' });
    return getCampaign(trx, actor, id);
  });
