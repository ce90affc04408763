import type { PlaysFilter, PlaysHistory, PlaysRow, ReportGroup } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';
import { inScope, type Scoped } from '../platform/auth/scope.ts';
import { findDeviceSet } from '../groups/groups.service.ts';
import { type DatedFilter, devicesOf, lastDay, type ReadFilter, scansOf, sumsOf } from './plays.sql.ts';

const ZONES_NAMED = 50;

export const SUBJECTS = ['ad', 'device', 'file', 'owner', 'deviceGroup'] as const;

/** The names of what a filter names, as far as it is in scope: null for what it does not name. */
export type Subjects = Pick<PlaysHistory, (typeof SUBJECTS)[number]>;

/** The group of a filter, read; throws `NOT_FOUND` when it is not in scope. */
const readGroup = async (db: Db, viewer: Scoped, filter: DatedFilter): Promise<ReadFilter> =>
  filter.deviceGroup === undefined
    ? filter
    : { ...filter, devices: await findDeviceSet(db, viewer, filter.deviceGroup) };

/** Ads and files that were deleted since are called what they were called when they played. */
export async function nameSubjects(db: Db, viewer: Scoped, filter: PlaysFilter): Promise<Subjects | undefined> {
  const ad = sql`coalesce(
    (select a.name from ads a where a.id = ${filter.ad} and ${inScope(viewer, sql`a.owner_id`)}),
    (select r.ad_name from releases r where r.ad_id = ${filter.ad} and ${inScope(viewer, sql`r.owner_id`)}
      order by r.released_at desc limit 1))`;
  const file = sql`coalesce(
    (select f.name from files f where f.id = ${filter.file} and ${inScope(viewer, sql`f.owner_id`)}),
    (select i.file_name from play_items i join releases r on r.id = i.release_id
      where i.file_id = ${filter.file} and ${inScope(viewer, sql`r.owner_id`)} limit 1))`;
  const device = sql`
    (select coalesce(nullif(d.name, ''), d.mac) from devices d
    where d.id = ${filter.device} and ${inScope(viewer, sql`d.owner_id`)})`;
  const owner = sql`(select u.username from users u where u.id = ${filter.owner} and ${inScope(viewer, sql`u.id`)})`;
  const deviceGroup = sql`
    (select g.name from groups g where g.id = ${filter.deviceGroup} and ${inScope(viewer, sql`g.owner_id`)})`;
  const asked = { ad, device, file, owner, deviceGroup };
  const column = (name: keyof Subjects) => sql`${filter[name] ? asked[name] : sql`null::text`} as ${sql.ref(name)}`;
  const { rows } = await sql<Subjects>`
    select ${sql.join(SUBJECTS.map(column))}`.execute(db);
  const named = rows[0];
  const isThere = (name: keyof Subjects) => filter[name] === undefined || named?.[name] !== null;
  return SUBJECTS.every(isThere) ? named : undefined;
}

const column = (expression: RawBuilder<unknown>, name: string) => sql`${expression} as ${sql.ref(name)}`;

/** (id, name, mac, plays, ms) of a group. Names of what belongs to nobody in scope stay unknown. */
function namedRows(viewer: Scoped, filter: ReadFilter, group: ReportGroup): RawBuilder<unknown> {
  const sums = sumsOf(viewer, filter, group);
  if (group === 'hour' || group === 'day') {
    return sql`select s.key as id, null::text as name, null::text as mac, s.plays, s.ms from (${sums}) s`;
  }
  if (group === 'device') {
    return sql`
      select s.key::text as id, d.name, d.mac, s.plays, s.ms from (${sums}) s join devices d on d.id = s.key`;
  }
  const visible = inScope(viewer, sql`r.owner_id`);
  const latest = (name: RawBuilder<unknown>) =>
    sql`(array_agg(${name} order by r.released_at desc) filter (where ${visible}))[1]`;
  const [id, name] =
    group === 'ad'
      ? [sql`r.ad_id::text`, latest(sql`coalesce(a.name, r.ad_name)`)]
      : [sql`coalesce(i.file_id::text, i.sha256)`, latest(sql`coalesce(f.name, i.file_name)`)];
  const current = group === 'ad' ? sql`left join ads a on a.id = r.ad_id` : sql`left join files f on f.id = i.file_id`;
  return sql`
    select ${column(id, 'id')}, ${column(name, 'name')}, null::text as mac,
      sum(s.plays)::bigint as plays, sum(s.ms)::bigint as ms
    from (${sums}) s join play_items i on i.id = s.key join releases r on r.id = i.release_id ${current}
    group by 1`;
}

/** (id, name, mac, scans) of a group; undefined where nothing can be scanned. */
function scannedRows(viewer: Scoped, filter: ReadFilter, group: ReportGroup): RawBuilder<unknown> | undefined {
  if (group === 'file' || filter.file) return undefined;
  const sums = scansOf(viewer, filter, group);
  if (group === 'device') {
    return sql`select s.key::text as id, d.name, d.mac, s.scans from (${sums}) s join devices d on d.id = s.key`;
  }
  if (group === 'ad') {
    const name = sql`(select coalesce(a.name, r.ad_name) from releases r left join ads a on a.id = r.ad_id
      where r.ad_id = s.key and ${inScope(viewer, sql`r.owner_id`)} order by r.released_at desc limit 1)`;
    return sql`select s.key::text as id, ${name} as name, null::text as mac, s.scans from (${sums}) s`;
  }
  return sql`select s.key as id, null::text as name, null::text as mac, s.scans from (${sums}) s`;
}

/** Plays and scans of a group: a code may be scanned from a photograph, when nothing plays. */
function countedRows(viewer: Scoped, filter: ReadFilter, group: ReportGroup): RawBuilder<unknown> {
  const played = namedRows(viewer, filter, group);
  const scanned = scannedRows(viewer, filter, group);
  if (!scanned) return sql`select p.*, null::bigint as scans from (${played}) p`;
  return sql`
    select coalesce(p.id, q.id) as id, coalesce(p.name, q.name) as name, coalesce(p.mac, q.mac) as mac,
      coalesce(p.plays, 0) as plays, coalesce(p.ms, 0) as ms, coalesce(q.scans, 0) as scans
    from (${played}) p full join (${scanned}) q on q.id = p.id`;
}

const isTime = (group: ReportGroup): boolean => group === 'hour' || group === 'day';

/** Up to `limit` groups after a position: hours and days in their order, others from the most plays down. */
export async function listPlays(
  db: Db,
  viewer: Scoped,
  given: DatedFilter & { group: ReportGroup },
  { limit, after }: { limit: number; after?: [plays: string, id: string] | undefined },
): Promise<PlaysRow[]> {
  const { group } = given;
  const filter = await readGroup(db, viewer, given);
  const order = isTime(group) ? sql`g.id` : sql`g.plays desc, g.id`;
  const following = (position: [string, string]) =>
    isTime(group)
      ? sql`g.id > ${position[1]}`
      : sql`(g.plays < ${position[0]}::bigint or g.plays = ${position[0]}::bigint and g.id > ${position[1]})`;
  const { rows } = await sql<PlaysRow>`
    select g.id, g.name, g.mac, g.plays, g.ms as "durationMs", g.scans from (${countedRows(viewer, filter, group)}) g
    where ${after ? following(after) : sql`true`} order by ${order} limit ${limit}`.execute(db);
  return rows;
}

export interface Course {
  points: PlaysHistory['points'];
  scans: PlaysHistory['scans'];
  timeZones: string[];
  /** Today, or the day of `asOf`, in the time zone of the devices furthest ahead; in UTC without devices. */
  today: string;
}

/** Plays per hour or day and device, without empty ones. */
export async function coursePlays(db: Db, viewer: Scoped, given: DatedFilter, unit: 'hour' | 'day'): Promise<Course> {
  const filter = await readGroup(db, viewer, given);
  const scans = filter.file
    ? sql`null::bigint`
    : sql`(select coalesce(sum(q.scans), 0)::bigint from (${scansOf(viewer, filter, 'device')}) q)`;
  const { rows } = await sql<Course>`
    select ${scans} as scans,
      (select coalesce(jsonb_agg(jsonb_build_object('at', s.key, 'plays', s.plays, 'durationMs', s.ms) order by s.key), '[]')
        from (${sumsOf(viewer, filter, unit)}) s) as points,
      zones.named as "timeZones", coalesce(zones.today, ${lastDay(filter, sql`'UTC'`)}) as today
    from (
      select coalesce((array_agg(z.time_zone order by z.devices desc, z.time_zone))[1:${sql.lit(ZONES_NAMED)}], '{}') as named,
        max(${lastDay(filter, sql`z.time_zone`)}) as today
      from (select m.time_zone, count(*) as devices from (${devicesOf(viewer, filter)}) m group by 1) z
    ) zones`.execute(db);
  const course = rows[0];
  if (!course) throw new Error('an aggregate answers one row');
  return course;
}
