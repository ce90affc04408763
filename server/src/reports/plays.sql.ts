import type { PlaysFilter, ReportGroup } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { matches } from '../devices/devices.service.ts';
import type { DeviceSet } from '../groups/groups.service.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';

/** A query of (key, plays, ms): the sums of one group, and nothing of what never played. */
export type Sums = RawBuilder<{ key: string; plays: number; ms: number }>;

/** A number of days ends with the day of `asOf`, an instant; left out: today. */
export type DatedFilter = PlaysFilter & { asOf?: Date };

/** A filter whose group of devices was read. */
export type ReadFilter = DatedFilter & { devices?: DeviceSet | undefined };

interface Span {
  first: RawBuilder<string>;
  last: RawBuilder<string>;
}

/** The last one of a number of days, in a time zone. */
export const lastDay = ({ asOf }: DatedFilter, zone: RawBuilder<unknown>) =>
  sql<string>`(${asOf === undefined ? sql`now()` : sql`${asOf}::timestamptz`} at time zone ${zone})::date`;

/** The days that a device `d` is asked for, by its own calendar. */
const spanOf = (filter: ReadFilter): Span => {
  const { from, to, days } = filter;
  if (days === undefined) return { first: sql`${from}::date`, last: sql`${to}::date` };
  const last = lastDay(filter, sql`d.time_zone`);
  return { first: sql`${last} - ${days - 1}::integer`, last };
};

/** The days that any device may be asked for: what indexes can look for. */
const outerSpanOf = (filter: ReadFilter): Span => {
  const { from, to, days } = filter;
  if (days === undefined) return { first: sql`${from}::date`, last: sql`${to}::date` };
  const last = lastDay(filter, sql`'UTC'`);
  return { first: sql`${last} - ${days}::integer`, last: sql`${last} + 1` };
};

const asksForItems = ({ ad, file }: ReadFilter): boolean => ad !== undefined || file !== undefined;

const all = (conditions: RawBuilder<boolean>[]): RawBuilder<boolean> =>
  conditions.length > 0 ? sql<boolean>`${sql.join(conditions, sql` and `)}` : sql<boolean>`true`;

/** The items of an ad or a file. */
const itemsOf = ({ ad, file }: ReadFilter, column: RawBuilder<unknown>) => sql`
  (select ${column} from play_items i join releases r on r.id = i.release_id
  where ${all([...(ad ? [sql<boolean>`r.ad_id = ${ad}`] : []), ...(file ? [sql<boolean>`i.file_id = ${file}`] : [])])})`;

/** The devices in scope that a filter is about: (id, mac, name, time_zone, first, last). */
export function devicesOf(viewer: Scoped, filter: ReadFilter): RawBuilder<unknown> {
  const { first, last } = spanOf(filter);
  const conditions = [inScope(viewer, sql`d.owner_id`)];
  if (filter.device) conditions.push(sql`d.id = ${filter.device}`);
  if (filter.owner) conditions.push(sql`d.owner_id = ${filter.owner}`);
  if (filter.devices) {
    const { owner, filter: wantedDevices } = filter.devices;
    conditions.push(sql`d.id in (select d.id from devices_now d where ${matches(owner, wantedDevices)})`);
  }
  if (asksForItems(filter)) {
    const releases = itemsOf(filter, sql`i.release_id`);
    conditions.push(sql`d.id in (select rd.device_id from release_devices rd where rd.release_id in ${releases})`);
  }
  return sql`
    select d.id, d.mac, d.name, d.time_zone, ${first} as first, ${last} as last from devices d where ${all(conditions)}`;
}

/** SQL condition on rows of totals `f`, before devices are joined. */
function wanted(filter: ReadFilter, time: RawBuilder<unknown>, { first, last }: Span): RawBuilder<boolean> {
  const conditions = [sql<boolean>`${time} >= ${first} and ${time} <= ${last}`];
  if (filter.device) conditions.push(sql`f.device_id = ${filter.device}`);
  if (asksForItems(filter)) conditions.push(sql`f.item_id in ${itemsOf(filter, sql`i.id`)}`);
  return all(conditions);
}

/** (device_id, day, plays, duration_ms) by device and day. */
const dayRows = (filter: ReadFilter): RawBuilder<unknown> => sql`
  select f.device_id, f.day, f.plays, f.duration_ms
  from ${asksForItems(filter) ? sql`play_item_days` : sql`play_days`} f
  where ${wanted(filter, sql`f.day`, outerSpanOf(filter))}`;

/** (device_id, day, hour, plays, duration_ms): hours in which something began. */
const hourRows = (filter: ReadFilter): RawBuilder<unknown> => sql`
  select f.device_id, f.day, h.hour - 1 as hour, h.plays, h.ms as duration_ms
  from play_item_days f cross join lateral unnest(f.hour_plays, f.hour_ms) with ordinality as h(plays, ms, hour)
  where h.plays > 0 and ${wanted(filter, sql`f.day`, outerSpanOf(filter))}`;

/** Groups by time, and devices of which no item is asked for: (device_id, day, plays, duration_ms). */
const DAY_GROUPS = {
  hour: {
    rows: hourRows,
    by: sql`f.day, f.hour`,
    key: sql`to_char(f.day, 'YYYY-MM-DD"T"') || lpad(f.hour::text, 2, '0')`,
  },
  day: { rows: dayRows, by: sql`f.day`, key: sql`to_char(f.day, 'YYYY-MM-DD')` },
  device: { rows: dayRows, by: sql`f.device_id`, key: sql`f.device_id` },
} as const satisfies Partial<Record<ReportGroup, unknown>>;

/** Plays between two days of a device: the difference of a month's running totals. */
const within = (running: RawBuilder<unknown>) => sql`
  coalesce(${running}[least(31, m.last - f.month + 1)], 0) - coalesce(${running}[least(31, m.first - f.month)], 0)`;

/** (device_id, item_id, plays, ms) of each month: one row for all its days. */
function itemRows(viewer: Scoped, filter: ReadFilter): RawBuilder<unknown> {
  const { first, last } = outerSpanOf(filter);
  const months = { first: sql<string>`date_trunc('month', ${first})::date`, last };
  return sql`
    select f.device_id, f.item_id, ${within(sql`f.plays_to`)} as plays, ${within(sql`f.ms_to`)} as ms
    from play_item_months f join (${devicesOf(viewer, filter)}) m on m.id = f.device_id
    where ${wanted(filter, sql`f.month`, months)}`;
}

/** A query of (key, scans): scans of QR codes by hour, day, device or ad. Codes belong to ads: files have no scans. */
export function scansOf(viewer: Scoped, filter: ReadFilter, group: Exclude<ReportGroup, 'file'>): RawBuilder<unknown> {
  const { first, last } = outerSpanOf(filter);
  const local = sql`s.hour at time zone m.time_zone`;
  const keys = {
    hour: sql`to_char(${local}, 'YYYY-MM-DD"T"HH24')`,
    day: sql`to_char(${local}, 'YYYY-MM-DD')`,
    device: sql`m.id`,
    ad: sql`r.ad_id`,
  };
  const ad = filter.ad ? sql<boolean>`r.ad_id = ${filter.ad}` : sql<boolean>`true`;
  return sql`
    select ${keys[group]} as key, sum(s.scans)::bigint as scans
    from (${devicesOf(viewer, { ...filter, ad: undefined })}) m join scan_hours s on s.device_id = m.id join releases r on r.id = s.release_id
    where s.hour >= (${first})::timestamp - interval '1 day' and s.hour < (${last})::timestamp + interval '2 days'
      and (${local})::date between m.first and m.last and ${ad}
    group by 1`;
}

/** Sums by group; for ads and files still by item. */
export function sumsOf(viewer: Scoped, filter: ReadFilter, group: ReportGroup): Sums {
  if (group === 'ad' || group === 'file' || (group === 'device' && asksForItems(filter))) {
    const key = group === 'device' ? sql`f.device_id` : sql`f.item_id`;
    return sql`
      select ${key} as key, sum(f.plays)::bigint as plays, sum(f.ms)::bigint as ms
      from (${itemRows(viewer, filter)}) f where f.plays > 0 group by ${key}`;
  }
  const { rows, by, key } = DAY_GROUPS[group];
  return sql`
    select ${key} as key, sum(f.plays)::bigint as plays, sum(f.duration_ms)::bigint as ms
    from (${rows(filter)}) f join (${devicesOf(viewer, filter)}) m on m.id = f.device_id and f.day >= m.first and f.day <= m.last
    group by ${by}`;
}
