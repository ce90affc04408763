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
import { sql } from 'kysely';
import type { z } from 'zod';
import { isReporting } from '../devices/verdict.service.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { type Db, iso, userRef } from '../platform/database/database.ts';
import { byMac, newestFirst } from '../platform/database/page.ts';
import { publish } from '../platform/events/events.ts';

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

/** How many devices of a takeover `r` that are in scope are `isShown`: its plays are read, not those of each device. */
const shownCount = (viewer: Scoped) => sql<number>`
  case when ${state} = 'ended' then (
    select count(distinct s.device_id) from ${itsPlays}
      join release_devices rd on rd.release_id = r.id and rd.device_id = s.device_id join devices d on d.id = s.device_id
    where i.release_id = r.id and ${belongs} and ${inScope(viewer, sql`d.owner_id`)}) else 0 end`;

const counts = (viewer: Scoped) => sql<Takeover['counts']>`
  (select jsonb_build_object('total', count(*), 'ready', count(*) filter (where ${isReady}),
      'told', count(*) filter (where ${isTold}), 'showing', count(*) filter (where ${isShowing}),
      'shown', ${shownCount(viewer)})
    from release_devices rd join devices_now d on d.id = rd.device_id
    where rd.release_id = r.id and ${belongs} and ${inScope(viewer, sql`d.owner_id`)})`;

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
    .select(counts(viewer).as('counts'))
    .where('r.priority', '=', 'takeover')
    .where(inScope(viewer, sql`r.owner_id`));

export const findTakeover = (db: Db, viewer: Scoped, id: string): Promise<Takeover | undefined> =>
  selectTakeovers(db, viewer).where('r.id', '=', id).executeTakeFirst();

/** Takeovers in scope, newest first. */
export function listTakeovers(
  db: Db,
  viewer: Scoped,
  query: z.output<typeof takeovers.list.query>,
): Promise<Page<Takeover>> {
  let chosen = selectTakeovers(db, viewer);
  if (query.ad) chosen = chosen.where('r.ad_id', '=', query.ad);
  if (query.state) chosen = chosen.where(sql<boolean>`${state} = ${query.state}`);
  return newestFirst(chosen, query, sql`r.released_at`, sql`r.id`);
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

/**
 * Tells the devices of takeovers that were just withdrawn, and remembers which devices never knew of them, and which were
 * not ready.
 */
export async function closeTakeovers(trx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update release_devices rd set withdrawn_at = case when not ${isTold} then r.withdrawn_at end, missed = not ${isReady}
    from releases r, devices_now d
    where r.id = any(${ids}::uuid[]) and rd.release_id = r.id and d.id = rd.device_id and rd.withdrawn_at is null
      and not (${isTold} and ${isReady})`.execute(trx);
  await publish(trx, { topic: 'takeover', ids: [...ids] });
}
