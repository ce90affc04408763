import '../player/player.tables.ts';
import type { PlaysFilter, ReportGroup } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../platform/auth.ts';
import { inScope } from '../platform/scope.ts';

/** A query of (key, plays, ms): the sums of one group, and nothing of what never played. */
export type Sums = RawBuilder<{ key: string; plays: number; ms: number }>;

interface Span {
  first: RawBuilder<string>;
  last: RawBuilder<string>;
}

const today = (zone: RawBuilder<unknown>) => sql<string>`(now() at time zone ${zone})::date`;

/** The days that a machine `d` is asked for, by its own calendar. */
const spanOf = ({ from, to, days }: PlaysFilter): Span =>
  days === undefined
    ? { first: sql`${from}::date`, last: sql`${to}::date` }
    : { first: sql`${today(sql`d.time_zone`)} - ${days - 1}::integer`, last: today(sql`d.time_zone`) };

/** The days that any machine may be asked for: what indexes can look for. */
const outerSpanOf = ({ from, to, days }: PlaysFilter): Span =>
  days === undefined
    ? { first: sql`${from}::date`, last: sql`${to}::date` }
    : { first: sql`${today(sql`'UTC'`)} - ${days}::integer`, last: sql`${today(sql`'UTC'`)} + 1` };

const asksForItems = ({ ad, file }: PlaysFilter): boolean => ad !== undefined || file !== undefined;

const all = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length > 0 ? sql<boolean>`${sql.join(conditions, sql` and `)}` : sql<boolean>`true`;

/** The items of an ad or a file. */
const itemsOf = ({ ad, file }: PlaysFilter, column: RawBuilder<unknown>) => sql`
  (select ${column} from play_items i join releases r on r.id = i.release_id
  where ${all([...(ad ? [sql<boolean>`r.ad_id = ${ad}`] : []), ...(file ? [sql<boolean>`i.file_id = ${file}`] : [])])})`;

/** The machines in scope that a filter is about: (id, mac, name, time_zone, first, last). */
export function machinesOf(viewer: Viewer, filter: PlaysFilter): RawBuilder<unknown> {
  const { first, last } = spanOf(filter);
  const conditions = [inScope(viewer, sql`d.owner_id`)];
  if (filter.device) conditions.push(sql`d.id = ${filter.device}`);
  if (filter.owner) conditions.push(sql`d.owner_id = ${filter.owner}`);
  if (asksForItems(filter)) {
    const releases = itemsOf(filter, sql`i.release_id`);
    conditions.push(sql`d.id in (select rd.device_id from release_devices rd where rd.release_id in ${releases})`);
  }
  return sql`
    select d.id, d.mac, d.name, d.time_zone, ${first} as first, ${last} as last from devices d where ${all(conditions)}`;
}

/** What rows of sums `f` are asked for, before machines are looked at. */
function wanted(filter: PlaysFilter, time: RawBuilder<unknown>, { first, last }: Span): RawBuilder<boolean> {
  const conditions = [sql<boolean>`${time} >= ${first} and ${time} <= ${last}`];
  if (filter.device) conditions.push(sql`f.device_id = ${filter.device}`);
  if (asksForItems(filter)) conditions.push(sql`f.item_id in ${itemsOf(filter, sql`i.id`)}`);
  return all(conditions);
}

const startOfMonth = (day: string): string => `${day.slice(0, 7)}-01`;
const nextMonth = (day: string): string => {
  const next = new Date(`${startOfMonth(day)}T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return next.toISOString().slice(0, 10);
};

/** The full months within a range, as its first day and the first day after; undefined when there are none. */
export function fullMonths(from: string, to: string): { first: string; end: string } | undefined {
  const first = from === startOfMonth(from) ? from : nextMonth(from);
  const dayAfter = new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const end = startOfMonth(dayAfter);
  return first < end ? { first, end } : undefined;
}

/** (device_id, item_id, day, plays, duration_ms) by day; where the day does not matter, full months come as one row. */
function itemRows(filter: PlaysFilter): RawBuilder<unknown> {
  const { from, to } = filter;
  const months = from && to ? fullMonths(from, to) : undefined;
  const days = (more: RawBuilder<boolean>) => sql`
    select f.device_id, f.item_id, f.day, f.plays, f.duration_ms from play_item_days f
    where ${wanted(filter, sql`f.day`, outerSpanOf(filter))} and ${more}`;
  if (!months) return days(sql`true`);
  const span = { first: sql<string>`${months.first}::date`, last: sql<string>`${months.end}::date - 1` };
  return sql`
    select f.device_id, f.item_id, f.month as day, f.plays, f.duration_ms from play_item_months f
    where ${wanted(filter, sql`f.month`, span)}
    union all ${days(sql`f.day < ${months.first}::date`)}
    union all ${days(sql`f.day >= ${months.end}::date`)}`;
}

/** (device_id, day, plays, duration_ms) by machine and day. */
const dayRows = (filter: PlaysFilter): RawBuilder<unknown> => sql`
  select f.device_id, f.day, f.plays, f.duration_ms
  from ${asksForItems(filter) ? sql`play_item_days` : sql`play_days`} f
  where ${wanted(filter, sql`f.day`, outerSpanOf(filter))}`;

/** (device_id, day, hour, plays, duration_ms): hours in which something began. */
const hourRows = (filter: PlaysFilter): RawBuilder<unknown> => sql`
  select f.device_id, f.day, h.hour - 1 as hour, h.plays, h.ms as duration_ms
  from play_item_days f cross join lateral unnest(f.hour_plays, f.hour_ms) with ordinality as h(plays, ms, hour)
  where h.plays > 0 and ${wanted(filter, sql`f.day`, outerSpanOf(filter))}`;

const GROUPS: Record<ReportGroup, { rows: (filter: PlaysFilter) => RawBuilder<unknown>; key: RawBuilder<string> }> = {
  hour: { rows: hourRows, key: sql`to_char(f.day, 'YYYY-MM-DD"T"') || lpad(f.hour::text, 2, '0')` },
  day: { rows: dayRows, key: sql`to_char(f.day, 'YYYY-MM-DD')` },
  device: { rows: (filter) => (asksForItems(filter) ? itemRows(filter) : dayRows(filter)), key: sql`f.device_id` },
  ad: { rows: itemRows, key: sql`f.item_id` },
  file: { rows: itemRows, key: sql`f.item_id` },
};

/** What the database groups by before keys are written out: numbers and days are cheaper than texts. */
const GROUP_BY: Record<ReportGroup, RawBuilder<unknown>> = {
  hour: sql`f.day, f.hour`,
  day: sql`f.day`,
  device: sql`f.device_id`,
  ad: sql`f.item_id`,
  file: sql`f.item_id`,
};

/** Sums by group; for ads and files still by item. */
export function sumsOf(viewer: Viewer, filter: PlaysFilter, group: ReportGroup): Sums {
  const { rows, key } = GROUPS[group];
  return sql`
    select ${key} as key, sum(f.plays)::bigint as plays, sum(f.duration_ms)::bigint as ms
    from (${rows(filter)}) f join (${machinesOf(viewer, filter)}) m on m.id = f.device_id and f.day >= m.first and f.day <= m.last
    group by ${GROUP_BY[group]}`;
}
