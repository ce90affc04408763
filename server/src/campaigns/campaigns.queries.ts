import './campaigns.tables.ts';
import {
  ACTIONS_IN,
  AppError,
  type Campaign,
  CAMPAIGN_SORTS,
  type CampaignAction,
  type CampaignGoal,
  type campaigns,
  type Page,
  sortingOf,
  type UserRef,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { sideOfGroup } from '../groups/groups.service.ts';
import { holdUsers } from '../platform/auth/authority.ts';
import { inScope, inScopeEach, type Scoped } from '../platform/auth/scope.ts';
import { contains, type Db, iso, userRef } from '../platform/database/database.ts';
import { newestFirst, type SortColumn, sorted } from '../platform/database/page.ts';
import { lockAdsOf } from '../releases/standing.service.ts';
import { hasBegun, isPast, isShort } from './short.ts';
import { priceOf } from './columns.sql.ts';
import { sideOfTarget } from './target.service.ts';

/** How many campaigns that a user requested were rejected, and not changed or requested again since. */
export const rejectedCampaigns = ({ id }: Scoped): RawBuilder<number> => sql<number>`
  (select count(*) from campaigns c where c.requested_by = ${id} and c.state = 'rejected')`;

/** A creative whose ad is gone or not the version that was requested. */
const isChanged = sql<boolean>`exists (
  select from campaign_creatives k left join ads a on a.id = k.ad_id
  where k.campaign_id = c.id and (a.id is null or date_trunc('milliseconds', a.updated_at) is distinct from k.ad_version))`;

const creatives = sql<Campaign['creatives']>`(
  select jsonb_agg(jsonb_build_object('releaseId', k.release_id, 'spotMs', k.spot_ms, 'ad',
      case when k.ad_id is not null then jsonb_build_object('id', k.ad_id, 'name', coalesce(a.name, k.ad_name)) end)
    order by k.position)
  from campaign_creatives k left join ads a on a.id = k.ad_id where k.campaign_id = c.id)`;

const phase = sql<Campaign['phase']>`case when c.state = 'booked' then case
  when not ${hasBegun} then 'upcoming' when ${isPast} then 'completed' else 'running' end end`;

/** Kept by the job that re-plans: a list reads no plays. */
const progress = sql<Campaign['progress']>`case when c.ordered is not null and (${hasBegun} or c.short > 0) then
  jsonb_build_object('delivered', c.delivered, 'due', c.due, 'forecast', c.forecast, 'short', c.short) end`;

const time = (column: string): RawBuilder<string | null> => sql<string | null>`${iso(sql.ref(`c.${column}`))}`;

/** A group is for those who have chosen it, are above them, or may choose it: others do not learn its name. */
const isGroupSeen = (viewer: Scoped) => sql<boolean>`(
  ${inScope(viewer, sql`c.target_by`)} or ${sideOfGroup(viewer, sql`c.group_id`)} is not null)`;

/** Ids are for people who may see the devices: those above who chose them. */
const target = (viewer: Scoped) => sql<Campaign['devices']>`case
  when c.target ? 'group' then case when c.group_id is not null and ${isGroupSeen(viewer)} then c.target end
  when ${inScope(viewer, sql`c.target_by`)} then c.target end`;

const selectCampaigns = (db: Db, viewer: Scoped) =>
  db
    .selectFrom('campaigns as c')
    .select(['c.id', 'c.name', 'c.state', 'c.orientation', 'c.standing', 'c.schedule', 'c.ordered', 'c.remark'])
    .select('c.customer_id as customerId')
    .select(userRef<UserRef>(sql`c.customer_id`).as('customer'))
    .select(phase.as('phase'))
    .select(progress.as('progress'))
    .select(creatives.as('creatives'))
    .select(sql<boolean>`c.state = 'requested' and ${isChanged}`.as('changed'))
    .select(target(viewer).as('devices'))
    .select(sideOfTarget(viewer).as('side'))
    .select(sql<boolean>`(c.decided_by is null or ${inScope(viewer, sql`c.decided_by`)})`.as('isEnder'))
    .select(
      sql<Campaign['group']>`(
        select jsonb_build_object('id', g.id, 'name', g.name) from groups g
        where g.id = c.group_id and ${isGroupSeen(viewer)})`.as('group'),
    )
    .select(sql<number>`(select count(*) from campaign_devices cd where cd.campaign_id = c.id)`.as('deviceCount'))
    .select(sql<CampaignGoal>`jsonb_build_object('kind', c.goal_kind, 'value', c.goal_value)`.as('goal'))
    .select(priceOf.as('price'))
    .select(userRef<UserRef | null>(sql`c.created_by`).as('createdBy'))
    .select(userRef<UserRef | null>(sql`c.requested_by`).as('requestedBy'))
    .select(userRef<UserRef | null>(sql`c.decided_by`).as('decidedBy'))
    .select(userRef<UserRef | null>(sql`c.cancelled_by`).as('cancelledBy'))
    .select(iso(sql`c.created_at`).as('createdAt'))
    .select(iso(sql`c.updated_at`).as('updatedAt'))
    .select(time('requested_at').as('requestedAt'))
    .select(time('decided_at').as('decidedAt'))
    .select(time('cancelled_at').as('cancelledAt'))
    .where(inScope(viewer, sql`c.customer_id`));

type Row = Awaited<ReturnType<ReturnType<typeof selectCampaigns>['executeTakeFirstOrThrow']>>;

/** The actions that the server accepts, as far as this is known in advance. */
function actionsOf({ state, ordered, side, isEnder }: Row, viewer: Scoped): CampaignAction[] {
  const leads = viewer.role === 'leading';
  const allowed: Record<CampaignAction, boolean> = {
    update: true,
    // What was booked is kept: its plays are to be accounted for.
    delete: ordered === null,
    request: side !== null,
    approve: leads && side === 'own',
    reject: leads,
    book: leads && side === 'own',
    cancel: state !== 'booked' || (leads && isEnder),
  };
  return ACTIONS_IN[state].filter((action) => allowed[action]);
}

function toCampaign(row: Row, viewer: Scoped): Campaign {
  const { side: _side, isEnder: _isEnder, ...campaign } = row;
  return {
    ...campaign,
    adIds: row.creatives.flatMap(({ ad }) => ad?.id ?? []),
    actions: actionsOf(row, viewer),
  };
}

/** One campaign in scope. Throws `NOT_FOUND`. */
export async function getCampaign(db: Db, viewer: Scoped, id: string): Promise<Campaign> {
  const row = await selectCampaigns(db, viewer).where('c.id', '=', id).executeTakeFirst();
  if (!row) throw new AppError('NOT_FOUND');
  return toCampaign(row, viewer);
}

type ListQuery = z.output<typeof campaigns.list.query>;

const SORTS: Record<(typeof CAMPAIGN_SORTS)[number], SortColumn> = {
  name: { column: sql`c.name`, type: 'name' },
  customer: { column: sql`o.username_key`, type: 'word' },
  from: { column: sql`c.starts_on::timestamp at time zone 'UTC'`, type: 'time' },
  createdAt: { column: sql`c.created_at`, type: 'time' },
};

const isApprovable = (viewer: Scoped): RawBuilder<boolean> =>
  sql<boolean>`(c.state = 'requested' and ${viewer.role === 'leading'} and ${sideOfTarget(viewer)} is not distinct from 'own')`;

function* conditionsOf(viewer: Scoped, query: ListQuery): Generator<RawBuilder<boolean>> {
  const { customer, state, q, from, to, short, approvable } = query;
  if (customer) yield sql<boolean>`c.customer_id = ${customer}`;
  if (state) yield sql<boolean>`c.state = ${state}`;
  if (q) yield sql<boolean>`c.name ilike ${contains(q)}`;
  if (from) yield sql<boolean>`c.ends_on >= ${from}::date`;
  if (short !== undefined) yield short ? isShort : sql<boolean>`not ${isShort}`;
  if (approvable !== undefined) yield approvable ? isApprovable(viewer) : sql<boolean>`not ${isApprovable(viewer)}`;
  if (to) yield sql<boolean>`c.starts_on <= ${to}::date`;
}

/** Campaigns in scope, newest first unless the query has another order. */
export async function listCampaigns(db: Db, viewer: Scoped, query: ListQuery): Promise<Page<Campaign>> {
  const chosen = selectCampaigns(db, viewer).where(
    sql<boolean>`(${sql.join([sql`true`, ...conditionsOf(viewer, query)], sql` and `)})`,
  );
  const sorting = sortingOf(CAMPAIGN_SORTS, query.sort);
  const page = await (sorting
    ? sorted(chosen.innerJoin('users as o', 'o.id', 'c.customer_id'), query, sorting, SORTS[sorting.key], sql`c.id`)
    : newestFirst(chosen, query, sql`c.created_at`, sql`c.id`));
  return { ...page, items: page.items.map((row) => toCampaign(row, viewer)) };
}

/** What a change needs to know of a campaign, which is held until the transaction ends. */
const HELD = [
  'id',
  'name',
  'state',
  'customer_id',
  'target',
  'target_by',
  'group_id',
  'schedule',
  'standing',
  'ordered',
  'make_goods',
  'short',
  'short_since',
  'due',
  'cancelled_at',
  'updated_at',
  'requested_by',
  'decided_by',
] as const;

const selectHeld = (db: Db, viewer: Scoped, id: string) =>
  db
    .selectFrom('campaigns as c')
    .select(HELD)
    .select(sql<CampaignGoal>`jsonb_build_object('kind', c.goal_kind, 'value', c.goal_value)`.as('goal'))
    .where('c.id', '=', id)
    .where(inScopeEach(viewer, sql`c.customer_id`));

export type HeldCampaign = Awaited<ReturnType<ReturnType<typeof selectHeld>['executeTakeFirstOrThrow']>>;

/** Holds the customer of a campaign, the owners of its ads, and these ads. Call it first. */
export async function holdPeopleAndAds(trx: Db, id: string): Promise<void> {
  const shown = sql`from campaign_creatives k join ads a on a.id = k.ad_id where k.campaign_id = ${id}`;
  await holdUsers(trx, sql`select customer_id from campaigns where id = ${id} union all select a.owner_id ${shown}`);
  await lockAdsOf(trx, sql`select a.id ${shown}`);
}

/** Holds campaigns in the order of their ids, before their releases and devices: nobody else changes them meanwhile. */
export const holdCampaigns = (trx: Db, ids: readonly string[]): Promise<unknown> =>
  sql`select from campaigns where id = any(${ids}::uuid[]) order by id for no key update`.execute(trx);

/** A campaign in scope as it is now, held by nobody. Throws `NOT_FOUND`. */
export async function readCampaign(db: Db, viewer: Scoped, id: string): Promise<HeldCampaign> {
  const campaign = await selectHeld(db, viewer, id).executeTakeFirst();
  if (!campaign) throw new AppError('NOT_FOUND');
  return campaign;
}

/**
 * Holds a campaign in scope: nobody else changes it until the transaction ends. Plays of it are counted meanwhile: they
 * hold their device before the campaign. Throws `NOT_FOUND`.
 */
export async function holdCampaign(trx: Db, viewer: Scoped, id: string): Promise<HeldCampaign> {
  const campaign = await selectHeld(trx, viewer, id).forNoKeyUpdate().executeTakeFirst();
  if (!campaign) throw new AppError('NOT_FOUND');
  return campaign;
}
