import './files.tables.ts';
import '../apps/apps.tables.ts';
import '../releases/releases.tables.ts';
import { type SqlBool, sql } from 'kysely';
import type { Db } from '../platform/database/database.ts';

/** Makes sure that there is a row for this content and locks it until the transaction ends. */
export const upsertBlob = (db: Db, sha256: string, bytes: number): Promise<unknown> =>
  db
    .insertInto('blobs')
    .values({ sha256, bytes, state: 'processing' })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ sha256 }))
    .execute();

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

/** Writes what was found out about a content. */
export const recordOutcome = (db: Db, sha256: string, outcome: BlobOutcome): Promise<unknown> =>
  db
    .updateTable('blobs')
    .set({ ...outcome, progress: null })
    .where('sha256', '=', sha256)
    .execute();

/** Notes what a content that waits to be converted looks like, unless that is known. */
export const recordPoster = (db: Db, sha256: string, poster: string): Promise<unknown> =>
  db
    .updateTable('blobs')
    .set({ poster_sha256: poster })
    .where('sha256', '=', sha256)
    .where('state', '<>', 'ready')
    .execute();

/** All files that show what this content is. */
export const filesOfBlob = (db: Db, sha256: string): Promise<{ id: string; owner: string }[]> =>
  db
    .selectFrom('files')
    .select(['id', 'owner_id as owner'])
    .where('sha256', '=', sha256)
    .where('step', 'is', null)
    .execute();

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
