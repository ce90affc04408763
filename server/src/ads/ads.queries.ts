import './ads.tables.ts';
import {
  type Ad,
  AD_SORTS,
  type AdItemShown,
  type ads,
  type ItemKind,
  type KindNumber,
  type Media,
  type Orientation,
  type Page,
  type PageQuery,
  type Region,
  sortingOf,
  type UserRef,
} from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '../platform/auth/auth.ts';
import { holdUsers } from '../platform/auth/authority.ts';
import type { StoredAd } from '../releases/releases.service.ts';
import { isRenewableBy } from '../releases/renew.service.ts';
import { lockAdsOf } from '../releases/standing.service.ts';
import { contains, type Db, iso, userRef } from '../platform/database/database.ts';
import { newestFirst, type SortColumn, sorted } from '../platform/database/page.ts';
import { inScope, inScopeEach } from '../platform/auth/scope.ts';
import type { Signer } from '../platform/auth/signing.ts';

/** Items as they are stored. */
interface ItemRows {
  file: Omit<Extract<AdItemShown, { kind: 'file' }>, 'poster' | 'url'> & { sha256: string };
}
type ItemRow = ItemRows[ItemKind];

/** The items of an ad `a`, kind by kind: `region`, `position` and the item itself. */
const ITEMS: Record<ItemKind, RawBuilder<unknown>> = {
  file: sql`
    select i.region, i.position, jsonb_build_object('kind', i.kind, 'fileId', f.id, 'name', f.name, 'media', f.media,
      'state', b.state, 'durationMs', b.duration_ms, 'sha256', coalesce(b.play_sha256, b.sha256)) ||
      jsonb_strip_nulls(jsonb_build_object('seconds', i.seconds)) as item
    from ad_items i join files f on f.id = i.file_id join blobs b on b.sha256 = f.sha256
    where i.ad_id = a.id and i.kind = 'file'`,
};

/** Regions with their playlists in order, as `{ region: [item] }`. */
const regions = sql<Partial<Record<Region, ItemRow[]>>>`
  (select coalesce(jsonb_object_agg(r.region, r.items), '{}') from (
    select i.region, jsonb_agg(i.item order by i.position) as items
    from (${sql.join(Object.values(ITEMS), sql` union all `)}) i group by i.region
  ) r)`;

const COUNTS = { image: 'images', video: 'videos' } as const satisfies Record<Media, keyof Ad>;

const itemCount = (media: Media): RawBuilder<number> => sql<number>`
  (select count(*) from ad_items i join files f on f.id = i.file_id
    where i.ad_id = a.id and f.media = ${media})`;

const released = sql<boolean>`exists (select from releases r where r.ad_id = a.id and r.withdrawn_at is null)`;

/** The devices in scope that have the ad `a` now, and those whose release, begun or planned, an update would renew. */
const reach = (viewer: Viewer) => sql<{ devices: number; outdated: number }>`
  (select jsonb_build_object('devices', count(*) filter (where t.began), 'outdated', count(*) filter (where t.outdated))
    from (select bool_or(rd.revision is not null) as began, bool_or(r.renewable) as outdated
      from (select r.id, ${isRenewableBy(viewer, sql`a.updated_at`, sql`a.orientation`)} as renewable
        from releases r where r.ad_id = a.id and r.withdrawn_at is null offset 0) r
      join release_devices rd on rd.release_id = r.id
      join devices d on d.id = rd.device_id and ${inScope(viewer, sql`d.owner_id`)}
      where rd.withdrawn_at is null group by rd.device_id) t)`;

const lastRelease = sql`(select max(r.released_at) from releases r where r.ad_id = a.id)`;

const selectStored = (db: Db) =>
  db
    .selectFrom('ads as a')
    .select(['a.id', 'a.name', 'a.orientation', 'a.split', 'a.dual', 'a.fit', 'a.muted', 'a.background', 'a.qr'])
    .select(['a.play_mode as playMode', 'a.show_clock as showClock'])
    .select(userRef<UserRef>(sql`a.owner_id`).as('owner'))
    .select(regions.as('regions'))
    .select(itemCount('video').as(COUNTS.video))
    .select(itemCount('image').as(COUNTS.image))
    .select(iso(sql`a.created_at`).as('createdAt'))
    .select(iso(sql`a.updated_at`).as('updatedAt'));

const selectAds = (db: Db, viewer: Viewer) =>
  selectStored(db).select(reach(viewer).as('reach')).select(iso(lastRelease).$castTo<string | null>().as('releasedAt'));

type Row = Awaited<ReturnType<ReturnType<typeof selectAds>['executeTakeFirstOrThrow']>>;

const toRegions = (stored: Row['regions'], signer: Signer): Ad['regions'] =>
  Object.fromEntries(
    Object.entries(stored).map(([region, items]) => [region, items.map((item) => toItem(item, signer))]),
  );

const toAd = ({ reach: { devices, outdated }, ...row }: Row, signer: Signer): Ad => ({
  ...row,
  regions: toRegions(row.regions, signer),
  devices,
  outdatedDevices: outdated,
  changedSinceRelease: outdated > 0,
});

function toItem(row: ItemRow, signer: Signer): AdItemShown {
  switch (row.kind) {
    case 'file': {
      const { sha256, ...item } = row;
      const isReady = item.state === 'ready';
      return {
        ...item,
        poster: isReady ? signer.sign(`/media/${sha256}/poster`) : null,
        url: isReady ? signer.sign(`/media/${sha256}`) : null,
      };
    }
  }
}

export async function findAd(db: Db, viewer: Viewer, signer: Signer, id: string): Promise<Ad | undefined> {
  const row = await selectAds(db, viewer)
    .where('a.id', '=', id)
    .where(inScope(viewer, sql`a.owner_id`))
    .executeTakeFirst();
  return row && toAd(row, signer);
}

/** An ad in scope without how far it reaches. */
export async function findStoredAd(db: Db, viewer: Viewer, signer: Signer, id: string): Promise<StoredAd | undefined> {
  const row = await selectStored(db)
    .where('a.id', '=', id)
    .where(inScope(viewer, sql`a.owner_id`))
    .executeTakeFirst();
  return row && { ...row, regions: toRegions(row.regions, signer) };
}

type ListQuery = z.output<typeof ads.list.query>;

function matches(viewer: Viewer, filter: ListQuery): RawBuilder<boolean> {
  const all = [inScope(viewer, sql`a.owner_id`)];
  if (filter.owner) all.push(sql<boolean>`a.owner_id = ${filter.owner}`);
  if (filter.orientation) all.push(sql<boolean>`a.orientation = ${filter.orientation}`);
  if (filter.q) all.push(sql<boolean>`a.name ilike ${contains(filter.q)}`);
  if (filter.released !== undefined) all.push(sql<boolean>`${released} = ${filter.released}`);
  return sql<boolean>`(${sql.join(all, sql` and `)})`;
}

const SORTS: Record<(typeof AD_SORTS)[number], SortColumn> = {
  name: { column: sql`a.name`, type: 'name' },
  owner: { column: sql`o.username_key`, type: 'word' },
  releasedAt: { column: sql`coalesce(${lastRelease}, '-infinity')`, type: 'time' },
  createdAt: { column: sql`a.created_at`, type: 'time' },
};

/** Ads in scope, newest first unless the query has another order. */
export async function listAds(db: Db, viewer: Viewer, signer: Signer, query: ListQuery & PageQuery): Promise<Page<Ad>> {
  const chosen = selectAds(db, viewer).where(matches(viewer, query));
  const sorting = sortingOf(AD_SORTS, query.sort);
  const owned = chosen.innerJoin('users as o', 'o.id', 'a.owner_id');
  const page = await (sorting
    ? sorted(owned, query, sorting, SORTS[sorting.key], sql`a.id`)
    : newestFirst(chosen, query, sql`a.created_at`, sql`a.id`));
  return { ...page, items: page.items.map((row) => toAd(row, signer)) };
}

export interface ChosenFile {
  id: string;
  name: string;
  orientation: Orientation;
  kind: KindNumber;
  media: Media;
  state: string;
  /** The content that devices play. */
  sha256: string;
  bytes: number;
  mime: string;
  durationMs: number | null;
}

/** Holds an ad for a release of it, so that its files cannot be deleted meanwhile, and before it its owner. */
export async function holdAd(trx: Db, id: string): Promise<void> {
  await holdUsers(trx, sql`select owner_id from ads where id = ${id}`);
  await lockAdsOf(trx, sql`select ${id}::uuid`);
}

/** Those of the files that the viewer may use. In a transaction they cannot be deleted until it ends. */
export const findFiles = (db: Db, viewer: Viewer, ids: string[]): Promise<ChosenFile[]> =>
  db
    .selectFrom('files as f')
    .innerJoin('blobs as b', 'b.sha256', 'f.sha256')
    .select(['f.id', 'f.name', 'f.orientation', 'f.kind', 'f.media', 'b.duration_ms as durationMs'])
    .select(sql<string>`case when f.step is null then b.state else 'processing' end`.as('state'))
    .select(sql<string>`coalesce(b.play_sha256, b.sha256)`.as('sha256'))
    .select(sql<number>`coalesce(b.play_bytes, b.bytes)`.as('bytes'))
    .select(sql<string>`coalesce(b.mime, 'application/octet-stream')`.as('mime'))
    .where(sql<boolean>`f.id = any(${ids}::uuid[])`)
    .where(inScopeEach(viewer, sql`f.owner_id`))
    .modifyEnd(sql`for key share of f`)
    .execute();
