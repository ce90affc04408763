import './files.tables.ts';
import {
  type MediaFile,
  type FileCount,
  type FileState,
  type files,
  FILE_KINDS,
  FILE_SORTS,
  type Page,
  sortingOf,
  type UserRef,
} from '@ams/contract';
import { type Insertable, sql, type SqlBool } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '../platform/auth/auth.ts';
import { contains, type Db, iso, type Tables, userRef } from '../platform/database/database.ts';
import { newestFirst, type SortColumn, sorted } from '../platform/database/page.ts';
import { inScope, inScopeEach } from '../platform/auth/scope.ts';
import type { Signer } from '../platform/auth/signing.ts';
import type { ContentUse } from '../blobs/content-use.ts';
import { fitsItsPlace } from './shape.ts';

/** The visible state of a file's content; empty while work for this file remains. */
const shown = <T>(column: string) => sql<T | null>`case when f.step is null then ${sql.ref(column)} end`;

/** Processing step of a file, independent of other files with the same content. */
const state = sql<FileState>`case when f.step is null then b.state else 'processing' end`;

/** Size and hash are those of what devices play, which is not what was uploaded once it was converted. */
const selectFiles = (db: Db) =>
  db
    .selectFrom('files as f')
    .innerJoin('blobs as b', 'b.sha256', 'f.sha256')
    .select([
      'f.id',
      'f.name',
      'f.orientation',
      'f.kind',
      'f.media',
      shown<string>('b.mime').as('mime'),
      sql<number>`coalesce(${shown('b.play_bytes')}, b.bytes)`.as('bytes'),
      sql<string>`coalesce(${shown('b.play_sha256')}, b.sha256)`.as('sha256'),
      shown<number>('b.width').as('width'),
      shown<number>('b.height').as('height'),
      shown<number>('b.duration_ms').as('durationMs'),
      state.as('state'),
      shown<string>('b.failure').as('failure'),
      'f.progress',
      sql<boolean>`b.poster_sha256 is not null and f.step is distinct from 'examine'`.as('hasPoster'),
      userRef<UserRef>(sql`f.owner_id`).as('owner'),
      userRef<UserRef | null>(sql`f.uploaded_by`).as('uploadedBy'),
      iso(sql`f.created_at`).as('createdAt'),
    ]);

type FileRow = Omit<MediaFile, 'warning' | 'url' | 'poster'> & { hasPoster: boolean };

/** A row as the API shows it, with addresses that open without a session. */
function present({ hasPoster, ...row }: FileRow, signer: Signer): MediaFile {
  const media = `/media/${row.sha256}`;
  return {
    ...row,
    warning: fitsItsPlace(row.orientation, row.kind, row.width, row.height) ? null : 'shape',
    url: row.state === 'ready' ? signer.sign(media) : null,
    poster: hasPoster ? signer.sign(`${media}/poster`) : null,
  };
}

export async function findFileInScope(
  db: Db,
  signer: Signer,
  viewer: Viewer,
  id: string,
): Promise<MediaFile | undefined> {
  const row = await selectFiles(db)
    .where('f.id', '=', id)
    .where(inScope(viewer, sql`f.owner_id`))
    .executeTakeFirst();
  return row && present(row, signer);
}

type ListQuery = z.output<typeof files.list.query>;

const SORTS: Record<(typeof FILE_SORTS)[number], SortColumn> = {
  name: { column: sql`f.name`, type: 'name' },
  owner: { column: sql`o.username_key`, type: 'word' },
  bytes: { column: sql`coalesce(b.play_bytes, b.bytes)`, type: 'number' },
  durationMs: { column: sql`coalesce(b.duration_ms, 0)`, type: 'number' },
  createdAt: { column: sql`f.created_at`, type: 'time' },
};

/** Files in scope, newest first unless the query has another order. */
export async function listFiles(db: Db, signer: Signer, viewer: Viewer, query: ListQuery): Promise<Page<MediaFile>> {
  let chosen = selectFiles(db).where(inScope(viewer, sql`f.owner_id`));
  if (query.owner) chosen = chosen.where('f.owner_id', '=', query.owner);
  if (query.orientation) chosen = chosen.where('f.orientation', '=', query.orientation);
  if (query.kind) chosen = chosen.where('f.kind', '=', query.kind);
  if (query.state) chosen = chosen.where(state, '=', query.state);
  if (query.q) chosen = chosen.where('f.name', 'ilike', contains(query.q));
  const sorting = sortingOf(FILE_SORTS, query.sort);
  const owned = chosen.innerJoin('users as o', 'o.id', 'f.owner_id');
  const page = await (sorting
    ? sorted(owned, query, sorting, SORTS[sorting.key], sql`f.id`)
    : newestFirst(chosen, query, sql`f.created_at`, sql`f.id`));
  return { ...page, items: page.items.map((row) => present(row, signer)) };
}

/** How many files of every kind are in scope, or belong to `owner`; kinds without any count 0. */
export async function countFiles(
  db: Db,
  viewer: Viewer,
  owner: string | undefined,
): Promise<z.output<typeof FileCount>[]> {
  let query = db
    .selectFrom('files as f')
    .select(['f.orientation', 'f.kind', sql<number>`count(*)`.as('count')])
    .where(inScope(viewer, sql`f.owner_id`));
  if (owner) query = query.where('f.owner_id', '=', owner);
  const rows = await query.groupBy(['f.orientation', 'f.kind']).execute();
  return FILE_KINDS.map(({ orientation, kind }) => ({
    orientation,
    kind,
    count: rows.find((row) => row.orientation === orientation && row.kind === kind)?.count ?? 0,
  }));
}

/** Contents that files show. */
export const fileContents: ContentUse = {
  needs: [sql<SqlBool>`exists (select from files f where f.sha256 = b.sha256)`],
  names: sql`select f.name from files f where f.sha256 = b.sha256`,
};

/** Whether a user exists within the viewer's scope. */
export async function userIsInScope(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from users x where x.id = ${id} and x.colleague_of is null and ${inScope(viewer, sql`x.id`)}`.execute(db);
  return rows.length > 0;
}

/** A file and who it belongs to. */
export type Owned = Pick<OwnedFile, 'id' | 'owner'>;

export interface OwnedFile extends Pick<MediaFile, 'id' | 'name' | 'orientation' | 'kind' | 'media'> {
  owner: string;
}

/** Those of `ids` that are in scope, locked until the transaction ends. */
export const lockFilesInScope = (db: Db, viewer: Viewer, ids: string[]): Promise<OwnedFile[]> =>
  db
    .selectFrom('files as f')
    .select(['f.id', 'f.name', 'f.orientation', 'f.kind', 'f.media', 'f.owner_id as owner'])
    .where('f.id', 'in', ids)
    .where(inScopeEach(viewer, sql`f.owner_id`))
    // One order for all, so that two batches wait for each other and never both.
    .orderBy('f.id')
    .forUpdate('f')
    .execute();

export const deleteFiles = (db: Db, ids: string[]): Promise<unknown> =>
  db.deleteFrom('files').where('id', 'in', ids).execute();

export const renameFile = (db: Db, id: string, name: string): Promise<unknown> =>
  db.updateTable('files').set({ name }).where('id', '=', id).execute();

export const moveFile = (db: Db, id: string, place: Pick<MediaFile, 'orientation' | 'kind'>): Promise<unknown> =>
  db.updateTable('files').set(place).where('id', '=', id).execute();

/** The names of the ads that show a file, released or not; null for those out of scope. */
export async function adsShowing(db: Db, viewer: Viewer, id: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ name: string | null }>`
    select distinct case when ${inScope(viewer, sql`a.owner_id`)} then a.name end as name
    from ad_items i join ads a on a.id = i.ad_id where i.file_id = ${id}::uuid
    order by name limit 20`.execute(db);
  return rows.map(({ name }) => name);
}

export type NewFile = Insertable<Tables['files']>;

/** Inserts a file; false when an earlier try did so. */
export async function insertFile(db: Db, file: NewFile): Promise<boolean> {
  const row = await db
    .insertInto('files')
    .values(file)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Size in bytes of the file that an upload of `uploader` became. */
export async function findUploadedFile(db: Db, uploader: string, id: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('files as f')
    .innerJoin('blobs as b', 'b.sha256', 'f.sha256')
    .select('b.bytes')
    .where('f.id', '=', id)
    .where('f.uploaded_by', '=', uploader)
    .executeTakeFirst();
  return row?.bytes;
}
