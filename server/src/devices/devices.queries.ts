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
import { newestFirst, type SortColumn, sorted } from '../platform/database/page.ts';
import type { DeviceSet, Measure } from '../groups/groups.service.ts';
import { prepared } from '../platform/database/prepared.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Signer } from '../platform/auth/signing.ts';
import { defaultHours } from './hours.service.ts';
import { isShown, matches, resolveFilter } from './devices.service.ts';
import { newestByOwner, wayTo } from './ways.queries.ts';
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

function toDevice(row: Row, signer: Signer): Device {
  const {
    done: _done,
    download: _download,
    reportIsCurrent: _current,
    main,
    secondary,
    playingAt,
    live,
    failure,
    releases,
    ...rest
  } = row;
  const shown = (now: Row['main']) =>
    now && { ...now, poster: now.sha256 ? signer.sign(`/media/${now.sha256}/poster`) : null };
  return {
    ...rest,
    download: download(row),
    verdict: judgeDevice(
      { ...rest, workingHours: rest.workingHours ?? rest.defaultHours, failure, releases },
      Date.now(),
    ),
    playing: { main: shown(main), secondary: shown(secondary), at: playingAt, live },
  };
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

/** Devices in scope that the filter shows, newest first unless the query has another order. */
export async function listDevices(
  db: Db,
  viewer: Viewer,
  signer: Signer,
  given: z.output<typeof devices.list.query>,
): Promise<Page<Device>> {
  const { sort, ...asked } = given;
  const query = await resolveFilter(db, viewer, filterOfQuery(asked));
  const way = await wayTo(db, viewer, query);
  let shown = selectDevices(db).where(matches(viewer, query));
  if (way.by === 'known') shown = shown.where(sql<boolean>`d.id = any(${way.ids}::uuid[])`);
  const sorting = sortingOf(DEVICE_SORTS, sort);
  if (sorting) {
    const owned = shown.innerJoin('users as o', 'o.id', 'd.owner_id');
    const page = await sorted(owned, query, sorting, SORTS[sorting.key], sql`d.id`);
    return { ...page, items: page.items.map((row) => toDevice(row, signer)) };
  }
  if (way.by !== 'scope') shown = shown.modifyEnd(prepared);
  const page = await newestFirst(shown, query, sql`d.created_at`, sql`d.id`, (after, limit) =>
    way.by === 'owners' ? newestByOwner(viewer, sql<boolean>`${isShown(query)} and ${after}`, limit) : after,
  );
  return { ...page, items: page.items.map((row) => toDevice(row, signer)) };
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
