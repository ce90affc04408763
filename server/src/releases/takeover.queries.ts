import './releases.tables.ts';
import {
  type Page,
  type PageQuery,
  type Takeover,
  type TakeoverDevice,
  type takeovers,
  takeoverVersion,
  type UserRef,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { isReporting } from '../devices/verdict.service.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { type Db, iso, userRef } from '../platform/database/database.ts';
import { byMac, newestFirst } from '../platform/database/page.ts';
import { counted, pending } from './releases.queries.ts';

/** Whether a device `d` (`devices_now`) reports that it plays a release `r`. */
const isShowing = sql<boolean>`coalesce(${isReporting} and r.id::text in (
  d.playing -> 'main' ->> 'releaseId', d.playing -> 'secondary' ->> 'releaseId'), false)`;

/**
 * Whether a device `d` has reported a manifest that contains a takeover `r` (`rd`) which has started, or the takeover as
 * the server pushed it.
 */
const isTold = sql<boolean>`coalesce(r.ends_at is not null and rd.withdrawn_at is null and (
  (d.reported_revision >= rd.revision and rd.started_at >= coalesce(r.rank_at, r.released_at)) or d.reported_version = ${sql.lit(takeoverVersion(''))} || r.id::text or ${isShowing}), false)`;

const isReady = sql<boolean>`(coalesce(d.done_revision >= rd.revision and not rd.missed, false) or ${isShowing})`;

/** A device that was taken away while the takeover ran has no part in it; at its end those are marked that never knew. */
const belongs = sql<boolean>`(rd.withdrawn_at is null or rd.withdrawn_at = r.withdrawn_at)`;

const state = sql<Takeover['state']>`case
  when r.withdrawn_at is not null or r.ends_at <= now() then 'ended'
  when r.ends_at is null then 'prepared' else 'running' end`;

/** Days of plays of a release `r`, by their items: of this release alone. */
const itsPlays = sql`play_items i join play_item_days s on s.item_id = i.id`;

/** Whether a takeover `r` has ended, and plays of it on a device `d` are reported. Days are those of the device's clock. */
const isShown = sql<boolean>`(${state} = 'ended' and exists (
  select from ${itsPlays} where i.release_id = r.id and s.device_id = d.id
    and s.day between coalesce(r.rank_at, r.released_at)::date - 1 and coalesce(r.withdrawn_at, now())::date + 1))`;

type Uncounted = Omit<Takeover, 'counts'>;

/**
 * Adds how far the devices of takeovers are, in one pass for all. Devices that a takeover is on its way to count as well.
 * Those that showed an ended one are counted from its plays: they are read, not the plays of each device.
 */
async function withCounts(db: Db, viewer: Scoped, found: readonly Uncounted[]): Promise<Takeover[]> {
  if (found.length === 0) return [];
  const idsOf = (takeovers: readonly Uncounted[]) => sql`any(${takeovers.map(({ id }) => id)}::uuid[])`;
  const { rows } = await sql<Takeover['counts'] & { id: string }>`
    with players as materialized (
      select distinct i.release_id, s.device_id from ${itsPlays}
      where i.release_id = ${idsOf(found.filter(({ state: is }) => is === 'ended'))}
    )
    select r.id, coalesce(n.total, 0) + ${pending(viewer)} as total, coalesce(n.ready, 0) as ready,
      coalesce(n.told, 0) as told, coalesce(n.showing, 0) as showing, coalesce(n.shown, 0) as shown
    from releases r left join (
      select id, count(*) as total, count(*) filter (where ready) as ready, count(*) filter (where told) as told,
        count(*) filter (where showing) as showing, count(player) as shown
      from (
        select r.id, ${isReady} as ready, ${isTold} as told, ${isShowing} as showing, p.device_id as player
        from releases r join release_devices rd on rd.release_id = r.id join devices_now d on d.id = rd.device_id
          left join players p on p.release_id = rd.release_id and p.device_id = rd.device_id
        where r.id = ${idsOf(found)} and ${belongs} and ${inScope(viewer, sql`d.owner_id`)}
      ) states group by id
    ) n on n.id = r.id
    where r.id = ${idsOf(found)}`.execute(db);
  return counted(found, rows);
}

const selectTakeovers = (db: Db, viewer: Scoped) =>
  db
    .selectFrom('releases as r')
    .select('r.id')
    .select(sql<Takeover['ad']>`jsonb_build_object('id', r.ad_id, 'name', r.ad_name)`.as('ad'))
    .select(userRef<UserRef | null>(sql`r.operator_id`).as('operator'))
    .select(state.as('state'))
    .select(iso(sql`r.released_at`).as('createdAt'))
    .select(
      iso(sql`case when r.ends_at is not null then coalesce(r.rank_at, r.released_at) end`)
        .$castTo<string | null>()
        .as('startedAt'),
    )
    .select(
      iso(sql`r.ends_at`)
        .$castTo<string | null>()
        .as('endsAt'),
    )
    .select(
      iso(sql`least(r.withdrawn_at, case when r.ends_at <= now() then r.ends_at end)`)
        .$castTo<string | null>()
        .as('endedAt'),
    )
    .select(userRef<UserRef | null>(sql`r.withdrawn_by`).as('endedBy'))
    .where('r.priority', '=', 'takeover')
    .where(inScope(viewer, sql`r.owner_id`));

/** A takeover in scope whose devices nobody counted: that takes most of the time of reading it. */
export const findUncountedTakeover = (db: Db, viewer: Scoped, id: string): Promise<Uncounted | undefined> =>
  selectTakeovers(db, viewer).where('r.id', '=', id).executeTakeFirst();

/** How many devices a takeover is on or on its way to: `total` in scope, and on how many `others` it is. */
export async function countDevices(db: Db, viewer: Scoped, id: string): Promise<{ total: number; others: number }> {
  const { rows } = await sql<{ total: number; others: number }>`
    select n.total + ${pending(viewer)} as total, n.others
    from releases r cross join lateral (
      select count(*) filter (where mine) as total, count(*) filter (where not mine) as others
      from (
        select ${inScope(viewer, sql`d.owner_id`)} as mine
        from release_devices rd join devices d on d.id = rd.device_id where rd.release_id = r.id and ${belongs}
      ) devices
    ) n where r.id = ${id}`.execute(db);
  return rows[0] ?? { total: 0, others: 0 };
}

export async function findTakeover(db: Db, viewer: Scoped, id: string): Promise<Takeover | undefined> {
  const found = await findUncountedTakeover(db, viewer, id);
  return found && (await withCounts(db, viewer, [found]))[0];
}

/** Takeovers in scope, newest first. */
export async function listTakeovers(
  db: Db,
  viewer: Scoped,
  query: z.output<typeof takeovers.list.query>,
): Promise<Page<Takeover>> {
  let chosen = selectTakeovers(db, viewer);
  if (query.ad) chosen = chosen.where('r.ad_id', '=', query.ad);
  if (query.state) chosen = chosen.where(sql<boolean>`${state} = ${query.state}`);
  const page = await newestFirst(chosen, query, sql`r.released_at`, sql`r.id`);
  return { ...page, items: await withCounts(db, viewer, page.items) };
}

/** The devices of a takeover that are in scope, by MAC. */
export function listTakeoverDevices(
  db: Db,
  viewer: Scoped,
  id: string,
  query: PageQuery & { showing?: boolean | undefined },
): Promise<Page<TakeoverDevice>> {
  let chosen = db
    .selectFrom('release_devices as rd')
    .innerJoin('releases as r', 'r.id', 'rd.release_id')
    .innerJoin('devices_now as d', 'd.id', 'rd.device_id')
    .select(['d.id', 'd.mac', 'd.name', 'd.online', 'd.expired'])
    .select([isReady.as('ready'), isTold.as('told'), isShowing.as('showing'), isShown.as('shown')])
    .where('r.id', '=', id)
    .where(belongs)
    .where(inScope(viewer, sql`d.owner_id`));
  if (query.showing !== undefined) chosen = chosen.where(sql<boolean>`${isShowing} = ${query.showing}`);
  return byMac(chosen, query);
}

/** Notes which devices `rd` of a condition never learned of takeovers `r` that were withdrawn, and which were not ready. */
export const closeTakeovers = (trx: Db, chosen: RawBuilder<boolean>): Promise<unknown> =>
  sql`
    update release_devices rd set withdrawn_at = case when not ${isTold} then r.withdrawn_at end, missed = not ${isReady}
    from releases r, devices_now d
    where ${chosen} and r.id = rd.release_id and r.priority = 'takeover' and d.id = rd.device_id
      and rd.withdrawn_at is null and not (${isTold} and ${isReady})`.execute(trx);
