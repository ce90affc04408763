import './devices.tables.ts';
import {
  type Device,
  DEVICE_SORTS,
  filterOfQuery,
  type devices,
  normalizeTag,
  type Page,
  sortingOf,
  SUGGESTIONS_MAX,
  type UserRef,
} from '@ams/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '../platform/auth/auth.ts';
import { compiledOnce } from '../platform/database/compiled-once.ts';
import { contains, type Db, iso, userRef } from '../platform/database/database.ts';
import { compiledForms } from '../platform/database/forms.ts';
import {
  decodeCursor,
  newestRows,
  olderThan,
  type Order,
  type SortColumn,
  sortedAfter,
  sortedRows,
  toNewestPage,
  toSortedPage,
} from '../platform/database/page.ts';
import type { DeviceSet, Measure } from '../groups/groups.service.ts';
import { oneOf, prepared } from '../platform/database/prepared.ts';
import { inScope, seesAll } from '../platform/auth/scope.ts';
import type { Signer } from '../platform/auth/signing.ts';
import { defaultHours } from './hours.service.ts';
import { matches, matchesEach, type ResolvedFilter, resolveFilter } from './devices.service.ts';
import { newestByOwner, ownDevices, type Way, wayTo } from './ways.queries.ts';
import {
  heldReleases,
  isReporting,
  judgeDevice,
  nowPlaying,
  isReportCurrent,
  reportedFailure,
} from './verdict.service.ts';

const screenshotAt = sql<Device['screenshotAt']>`
  coalesce((select jsonb_object_agg(s.screen, ${iso(sql`s.taken_at`)}) from screenshots s where s.device_id = d.id), '{}')`;

const selectDevices = compiledOnce((db: Db) =>
  db
    .selectFrom('devices_now as d')
    .select([
      'd.id',
      'd.mac',
      'd.name',
      'd.online',
      'd.done',
      'd.expired',
      'd.screens',
      'd.sound',
      'd.volume',
      'd.brightness',
      'd.download',
      'd.tags',
    ])
    .select([
      'd.expires_on as expiresAt',
      'd.time_zone as timeZone',
      'd.area',
      'd.address',
      'd.orientation',
      'd.free_bytes as freeBytes',
      'd.player_version as playerVersion',
      'd.working_hours as workingHours',
      'd.volume_hours as volumeHours',
      'd.brightness_hours as brightnessHours',
    ])
    .select(defaultHours.as('defaultHours'))
    .select(userRef<UserRef>(sql`d.owner_id`).as('owner'))
    .select(userRef<UserRef | null>(sql`d.operator_id`).as('operator'))
    // While the channel lives, the device was seen just now: no write is needed to know it.
    .select(
      iso(sql`case when d.online then now() else d.last_seen_at end`)
        .$castTo<string | null>()
        .as('lastSeenAt'),
    )
    .select(isReporting.as('live'))
    .select(
      iso(sql`case when ${isReporting} then now() else d.playing_at end`)
        .$castTo<string | null>()
        .as('playingAt'),
    )
    .select(screenshotAt.as('screenshotAt'))
    .select(isReportCurrent.as('reportIsCurrent'))
    .select(reportedFailure.as('failure'))
    .select(heldReleases.as('releases'))
    .select(nowPlaying('main').as('main'))
    .select(nowPlaying('secondary').as('secondary'))
    .select(
      iso(sql`d.paired_at`)
        .$castTo<string | null>()
        .as('pairedAt'),
    )
    .select(
      sql<Device['replaced']>`(
        select jsonb_build_object('at', ${iso(sql`p.at`)}, 'by', p.by_name) from device_pairings p
        where p.device_id = d.id and p.kind = 'replaced' order by p.at desc limit 1)`.as('replaced'),
    )
    .select(iso(sql`d.created_at`).as('createdAt')),
);

type Row = Awaited<ReturnType<ReturnType<typeof selectDevices>['executeTakeFirstOrThrow']>>;

function download({ done, download: reported, reportIsCurrent: isCurrent, failure }: Row): Device['download'] {
  const known = isCurrent ? reported : null;
  const totalBytes = known?.totalBytes ?? 0;
  if (done) return { state: 'done', doneBytes: totalBytes, totalBytes };
  return { state: 'waiting', doneBytes: Math.min(known?.doneBytes ?? 0, totalBytes), totalBytes, reason: failure };
}

/** The row itself becomes the device: the schema of the answer leaves out what else it has. A copy costs as much as its check. */
function toDevice(row: Row, signer: Signer): Device {
  const { main, secondary, playingAt, live } = row;
  const shown = (now: Row['main']) =>
    now && { ...now, poster: now.ad && now.sha256 ? signer.sign(`/media/${now.sha256}/poster`) : null };
  return Object.assign(row, {
    download: download(row),
    verdict: judgeDevice(row, Date.now()),
    playing: { main: shown(main), secondary: shown(secondary), at: playingAt, live },
  });
}

/** Areas of devices in scope that contain a text, the most frequent first. */
export async function listAreas(db: Db, viewer: Viewer, q: string): Promise<string[]> {
  const { rows } = await sql<{ area: string }>`
    select d.area from devices d
    where d.area is not null and ${inScope(viewer, sql`d.owner_id`)} and d.area ilike ${contains(q)}
    group by d.area order by count(*) desc, d.area limit ${sql.lit(SUGGESTIONS_MAX)}`.execute(db);
  return rows.map(({ area }) => area);
}

/** Tags of devices in scope that contain a text, the most frequent first. */
export async function listTags(db: Db, viewer: Viewer, q: string): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    select tag from devices d cross join unnest(d.tags) tag
    where d.tags <> '{}' and ${inScope(viewer, sql`d.owner_id`)} and tag like ${contains(normalizeTag(q))}
    group by tag order by count(*) desc, tag limit ${sql.lit(SUGGESTIONS_MAX)}`.execute(db);
  return rows.map(({ tag }) => tag);
}

export async function findDevice(db: Db, viewer: Viewer, signer: Signer, id: string): Promise<Device | undefined> {
  const row = await selectDevices(db)
    .where('d.id', '=', id)
    .where(inScope(viewer, sql`d.owner_id`))
    .executeTakeFirst();
  return row && toDevice(row, signer);
}

const SORTS: Record<(typeof DEVICE_SORTS)[number], SortColumn> = {
  name: { column: sql`d.name`, type: 'name' },
  mac: { column: sql`d.mac`, type: 'word' },
  owner: { column: sql`o.username_key`, type: 'word' },
  area: { column: sql`coalesce(d.area, '')`, type: 'name' },
  lastSeenAt: { column: sql`d.seen_at`, type: 'time' },
  expiresAt: { column: sql`coalesce(d.expires_at, 'infinity')`, type: 'time' },
  createdAt: { column: sql`d.created_at`, type: 'time' },
};

const CREATED = sql`d.created_at`;
const ID = sql`d.id`;

/** The devices of a list in scope, to be counted. */
function devicesCounted(db: Db, viewer: Viewer, filter: ResolvedFilter, way: Way) {
  const counted = selectDevices(db).where(matches(viewer, filter));
  return way.by === 'known' ? counted.where(sql<boolean>`d.id = any(${way.ids}::uuid[])`) : counted;
}

/** The devices of a list in scope, to be met one after the other. */
function devicesShown(db: Db, viewer: Viewer, filter: ResolvedFilter, way: Way) {
  if (way.by === 'scope') return devicesCounted(db, viewer, filter, way);
  const shown = selectDevices(db).where(matchesEach(viewer, filter));
  if (way.by === 'own') return shown.where(sql<boolean>`d.id = any(array(${ownDevices(viewer)}))`);
  return way.by === 'known' ? shown.where(oneOf(ID, way.ids)) : shown;
}

interface Stretch {
  /** The sort value and the id of the last row of the page before. */
  last: readonly [string, string] | undefined;
  limit: number;
}

/** A page of the newest devices, after the last one of a page before. */
function newestDevices(db: Db, viewer: Viewer, filter: ResolvedFilter, way: Way, { last, limit }: Stretch) {
  const shown = devicesShown(db, viewer, filter, way);
  const after = olderThan(last, CREATED, ID);
  const newest = way.by === 'owners' ? newestByOwner(viewer, filter, after, limit + 1) : after;
  const page = newestRows(shown.where(newest), limit, CREATED, ID);
  return way.by === 'scope' ? page : page.modifyEnd(prepared);
}

/** A page of devices in a chosen order. */
function sortedDevices(
  db: Db,
  viewer: Viewer,
  filter: ResolvedFilter,
  way: Way,
  { order, ...stretch }: Stretch & { order: Order },
) {
  // Of one owner, of some or of an area, PostgreSQL has to know how many there are: it sorts them or reads them in order.
  const isWalk = way.by === 'index' && seesAll(viewer) && !filter.owner && !filter.area && !filter.group;
  const isOnce = isWalk || way.by === 'known' || way.by === 'own';
  const shown = (isOnce ? devicesShown : devicesCounted)(db, viewer, filter, way);
  const page = sortedRows(shown.innerJoin('users as o', 'o.id', 'd.owner_id'), order, stretch);
  return isOnce ? page.modifyEnd(prepared) : page;
}

const runList = compiledForms();

/** Filters whose values are as many as people can think of. */
const OPEN_FILTERS = ['q', 'tags', 'area', 'ad', 'releasedAd', 'group'] as const satisfies (keyof ResolvedFilter)[];

/** The rows of a page, whose text is compiled once for each filter that has few values. */
function listRows(
  db: Db,
  viewer: Viewer,
  filter: ResolvedFilter,
  way: Way,
  { order, last, limit }: Stretch & { order: Order | undefined },
) {
  const rowsOf = (as: Viewer, shown: ResolvedFilter, by: Way, after: Stretch['last']) =>
    order
      ? sortedDevices(db, as, shown, by, { order, last: after, limit })
      : newestDevices(db, as, shown, by, { last: after, limit });
  if (OPEN_FILTERS.some((name) => filter[name] !== undefined)) return rowsOf(viewer, filter, way, last).execute();
  const { owner, ...rest } = filter;
  const form = JSON.stringify([viewer.role, seesAll(viewer), way.by, rest, limit, order?.sorting]);
  const values = {
    viewer: viewer.id,
    owner,
    ids: way.by === 'known' ? way.ids : undefined,
    value: last?.[0],
    id: last?.[1],
  };
  return runList(db, form, values, (slots) =>
    rowsOf(
      { ...viewer, id: slots.viewer },
      { ...rest, owner: slots.owner },
      slots.ids ? { by: 'known', ids: slots.ids } : way,
      slots.value === undefined || slots.id === undefined ? undefined : [slots.value, slots.id],
    ),
  );
}

/** Devices in scope that the filter shows, newest first unless the query has another order. */
export async function listDevices(
  db: Db,
  viewer: Viewer,
  signer: Signer,
  given: z.output<typeof devices.list.query>,
): Promise<Page<Device>> {
  const { sort, limit, cursor, total, ...asked } = given;
  const filter = await resolveFilter(db, viewer, filterOfQuery(asked));
  const page = { limit, cursor, total };
  const sorting = sortingOf(DEVICE_SORTS, sort);
  const order = sorting && { sorting, column: SORTS[sorting.key], id: ID };
  const last = order ? sortedAfter(page, order) : decodeCursor(cursor);
  const way = await wayTo(db, viewer, filter, order !== undefined);
  const rows = await listRows(db, viewer, filter, way, { order, last, limit });
  const all = devicesCounted(db, viewer, filter, way);
  const { items, ...rest } = await (order ? toSortedPage(all, page, order, rows) : toNewestPage(all, page, rows));
  return { ...rest, items: items.map((row) => toDevice(row, signer)) };
}

/** The number of devices of each set, and their areas, the most frequent first: one query for all. */
export async function measureSets(db: Db, sets: readonly DeviceSet[]): Promise<Measure[]> {
  if (sets.length === 0) return [];
  const counted = sets.map(
    ({ owner, filter }, place) => sql`
      select ${place}::int as place, coalesce(sum(a.devices), 0)::int as devices,
        coalesce((array_agg(a.area order by a.devices desc, a.area) filter (where a.area is not null))
          [1:${sql.lit(SUGGESTIONS_MAX)}], '{}') as areas
      from (select d.area, count(*) as devices from devices_now d where ${matches(owner, filter)} group by d.area) a`,
  );
  const { rows } = await sql<Measure & { place: number }>`
    ${sql.join(counted, sql` union all `)} order by place`.execute(db);
  return rows.map(({ devices, areas }) => ({ devices, areas }));
}
