import './files.tables.ts';
import '../releases/releases.tables.ts';
import '../users/users.tables.ts';
import {
  type MediaFile,
  type FileCount,
  type FileState,
  type files,
  FILE_KINDS,
  type Page,
  type UserRef,
} from '@ams/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Viewer } from '../platform/auth/auth.ts';
import { contains, type Db, iso, userRef } from '../platform/database/database.ts';
import { newestFirst } from '../platform/database/page.ts';
import { inScope } from '../platform/auth/scope.ts';
import type { Signer } from '../platform/auth/signing.ts';
import { fitsItsPlace } from './shape.ts';

/** What a content shows of itself in a file: nothing while something is left to do for that very file. */
const shown = <T>(column: string) => sql<T | null>`case when f.step is null then ${sql.ref(column)} end`;

/** Where a file is, whatever others know of its content. */
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

/** Files in scope, newest first. */
export async function listFiles(db: Db, signer: Signer, viewer: Viewer, query: ListQuery): Promise<Page<MediaFile>> {
  let chosen = selectFiles(db).where(inScope(viewer, sql`f.owner_id`));
  if (query.owner) chosen = chosen.where('f.owner_id', '=', query.owner);
  if (query.orientation) chosen = chosen.where('f.orientation', '=', query.orientation);
  if (query.kind) chosen = chosen.where('f.kind', '=', query.kind);
  if (query.state) chosen = chosen.where(state, '=', query.state);
  if (query.q) chosen = chosen.where('f.name', 'ilike', contains(query.q));
  const page = await newestFirst(chosen, query, sql`f.created_at`, sql`f.id`);
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

/** Whether a user exists within the viewer's scope. */
export async function userIsInScope(db: Db, viewer: Viewer, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('users as x')
    .select('x.id')
    .where('x.id', '=', id)
    .where(inScope(viewer, sql`x.id`))
    .executeTakeFirst();
  return row !== undefined;
}

export interface OwnedFile {
  id: string;
  name: string;
  owner: string;
}

/** Those of `ids` that are in scope, locked until the transaction ends. */
export const lockFilesInScope = (db: Db, viewer: Viewer, ids: string[]): Promise<OwnedFile[]> =>
  db
    .selectFrom('files as f')
    .select(['f.id', 'f.name', 'f.owner_id as owner'])
    .where('f.id', 'in', ids)
    .where(inScope(viewer, sql`f.owner_id`))
    // One order for all, so that two batches wait for each other and never both.
    .orderBy('f.id')
    .forUpdate('f')
    .execute();

/** Which of these files live releases show, and the names of the ads that do. */
export const adsInUse = (db: Db, ids: string[]): Promise<{ fileId: string; ads: string[] }[]> =>
  db
    .selectFrom('release_files as rf')
    .innerJoin('releases as r', 'r.id', 'rf.release_id')
    .select(['rf.file_id as fileId', sql<string[]>`array_agg(distinct r.ad_name)`.as('ads')])
    .where('rf.file_id', 'in', ids)
    .where('r.withdrawn_at', 'is', null)
    .groupBy('rf.file_id')
    .execute();

/** Takes files out of playlists too; who has one of those ads open is told that it changed. */
export async function deleteFiles(db: Db, ids: string[]): Promise<void> {
  await sql`update ads set updated_at = now() where id in (
    select ad_id from ad_items where file_id = any(${ids}::uuid[]))`.execute(db);
  await db.deleteFrom('files').where('id', 'in', ids).execute();
}

export const renameFile = (db: Db, id: string, name: string): Promise<unknown> =>
  db.updateTable('files').set({ name }).where('id', '=', id).execute();

/** What devices play instead of the original, where there is such a thing, has the address; else the original. */
const isAt = (sha256: string) =>
  sql<boolean>`(b.play_sha256 = ${sha256} or (b.sha256 = ${sha256} and b.play_sha256 is null))`;

/** What stands behind an address: the type of what devices play. */
export interface Playable {
  mime: string | null;
}

export const findPlayable = (db: Db, sha256: string): Promise<Playable | undefined> =>
  db.selectFrom('blobs as b').select('b.mime').where('b.state', '=', 'ready').where(isAt(sha256)).executeTakeFirst();

/** The blob of the still of what stands behind an address; it may be there before the rest is ready. */
export const findPoster = (db: Db, sha256: string): Promise<{ poster: string } | undefined> =>
  db
    .selectFrom('blobs as b')
    .select('b.poster_sha256 as poster')
    // The original's address, too: that is what a file has that still waits for its conversion.
    .where(sql<boolean>`(b.play_sha256 = ${sha256} or b.sha256 = ${sha256})`)
    .where('b.poster_sha256', 'is not', null)
    .$narrowType<{ poster: string }>()
    .executeTakeFirst();
