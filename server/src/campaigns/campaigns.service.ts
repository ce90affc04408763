import './campaigns.tables.ts';
import {
  ACTIONS_IN,
  addDays,
  AppError,
  type Campaign,
  type CampaignAction,
  type CampaignBody,
  type campaigns,
  type FlightSchedule,
  utcDate,
} from '@ams/contract';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { audit, type AuditLine } from '../platform/auth/audit.ts';
import type { Viewer } from '../platform/auth/auth.ts';
import { type Actor, actingAs } from '../platform/auth/authority.ts';
import { covers } from '../platform/auth/authority.ts';
import type { Scoped } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { invalidField } from '../platform/http/errors.ts';
import { changed, publish } from '../platform/events/events.ts';
import type { Deps } from '../platform/process/deps.ts';
import { endCampaign } from '../releases/campaign.service.ts';
import { getCampaign, type HeldCampaign, holdCampaign, holdPeopleAndAds } from './campaigns.queries.ts';
import { findCreativeAds, setCreatives } from './creatives.service.ts';
import type { FlightPart } from './flight.ts';
import type { Pledge } from './pledge.ts';
import { tellCampaign } from './progress.service.ts';
import { checkTarget, groupOf, writerOf } from './target.service.ts';

type Body = z.output<typeof CampaignBody>;

/** Refuses a flight that is over everywhere on Earth. */
export function requireFuture({ to }: Pick<FlightSchedule, 'to'>): void {
  const yesterday = addDays(utcDate(Date.now()), -1);
  if (to < yesterday) throw isOver();
}

const isOver = (): AppError => invalidField('schedule.to', 'campaign.past');

/** The parts of a flight that are not over. Throws `INVALID` if it is over on all devices. */
export function requireLeft(parts: readonly FlightPart[]): FlightPart[] {
  const left = parts.filter((part) => !part.isOver);
  if (parts.length > 0 && left.length === 0) throw isOver();
  return left;
}

/** Refuses a goal that fits and is not even one play: a fixed price would be charged for nothing. Throws `NO_PLAYS`. */
export function requirePlays({ isFeasible, plays }: Pick<Pledge, 'isFeasible' | 'plays'>): void {
  if (isFeasible && plays === 0) throw new AppError('NO_PLAYS');
}

/** Refuses an action in a state that does not have it. Throws `CAMPAIGN_STATE`. */
export function requireAction({ state }: Pick<HeldCampaign, 'state'>, action: CampaignAction): void {
  if (!ACTIONS_IN[state].includes(action)) throw new AppError('CAMPAIGN_STATE', { state });
}

/** Refuses to act on another version than the one that was seen. Throws `CHANGED_MEANWHILE`. */
export function requireSeen({ updated_at: at }: Pick<HeldCampaign, 'updated_at'>, seen: string | undefined): void {
  if (seen !== undefined && new Date(seen).getTime() !== at.getTime()) throw new AppError('CHANGED_MEANWHILE');
}

/** Notes what was done with a campaign: a line of the audit log in the scope of the customer, and news to open pages. */
export async function recordCampaign(
  trx: Db,
  actor: Pick<Actor, 'id'>,
  { id, name, customer_id: customerId }: Pick<HeldCampaign, 'id' | 'name' | 'customer_id'>,
  line: Pick<AuditLine, 'action' | 'details'>,
): Promise<void> {
  await audit(trx, actor, { ...line, targetId: id, target: name, scopeId: customerId });
  await tellCampaign(trx, id, customerId);
}

const columns = ({ name, devices, standing, schedule, goal, price }: Body) => ({
  name,
  target: JSON.stringify(devices),
  group_id: groupOf(devices) ?? null,
  standing,
  schedule: JSON.stringify(schedule),
  starts_on: schedule.from,
  ends_on: schedule.to,
  goal_kind: goal.kind,
  goal_value: goal.value,
  price_kind: price.kind,
  price_amount: price.amount,
  price_currency: price.currency,
  updated_at: new Date(),
});

/** The ads of a campaign whose devices `by` has written. */
async function checked(deps: Deps, trx: Db, actor: Viewer & Actor, body: Body, customerId: string, by: Scoped) {
  requireFuture(body.schedule);
  const ads = await findCreativeAds(deps, actor, body.adIds, trx);
  await checkTarget(trx, actor, { devices: body.devices, by, customerId }, body.standing);
  return ads;
}

/** Writes a campaign; nothing is booked. Throws `NOT_FOUND` for a customer, an ad, a device or a group. */
export function createCampaign(deps: Deps, viewer: Viewer, body: Body): Promise<Campaign> {
  const customerId = body.customerId ?? viewer.id;
  return actingAs(deps.db, viewer, { owners: [customerId] }, async (trx, actor) => {
    const ads = await checked(deps, trx, actor, body, customerId, actor);
    const id = uuidv7();
    await trx
      .insertInto('campaigns')
      .values({
        id,
        customer_id: customerId,
        created_by: actor.id,
        target_by: actor.id,
        orientation: ads[0]?.orientation ?? 'vertical',
        ...columns(body),
      })
      .execute();
    await setCreatives(trx, id, ads);
    await recordCampaign(trx, actor, { id, name: body.name, customer_id: customerId }, { action: 'campaigns.create' });
    return getCampaign(trx, actor, id);
  });
}

/** Changes a campaign that is not booked; it is a draft again, on the devices of its writer unless others are chosen. Throws `CAMPAIGN_STATE`, `CHANGED_MEANWHILE`. */
export function updateCampaign(
  deps: Deps,
  viewer: Viewer,
  id: string,
  { updatedAt, ...body }: z.output<typeof campaigns.update.body>,
): Promise<Campaign> {
  const owners = body.customerId === undefined ? [] : [body.customerId];
  return actingAs(deps.db, viewer, { owners }, async (trx, actor) => {
    await holdPeopleAndAds(trx, id);
    const campaign = await holdCampaign(trx, actor, id);
    requireAction(campaign, 'update');
    requireSeen(campaign, updatedAt);
    const customerId = body.customerId ?? campaign.customer_id;
    const writer = await writerOf(trx, actor, id, body.devices);
    const ads = await checked(deps, trx, actor, body, customerId, writer);
    await trx
      .updateTable('campaigns')
      .set({
        ...columns(body),
        customer_id: customerId,
        target_by: writer.id,
        orientation: ads[0]?.orientation ?? 'vertical',
        state: 'draft',
        requested_at: null,
        requested_by: null,
      })
      .where('id', '=', id)
      .execute();
    await setCreatives(trx, id, ads);
    await recordCampaign(trx, actor, { ...campaign, name: body.name }, { action: 'campaigns.update' });
    // Its customer before it was given to another one.
    if (customerId !== campaign.customer_id) await tellCampaign(trx, id, customerId);
    return getCampaign(trx, actor, id);
  });
}

/** Deletes a campaign that was never booked. Throws `CAMPAIGN_STATE`. */
export const deleteCampaign = (deps: Deps, viewer: Viewer, id: string): Promise<void> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    await holdPeopleAndAds(trx, id);
    const campaign = await holdCampaign(trx, actor, id);
    requireAction(campaign, 'delete');
    // What was booked is kept: its plays are to be accounted for.
    if (campaign.ordered !== null) throw new AppError('CAMPAIGN_STATE', { state: campaign.state });
    await trx.deleteFrom('campaigns').where('id', '=', id).execute();
    await recordCampaign(trx, actor, campaign, { action: 'campaigns.delete' });
  });

/** Rejects what was requested. Throws `NOT_APPROVABLE`, or `CHANGED_MEANWHILE` if somebody else has decided. */
export const rejectCampaign = (
  deps: Deps,
  viewer: Viewer,
  id: string,
  { remark, updatedAt }: z.output<typeof campaigns.reject.body>,
): Promise<Campaign> =>
  actingAs(deps.db, viewer, { role: 'leading' }, async (trx, actor) => {
    await holdPeopleAndAds(trx, id);
    const campaign = await holdCampaign(trx, actor, id);
    requireRequested(campaign);
    requireSeen(campaign, updatedAt);
    await trx
      .updateTable('campaigns')
      .set({ state: 'rejected', remark, decided_at: new Date(), decided_by: actor.id, updated_at: new Date() })
      .where('id', '=', id)
      .execute();
    await recordCampaign(trx, actor, campaign, { action: 'campaigns.reject', details: { remark } });
    return getCampaign(trx, actor, id);
  });

/** Throws `NOT_APPROVABLE` for what nobody requested, `CHANGED_MEANWHILE` for what somebody else decided. */
export function requireRequested({ state }: Pick<HeldCampaign, 'state'>): void {
  switch (state) {
    case 'requested':
      return;
    case 'booked':
    case 'rejected':
      throw new AppError('CHANGED_MEANWHILE', { state });
    case 'draft':
    case 'cancelled':
      throw new AppError('NOT_APPROVABLE', { reason: state });
  }
}

/** Refuses those who may not end a booked campaign: it is for who booked it, or is above. Throws `LEADING_ONLY`. */
export async function requireMayEnd(trx: Db, actor: Actor, id: string): Promise<void> {
  const isAbove = sql<boolean>`(c.decided_by is null or ${covers(sql`${actor.id}::uuid`, sql`c.decided_by`)})`;
  const { rows } = await sql`
    select from campaigns c
    where c.id = ${id} and (c.state <> 'booked' or (${actor.role === 'leading'} and ${isAbove}))`.execute(trx);
  if (rows.length === 0) throw new AppError('LEADING_ONLY');
}

/**
 * Takes a request back, or ends what is left of a booked flight; what was delivered stays.
 * @throws `LEADING_ONLY` for a booked campaign of a superior, `CAMPAIGN_STATE`
 */
export const cancelCampaign = (deps: Deps, viewer: Viewer, id: string): Promise<Campaign> =>
  actingAs(deps.db, viewer, {}, async (trx, actor) => {
    await holdPeopleAndAds(trx, id);
    const campaign = await holdCampaign(trx, actor, id);
    requireAction(campaign, 'cancel');
    await requireMayEnd(trx, actor, id);
    await trx
      .updateTable('campaigns')
      .set({
        ...{ state: 'cancelled', cancelled_at: new Date(), cancelled_by: actor.id, updated_at: new Date() },
        ...{ short: 0, short_since: null },
      })
      .where('id', '=', id)
      .execute();
    if (campaign.state === 'booked') await endCampaign(trx, actor, id);
    await recordCampaign(trx, actor, campaign, { action: 'campaigns.cancel' });
    return getCampaign(trx, actor, id);
  });

const PEOPLE = ['customer_id', 'created_by', 'target_by', 'decided_by'] as const;

/** Holds the campaigns that name a user who is deleted, in the order of their ids. */
export const holdCampaignsOf = (trx: Db, userId: string): Promise<unknown> =>
  sql`
    select from campaigns where ${userId}::uuid in (requested_by, ${sql.join(PEOPLE.map((column) => sql.ref(column)))})
    order by id for no key update`.execute(trx);

/**
 * A user is deleted: the heir has its campaigns, and answers for those that it wrote and booked. What it requested is a
 * draft again. Those that it wrote for a filter stay where they are and are no longer standing.
 */
export async function handOverCampaigns(trx: Db, from: string, to: string): Promise<void> {
  await sql`
    update campaigns set state = 'draft', requested_at = null, requested_by = null, updated_at = now()
    where state = 'requested' and (customer_id = ${from} or requested_by = ${from})`.execute(trx);
  const { rows } = await sql<{ id: string; owner_id: string }>`
    select c.id, ${to}::uuid as owner_id from campaigns c where c.customer_id = ${from}`.execute(trx);
  // A filter would mean all that the heir has in scope; a group keeps its meaning.
  await sql`
    update campaigns set standing = false where standing and target_by = ${from} and not target ? 'group'`.execute(trx);
  for (const column of PEOPLE) {
    await trx
      .updateTable('campaigns')
      .set({ [column]: to })
      .where(column, '=', from)
      .execute();
  }
  await publish(trx, ...changed('campaign', rows));
}
