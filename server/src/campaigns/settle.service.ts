import './campaigns.tables.ts';
import type { GroupFilter } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { undoableReleases } from '../devices/batch.service.ts';
import { type Actor, findActor } from '../platform/auth/authority.ts';
import type { Db } from '../platform/database/database.ts';
import { changed, publish } from '../platform/events/events.ts';
import { runSteps } from '../platform/jobs/steps.ts';
import type { Deps } from '../platform/process/deps.ts';
import { endCampaign, holdCarriers, holdDevices, joinCampaign, leaveCampaign } from '../releases/campaign.service.ts';
import { lockAdsOf, requireLasting } from '../releases/standing.service.ts';
import { insertDevices } from './booking.service.ts';
import { type HeldCampaign, holdCampaign, holdCampaigns } from './campaigns.queries.ts';
import { findOrders } from './delivery.queries.ts';
import { afterLastDay, evenPart, measure, type Paced, pledge } from './pledge.ts';
import { findParts } from './flight.ts';
import { addOrders, correctOrders, endOrders } from './joined.service.ts';
import { tellCampaign } from './progress.service.ts';
import { isOpen } from './short.ts';
import { reach, targetOf } from './target.service.ts';

/** A release `r` of a campaign `c` that plays, or will. */
const isLive = sql<boolean>`(r.campaign_id = c.id and r.withdrawn_at is null)`;

interface Changed {
  id: string;
  owner_id: string;
}

/** A query of the campaigns (`campaign_id`) that devices (`device_id`) get back if the batch that took them is undone. */
const undoable = sql`
  select r.campaign_id, u.device_id from (${undoableReleases}) u join releases r on r.id = u.release_id
  where r.campaign_id is not null`;

/** A campaign `c` of which nothing is left: no creative, or, unless it is standing, no device from which it was not taken. */
const isOver = sql<boolean>`((not exists (select from releases r where ${isLive}) or (not c.standing
  and exists (select from releases r join release_devices rd on rd.release_id = r.id where ${isLive})
  and not exists (
    select from releases r join release_devices rd on rd.release_id = r.id
    where ${isLive} and rd.withdrawn_at is null)))
  and c.id not in (select campaign_id from (${undoable}) u))`;

/** A device `cd` that shows nothing of its booked campaign `c`. */
const hasLeft = sql<boolean>`(c.id = cd.campaign_id and ${isOpen} and not exists (
  select from releases r join release_devices rd on rd.release_id = r.id
  where ${isLive} and rd.device_id = cd.device_id and rd.withdrawn_at is null)
  and (cd.campaign_id, cd.device_id) not in (${undoable}))`;

/**
 * Devices that no longer show anything of a campaign, because they were handed over or an operator withdrew it, do not
 * carry it: their time can be sold again.
 */
const releaseTime = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows: found } = await sql<{ campaignId: string; deviceId: string }>`
      select cd.campaign_id as "campaignId", cd.device_id as "deviceId" from campaign_devices cd, campaigns c
      where ${hasLeft}`.execute(trx);
    const campaignIds = found.map(({ campaignId }) => campaignId);
    const deviceIds = found.map(({ deviceId }) => deviceId);
    await holdCampaigns(trx, campaignIds);
    // Waits for withdrawals that are being undone: their devices show the campaign again.
    await holdDevices(trx, deviceIds);
    const { rows: left } = await sql<Changed>`
      delete from campaign_devices cd using campaigns c where ${hasLeft} and (cd.campaign_id, cd.device_id) in (
        select * from unnest(${campaignIds}::uuid[], ${deviceIds}::uuid[]))
      returning c.id, c.customer_id as owner_id`.execute(trx);
    const ofId = new Map(left.map((row) => [row.id, row]));
    await publish(trx, ...changed('campaign', [...ofId.values()]));
  });

/** Cancels campaigns of which nothing is left. */
const cancelEmpty = (db: Db): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const { rows: found } = await sql<{ id: string }>`
      select c.id from campaigns c where ${isOpen} and ${isOver}`.execute(trx);
    const ids = found.map(({ id }) => id);
    await lockAdsOf(
      trx,
      sql`select ad_id from releases where withdrawn_at is null and campaign_id = any(${ids}::uuid[])`,
    );
    await holdCampaigns(trx, ids);
    const { rows: cancelled } = await sql<Changed>`
      update campaigns c set state = 'cancelled', cancelled_at = now(), updated_at = now(), short = 0, short_since = null
      where c.id = any(${ids}::uuid[]) and ${isOpen} and ${isOver}
      returning c.id, c.customer_id as owner_id`.execute(trx);
    for (const { id } of cancelled) await endCampaign(trx, undefined, id);
    await publish(trx, ...changed('campaign', cancelled));
  });

/** Takes campaigns off their devices whose flight is over everywhere on Earth: programmes and files are no longer needed there. */
async function endFlights({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct c.id from releases r join campaigns c on c.id = r.campaign_id
    where r.campaign_id is not null and r.withdrawn_at is null and c.state = 'booked' and not ${isOpen}`.execute(db);
  for (const { id } of rows) {
    await db
      .transaction()
      .execute((trx) => endCampaign(trx, undefined, id))
      .catch((error: unknown) => log.warn({ err: error, campaign: id }, 'campaign not ended on its devices'));
  }
}

interface Follower {
  id: string;
  actorId: string;
}

/**
 * The devices that join a standing campaign, and those that carry or refuse it and match it no more. A device from which
 * an operator took it back refuses it for as long as it matches.
 */
async function compare(trx: Db, actor: Actor, campaign: HeldCampaign, releaseIds: readonly string[]) {
  const { chosen } = await reach(trx, actor, await targetOf(trx, campaign));
  const { rows } = await sql<{ id: string; matches: boolean; carries: boolean; refuses: boolean }>`
    select id, bool_or(matches) as matches, bool_or(carries) as carries, bool_or(refuses) as refuses from (
      select d.id, true as matches, false as carries, false as refuses from devices_now d where ${chosen}
      union all
      select device_id, false, true, false from campaign_devices where campaign_id = ${campaign.id}
      union all
      select device_id, false, false, true from release_devices
      where release_id = any(${releaseIds}::uuid[]) and withdrawn_at is not null and not unmatched
    ) known group by id order by id`.execute(trx);
  const idsOf = (isChosen: (row: (typeof rows)[number]) => boolean) => rows.filter(isChosen).map(({ id }) => id);
  return {
    joining: idsOf(({ matches, carries, refuses }) => matches && !carries && !refuses),
    leaving: idsOf(({ matches }) => !matches),
  };
}

/** The paces of devices that join: that of the goal, if they have room, or an even part of what is left of a total. */
async function pacesOf(trx: Db, { id, goal, schedule }: HeldCampaign, spotMs: number, ids: string[]): Promise<Paced[]> {
  const on = async (chosen: RawBuilder<boolean>) => {
    const parts = await findParts(trx, chosen, schedule);
    return measure(
      parts.filter((part) => !part.isOver),
      afterLastDay(goal),
    );
  };
  const joining = await on(sql<boolean>`d.id = any(${ids}::uuid[])`);
  if (goal.kind !== 'total') {
    return joining.flatMap((each) => {
      const plan = pledge(goal, spotMs, [each]);
      return plan.isFeasible ? plan.paced : [];
    });
  }
  const carrying = await on(sql<boolean>`d.id in (select device_id from campaign_devices where campaign_id = ${id})`);
  const [order] = await findOrders(trx, sql<boolean>`c.id = ${id}`);
  return evenPart(order ? order.ordered - order.delivered : 0, spotMs, carrying, joining);
}

/** Devices, which the caller holds, join if they have room. Returns how many. */
async function join(
  trx: Db,
  actor: Actor,
  campaign: HeldCampaign,
  releaseIds: string[],
  ids: string[],
): Promise<number> {
  const { rows } = await sql<{ spotMs: number }>`
    select ceil(avg(spot_ms))::integer as "spotMs" from campaign_creatives
    where campaign_id = ${campaign.id} and spot_ms is not null having count(*) > 0`.execute(trx);
  const [known] = rows;
  if (!known) return 0;
  const paced = await pacesOf(trx, campaign, known.spotMs, ids);
  const joined = paced.flatMap((each) => each.ids);
  if (joined.length === 0) return 0;
  await insertDevices(trx, campaign.id, paced, known.spotMs);
  await joinCampaign(trx, actor, releaseIds, joined);
  // A total is for all screens together; other goals are for each of them.
  if (campaign.goal.kind !== 'total') await addOrders(trx, campaign, joined);
  return joined.length;
}

/** Brings one standing campaign to the devices that match now, for the person that booked it. */
async function follow(trx: Db, { id, actorId }: Follower): Promise<void> {
  const actor = await findActor(trx, actorId, { role: 'leading' });
  if (!actor) return;
  const campaign = await holdCampaign(trx, actor, id);
  if (campaign.state !== 'booked') return;
  const { rows } = await sql<{ id: string; owner_id: string }>`
    select r.id, r.owner_id from releases r where r.campaign_id = ${id} and r.withdrawn_at is null
    order by r.id`.execute(trx);
  const releaseIds = rows.map((release) => release.id);
  const { joining, leaving } = await compare(trx, actor, campaign, releaseIds);
  if (releaseIds.length === 0 || joining.length + leaving.length === 0) return;
  await holdCarriers(trx, releaseIds, [...joining, ...leaving]);
  const joined = joining.length > 0 ? await join(trx, actor, campaign, releaseIds, joining) : 0;
  if (leaving.length > 0) {
    await leaveCampaign(trx, actor, releaseIds, leaving);
    await sql`
      delete from campaign_devices where campaign_id = ${id} and device_id = any(${leaving}::uuid[])`.execute(trx);
    await endOrders(trx, campaign);
  }
  // Devices without room match each time, and join none of them: nothing changed.
  if (joined + leaving.length === 0) return;
  await publish(trx, ...changed('release', rows));
  await tellCampaign(trx, id, campaign.customer_id);
}

/**
 * Whether a group can get another filter: devices must not leave a booked campaign that stands on it because they are
 * offline for a moment. Campaigns that are not booked yet are checked then. The caller holds `lockStanding`.
 * @throws `STANDING_FILTER`
 */
export async function checkGroupOfCampaigns(trx: Db, groupId: string, filter: GroupFilter): Promise<void> {
  const { rows } = await sql`
    select from campaigns c
    where c.group_id = ${groupId} and c.standing and ${isOpen} limit 1`.execute(trx);
  if (rows.length > 0) requireLasting(filter);
}

/** Settles what changed around booked campaigns; standing ones follow their filter or group. */
export const settleCampaigns = ({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> =>
  runSteps([
    () => releaseTime(db),
    () => cancelEmpty(db),
    () => endFlights({ db, log }),
    () => followAll({ db, log }),
    () => correctOrders({ db, log }),
  ]);

/** Brings each standing campaign to the devices that match now. */
async function followAll({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  const { rows } = await sql<Follower>`
    select c.id, c.decided_by as "actorId" from campaigns c
    where ${isOpen} and c.standing and c.decided_by is not null
      and (c.group_id is not null or not (c.target ? 'group' or coalesce(c.target -> 'filter', '{}') ? 'group'))`.execute(
    db,
  );
  for (const standing of rows) {
    await db
      .transaction()
      .execute((trx) => follow(trx, standing))
      .catch((error: unknown) => log.warn({ err: error, campaign: standing.id }, 'campaign not settled'));
  }
}

export const CAMPAIGNS_CRON = '* * * * * campaigns_settle';

export const campaignsTasks = (deps: Pick<Deps, 'db' | 'log'>) => ({ campaigns_settle: () => settleCampaigns(deps) });
