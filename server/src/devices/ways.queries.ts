import { macSearch } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { seesAll } from '../platform/auth/scope.ts';
import type { Db } from '../platform/database/database.ts';
import { gramsOf } from '../platform/database/grams.ts';
import { prepared, unweighed } from '../platform/database/prepared.ts';
import { someDark } from './dark.service.ts';
import {
  devicesReleased,
  devicesWith,
  FILTERS,
  isLongWait,
  isShownEach,
  isTagged,
  type ResolvedFilter,
} from './devices.service.ts';
import { OFFLINE_PARTS, someOffline } from './online.sql.ts';
import { usersCalled } from './search.queries.ts';

/** Maximum number of devices found by a text that are looked up by id. */
const FEW = 1000;
/** Maximum number of devices that satisfy a rare condition: of more, the newest are met soon enough. */
const FEW_RARE = 250;

const some = (ids: RawBuilder<unknown>, max = FEW): RawBuilder<unknown> => sql`(${ids} limit ${sql.lit(max + 1)})`;

interface Few {
  ids: string[] | null;
}

/** The ids of these candidates (a query of `id`); null when they are more than `max`. */
const few = (candidates: RawBuilder<unknown>, max: number) => sql<Few>`
  select case when count(*) <= ${sql.lit(max)} then coalesce(array_agg(c.id::text), '{}') end as ids
  from ${some(candidates, max)} c`;

/** The ids of the devices that a text may find, whoever's they are. */
function foundBy(q: string): RawBuilder<unknown> {
  const hex = macSearch(q);
  const ways = [
    some(sql`select w.device_id as id from device_words w where w.text_grams @> ${gramsOf(q)}`),
    // One owner after the other, to stop at the last that is needed.
    some(
      sql`select d.id from (${usersCalled(q)}) u cross join lateral ${some(sql`
      select d.id from devices d where d.owner_id = u.id`)} d`,
    ),
    ...(hex ? [some(sql`select w.device_id from device_words w where w.mac_grams @> ${gramsOf(hex)}`)] : []),
  ];
  return sql`select c.id from (${sql.join(ways, sql` union all `)}) c`;
}

/** Conditions of the filter whose devices an index finds without the others. */
const RARE = {
  waiting: sql`select w.device_id as id from device_waits w`,
  failed: sql`select w.device_id as id from device_waits w where w.failed`,
  stalled: sql`
    select w.device_id as id from device_waits w join devices d on d.id = w.device_id
    where ${isLongWait} and ${FILTERS.online}`,
  expired: sql`select d.id from devices d where ${FILTERS.expired}`,
  expiring: sql`select d.id from devices d where ${FILTERS.expiring}`,
};

/**
 * The devices that satisfy one condition of the filter, whoever's they are, where an index finds these: a walk from the
 * newest device to twenty that are rare would read the whole fleet.
 */
function rareOf({ owner, dark, download, online, expiry }: ResolvedFilter): RawBuilder<unknown> | undefined {
  if (owner) return undefined;
  if (dark) return someDark(FEW_RARE + 1);
  if (download && download !== 'done') return RARE[download];
  if (expiry && expiry !== 'valid') return RARE[expiry];
  if (online === false) return someOffline(FEW_RARE + 1);
  return undefined;
}

/** A part of a filter, and the devices that it shows. */
interface Open {
  asked: ResolvedFilter;
  ids: RawBuilder<unknown>;
}

/** The same for conditions whose values people make up: PostgreSQL has to know these to choose how to find them. */
function openOf({ owner, ad, releasedAd, tags, group }: ResolvedFilter): Open | undefined {
  if (owner) return undefined;
  if (ad) return { asked: { ad }, ids: devicesWith(ad) };
  if (releasedAd) return { asked: { releasedAd }, ids: devicesReleased(releasedAd) };
  if (tags?.all?.length || tags?.any) {
    return { asked: { tags }, ids: sql`select d.id from devices d where ${isTagged(tags)}` };
  }
  return group && openOf(group.filter);
}

/**
 * Number of the newest devices that are looked at to learn whether a text, a tag or an ad is frequent: a list then meets
 * its first page among these. A text takes longer to look for.
 */
const NEWEST_OF_TEXT = 500;
const NEWEST = 2000;
/** A page of usual length. */
const PAGE = 20;

/**
 * The ids of `few`, unless a page of devices that satisfy the `condition` on `d` is among the newest: an index of texts or
 * tags has all devices that have one to look at before it answers the first.
 */
const fewUnlessFrequent = (
  condition: RawBuilder<boolean>,
  newest: number,
  candidates: RawBuilder<unknown>,
  max: number,
) => sql<Few>`
  select case when (
    select count(*) from (
      select from (
        select d.id, d.owner_id, d.name, d.mac, d.area, d.address, d.tags from devices d
        order by d.created_at desc, d.id desc limit ${sql.lit(newest)}) d
      where ${condition} limit ${sql.lit(PAGE)}) d) < ${sql.lit(PAGE)}
  then (${few(candidates, max)}) end as ids`;

/** The ids of the devices that the filter may show, whoever's they are; undefined when they are many. */
async function fewShown(db: Db, filter: ResolvedFilter): Promise<string[] | undefined> {
  const { q } = filter;
  const open = openOf(filter);
  const rare = rareOf(filter);
  for (const asked of [
    q && fewUnlessFrequent(isShownEach({ q }), NEWEST_OF_TEXT, foundBy(q), FEW),
    open && fewUnlessFrequent(isShownEach(open.asked), NEWEST, open.ids, FEW_RARE),
    rare && sql<Few>`${few(rare, FEW_RARE)} ${prepared}`,
  ]) {
    const [answer] = asked ? (await asked.execute(db)).rows : [];
    if (answer?.ids) return answer.ids;
  }
  return undefined;
}

/** Maximum number of owners that are read one by one; the devices of more owners are found soon among all. */
const FEW_OWNERS = 500;

/**
 * How the newest devices of a list are met, whose number differs more than PostgreSQL can know.
 * - `own`: the dealer has few, which are looked at one after the other, however many others there are.
 * - `known`: the text or a rare condition finds these few.
 * - `index`: an index has them in order, those of everybody or of one owner.
 * - `owners`: the newest of each of a few owners; most devices are others'.
 * - `scope`: among those of everybody.
 */
export type Way = { by: 'own' } | { by: 'known'; ids: string[] } | { by: 'index' } | { by: 'owners' } | { by: 'scope' };

/** Maximum number of a dealer's devices that are all looked at. */
const FEW_OWN = 1000;

/** The ids of the devices of a leading user and everybody below. */
export const ownDevices = (viewer: Viewer): RawBuilder<unknown> => sql`
  select d.id from user_scopes s join devices d on d.owner_id = s.user_id
  where s.ancestor_id = ${unweighed(sql`${viewer.id}::uuid`)}`;

async function hasFew(db: Db, viewer: Viewer): Promise<boolean> {
  const { rows } = await sql<{ devices: number }>`
    select count(*) as devices from (${ownDevices(viewer)} limit ${sql.lit(FEW_OWN + 1)}) d ${prepared}`.execute(db);
  return (rows[0]?.devices ?? 0) <= FEW_OWN;
}

/** The way to a list. `isSorted`: in an order other than the newest first. */
export async function wayTo(db: Db, viewer: Viewer, filter: ResolvedFilter, isSorted: boolean): Promise<Way> {
  if (viewer.role !== 'leading') return { by: 'index' };
  const isChosen = isSorted || Object.values(filter).some((value) => value !== undefined);
  if (isChosen && !seesAll(viewer) && (await hasFew(db, viewer))) return { by: 'own' };
  const ids = await fewShown(db, filter);
  if (ids) return { by: 'known', ids };
  if (filter.owner || seesAll(viewer)) return { by: 'index' };
  const { rows } = await sql<{ owners: number }>`
    select count(*) as owners from (
      select from user_scopes where ancestor_id = ${viewer.id} limit ${sql.lit(FEW_OWNERS + 1)}) o ${prepared}`.execute(
    db,
  );
  return { by: (rows[0]?.owners ?? 0) > FEW_OWNERS ? 'scope' : 'owners' };
}

/** Conditions on a row `d` that exclude each other, of which the filter shows those that satisfy one. */
function partsOf({ online, ...rest }: ResolvedFilter): RawBuilder<boolean>[] {
  if (online !== false) return [isShownEach({ online, ...rest })];
  return OFFLINE_PARTS.map((part) => sql<boolean>`${part} and ${isShownEach(rest)}`);
}

/**
 * The condition that a row `d` is among the `limit` newest below the viewer which the filter shows and of which `after`, on
 * `d`, is true. Those belong to the `limit` owners whose own newest ones are the newest, and none is older than all of
 * these.
 */
export function newestByOwner(
  viewer: Viewer,
  filter: ResolvedFilter,
  after: RawBuilder<boolean>,
  limit: number,
): RawBuilder<boolean> {
  const newest = (count: number) => sql`order by d.created_at desc, d.id desc limit ${sql.lit(count)}`;
  const newestOf = (owner: RawBuilder<unknown>, since: RawBuilder<unknown>, count: number) => {
    const parts = partsOf(filter).map(
      (part) => sql`(
      select d.id, d.created_at from devices_now d
      where d.owner_id = ${owner} and d.created_at >= ${since} and ${part} and ${after} ${newest(count)})`,
    );
    const [one, ...others] = parts;
    return others.length === 0
      ? sql`lateral ${one} d`
      : sql`lateral (select d.id, d.created_at from (${sql.join(parts, sql` union all `)}) d ${newest(count)}) d`;
  };
  const owners = sql`
    select s.user_id, d.created_at from user_scopes s cross join ${newestOf(sql`s.user_id`, sql`'-infinity'`, 1)}
    where s.ancestor_id = ${unweighed(sql`${viewer.id}::uuid`)} ${newest(limit)}`;
  const bounded = sql`
    select o.user_id, case when count(*) over () = ${sql.lit(limit)} then min(o.created_at) over () else '-infinity' end as since
    from (${owners}) o`;
  return sql<boolean>`d.id = any(array(
    select d.id from (${bounded}) o cross join ${newestOf(sql`o.user_id`, sql`o.since`, limit)} ${newest(limit)}))`;
}
