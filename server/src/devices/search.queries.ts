import { type DeviceFilter, macSearch } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth/auth.ts';
import { contains, type Db } from '../platform/database/database.ts';
import { gramsOf } from '../platform/database/grams.ts';
import { prepared } from '../platform/database/prepared.ts';
import { seesAll } from '../platform/auth/scope.ts';

/** The condition that a text finds a row `d` of devices: by name, MAC address, owner, area or address. */
export function found(q: string): RawBuilder<boolean> {
  const hex = macSearch(q);
  const byMac = hex ? sql`or replace(d.mac, ':', '') like ${contains(hex)}` : sql``;
  const byPlace = sql`d.area ilike ${contains(q)} or d.address ilike ${contains(q)}`;
  return sql<boolean>`(d.name ilike ${contains(q)} or ${byPlace} or d.owner_id = any(array(${usersCalled(q)})) ${byMac})`;
}

const usersCalled = (q: string) => sql`
  select u.id from users u where u.name_grams @> ${gramsOf(q)} and u.username_key like ${contains(q.toLowerCase())}`;

/** Maximum number of candidates that are looked up by id. */
const FEW = 1000;

/** The ids of the devices that a text may find, whoever's they are; undefined when they are many. */
async function fewFound(db: Db, q: string): Promise<string[] | undefined> {
  const hex = macSearch(q);
  const some = (ids: RawBuilder<unknown>) => sql`(${ids} limit ${sql.lit(FEW + 1)})`;
  const ways = [
    some(sql`select w.device_id as id from device_words w where w.text_grams @> ${gramsOf(q)}`),
    // One owner after the other, to stop at the last that is needed.
    some(
      sql`select d.id from (${usersCalled(q)}) u cross join lateral ${some(sql`
      select d.id from devices d where d.owner_id = u.id`)} d`,
    ),
    ...(hex ? [some(sql`select w.device_id from device_words w where w.mac_grams @> ${gramsOf(hex)}`)] : []),
  ];
  const { rows } = await sql<{ id: string }>`${sql.join(ways, sql` union all `)} limit ${sql.lit(FEW + 1)}`.execute(db);
  if (rows.length > FEW) return undefined;
  return rows.map(({ id }) => id);
}

/** Maximum number of owners that are read one by one; the devices of more owners are found soon among all. */
const FEW_OWNERS = 500;

/**
 * How the newest devices of a list are met, whose number differs more than PostgreSQL can know.
 * - `known`: the text finds these few.
 * - `index`: an index has them in order, those of everybody or of one owner.
 * - `owners`: the newest of each of a few owners; most devices are others'.
 * - `scope`: among those of everybody.
 */
export type Way = { by: 'known'; ids: string[] } | { by: 'index' } | { by: 'owners' } | { by: 'scope' };

export async function wayTo(db: Db, viewer: Viewer, filter: Pick<DeviceFilter, 'q' | 'owner'>): Promise<Way> {
  if (viewer.role !== 'leading') return { by: 'index' };
  const ids = filter.q && (await fewFound(db, filter.q));
  if (ids) return { by: 'known', ids };
  if (filter.owner || seesAll(viewer)) return { by: 'index' };
  const owners = await sql`
    select from user_scopes where ancestor_id = ${viewer.id} limit ${sql.lit(FEW_OWNERS + 1)} ${prepared}`.execute(db);
  return { by: owners.rows.length > FEW_OWNERS ? 'scope' : 'owners' };
}

/**
 * The condition that a row `d` is among the `limit` newest below the viewer of which `shown`, on `d`, is true. Those
 * belong to the `limit` owners whose own newest ones are the newest.
 */
export function newestByOwner(viewer: Viewer, shown: RawBuilder<boolean>, limit: number): RawBuilder<boolean> {
  const newest = (count: number) => sql`order by d.created_at desc, d.id desc limit ${sql.lit(count)}`;
  const newestOf = (owner: RawBuilder<unknown>, count: number) => sql`lateral (
    select d.id, d.created_at from devices_now d where d.owner_id = ${owner} and ${shown} ${newest(count)}) d`;
  const owners = sql`
    select s.user_id from user_scopes s cross join ${newestOf(sql`s.user_id`, 1)}
    where s.ancestor_id = ${viewer.id} ${newest(limit)}`;
  return sql<boolean>`d.id = any(array(
    select d.id from (${owners}) o cross join ${newestOf(sql`o.user_id`, limit)} ${newest(limit)}))`;
}
