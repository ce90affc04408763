import './files.tables.ts';
import '../apps/apps.tables.ts';
import '../releases/releases.tables.ts';
import { type SqlBool, sql, type Updateable } from 'kysely';
import type { Db, Tables } from '../platform/database.ts';
import { addJob } from '../platform/jobs.ts';

export interface StoredBlob {
  state: 'processing' | 'ready' | 'failed';
  play_sha256: string | null;
  poster_sha256: string | null;
  /** False when the content was there before. */
  inserted: boolean;
}

/** Makes sure that there is a row for this content and locks it until the transaction ends. */
export async function upsertBlob(db: Db, sha256: string, bytes: number): Promise<StoredBlob> {
  return (
    db
      .insertInto('blobs')
      .values({ sha256, bytes, state: 'processing' })
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ sha256 }))
      // Only a row that this very statement inserted has no deleting or locking transaction.
      .returning(['state', 'play_sha256', 'poster_sha256', sql<boolean>`xmax = 0`.as('inserted')])
      .executeTakeFirstOrThrow()
  );
}

/** One key for all jobs on a content: there is never more than one waiting. */
const jobKey = (sha256: string): string => `files:${sha256}`;

/** Has a content examined (again). */
export async function queueProcessing(db: Db, sha256: string): Promise<void> {
  await db
    .updateTable('blobs')
    .set({ state: 'processing', failure: null, progress: null })
    .where('sha256', '=', sha256)
    .execute();
  await addJob(db, 'files_process', { sha256 }, jobKey(sha256));
}

/** Has a content that is being processed converted, after all other such work. */
export const queueConversion = (db: Db, sha256: string, interlaced: boolean): Promise<void> =>
  addJob(db, 'files_convert', { sha256, interlaced }, jobKey(sha256));

export async function isProcessing(db: Db, sha256: string): Promise<boolean> {
  const row = await db
    .selectFrom('blobs')
    .select('sha256')
    .where('sha256', '=', sha256)
    .where('state', '=', 'processing')
    .executeTakeFirst();
  return row !== undefined;
}

/** Facts of a content that needs no examining. */
export type KnownContent = Pick<BlobOutcome, 'mime' | 'width' | 'height' | 'poster_sha256'> & {
  sha256: string;
  bytes: number;
};

/** Makes sure that there is a row for a content whose facts are known. */
export const insertKnownBlob = (db: Db, blob: KnownContent): Promise<unknown> =>
  db
    .insertInto('blobs')
    .values({ ...blob, state: 'ready' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export interface BlobOutcome {
  state: 'ready' | 'failed';
  failure: string | null;
  mime: string | null;
  width: number | null;
  height: number | null;
  duration_ms: number | null;
  play_sha256: string | null;
  play_bytes: number | null;
  /** Left out: a still that was made before stays. */
  poster_sha256?: string | null;
}

/** Writes to a content that is being processed; false when it is not, any more. */
async function whileProcessing(db: Db, sha256: string, values: Updateable<Tables['blobs']>): Promise<boolean> {
  const row = await db
    .updateTable('blobs')
    .set(values)
    .where('sha256', '=', sha256)
    .where('state', '=', 'processing')
    .returning('sha256')
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the processing of a content; false when it is not being processed any more. */
export const recordOutcome = (db: Db, sha256: string, outcome: BlobOutcome): Promise<boolean> =>
  whileProcessing(db, sha256, { ...outcome, progress: null });

/** Notes what a content that waits to be converted looks like; false when it is not being processed any more. */
export const recordPoster = (db: Db, sha256: string, poster: string): Promise<boolean> =>
  whileProcessing(db, sha256, { poster_sha256: poster });

/** Notes how much of a conversion is done, in percent; false when it is not being processed any more. */
export const recordProgress = (db: Db, sha256: string, percent: number): Promise<boolean> =>
  whileProcessing(db, sha256, { progress: percent });

/** All files with this content. */
export const filesOfBlob = (db: Db, sha256: string): Promise<{ id: string; owner: string }[]> =>
  db.selectFrom('files').select(['id', 'owner_id as owner']).where('sha256', '=', sha256).execute();

/** No file and no app has the content, and no release that still plays needs it or what it was converted to. */
const isUnused = sql<SqlBool>`not exists (select 1 from files f where f.sha256 = b.sha256)
  and not exists (select 1 from apps a where a.sha256 = b.sha256)
  and not exists (select 1 from apps a where a.icon_sha256 = b.sha256)
  and not exists (
    select 1 from release_files rf join releases r on r.id = rf.release_id
    where rf.sha256 in (b.sha256, b.play_sha256) and r.withdrawn_at is null)`;

export const findUnusedBlobs = (db: Db, limit: number): Promise<{ sha256: string }[]> =>
  db.selectFrom('blobs as b').select('b.sha256').where(isUnused).limit(limit).execute();

/** Deletes the row of a content that is still unused; answers which bytes it named. */
export async function deleteUnusedBlob(db: Db, sha256: string): Promise<string[]> {
  const row = await db
    .deleteFrom('blobs as b')
    .where('b.sha256', '=', sha256)
    .where(isUnused)
    .returning(['b.sha256', 'b.play_sha256', 'b.poster_sha256'])
    .executeTakeFirst();
  return row ? [row.sha256, row.play_sha256, row.poster_sha256].filter((name) => name !== null) : [];
}

/** Those of these contents that no row names. */
export async function findUnnamed(db: Db, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${names}::text[]) as name
    where not exists (select from blobs where sha256 = name)
      and not exists (select from blobs where play_sha256 = name)
      and not exists (select from blobs where poster_sha256 = name)`.execute(db);
  return rows.map(({ name }) => name);
}

/** By which names people know these contents: those of files and apps that need them, at most three each. */
export async function findUses(db: Db, names: string[]): Promise<{ sha256: string; names: string[] }[]> {
  const { rows } = await sql<{ sha256: string; names: string[] }>`
    select n.sha256, array(
      select used.name from blobs b, lateral (
        select f.name from files f where f.sha256 = b.sha256
        union select a.name from apps a where b.sha256 in (a.sha256, a.icon_sha256)) used
      where n.sha256 in (b.sha256, b.play_sha256, b.poster_sha256) limit 3) as names
    from unnest(${names}::text[]) n(sha256)`.execute(db);
  return rows;
}

/**
 * Contents that wait to be examined although no job is left that would do it. `deadly`: the job never failed,
 * the server died of it at each of its tries.
 */
export const findForgottenBlobs = (db: Db): Promise<{ sha256: string; deadly: boolean }[]> =>
  db
    .selectFrom('blobs as b')
    .select([
      'b.sha256',
      sql<boolean>`exists (
        select 1 from graphile_worker.jobs j where j.key = 'files:' || b.sha256 and j.last_error is null)`.as('deadly'),
    ])
    .where('b.state', '=', 'processing')
    .where(
      sql<SqlBool>`not exists (
        select 1 from graphile_worker.jobs j
        where j.key = 'files:' || b.sha256 and (j.attempts < j.max_attempts or j.locked_at is not null))`,
    )
    .execute();
