import './blobs.tables.ts';
import { type QueryCreator, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Tables } from '../platform/database/database.ts';
import type { ContentUse } from './content-use.ts';

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

/** The statement that writes what was found out about a content; part of one that records the work on its file. */
export const updateOutcome = (db: QueryCreator<Tables>, sha256: string, outcome: BlobOutcome) =>
  db
    .updateTable('blobs')
    .set({ ...outcome, progress: null })
    .where('sha256', '=', sha256);

/** Notes what a content that waits to be converted looks like, unless that is known. */
export const recordPoster = (db: Db, sha256: string, poster: string): Promise<unknown> =>
  db
    .updateTable('blobs')
    .set({ poster_sha256: poster })
    .where('sha256', '=', sha256)
    .where('state', '<>', 'ready')
    .execute();

/** No feature needs the content of the row `b`, or what was made of it. */
const isUnused = (uses: readonly ContentUse[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.join(
    uses.flatMap(({ needs }) => needs.map((need) => sql`not ${need}`)),
    sql` and `,
  )}`;

/** Some contents that no feature needs, each time others: some of them may be impossible to remove. */
export const findUnusedBlobs = (db: Db, uses: readonly ContentUse[], limit: number): Promise<{ sha256: string }[]> =>
  db
    .selectFrom('blobs as b')
    .select('b.sha256')
    .where(isUnused(uses))
    .orderBy(sql`random()`)
    .limit(limit)
    .execute();

/** Deletes the row of a content that is still unused; answers which bytes it named. */
export async function deleteUnusedBlob(db: Db, uses: readonly ContentUse[], sha256: string): Promise<string[]> {
  const row = await db
    .deleteFrom('blobs as b')
    .where('b.sha256', '=', sha256)
    .where(isUnused(uses))
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

/** The names that people know these contents by: those of what needs them, at most three each. */
export async function findUses(
  db: Db,
  uses: readonly ContentUse[],
  names: string[],
): Promise<{ sha256: string; names: string[] }[]> {
  const known = sql.join(
    uses.flatMap(({ names: named }) => (named ? [named] : [])),
    sql` union `,
  );
  const { rows } = await sql<{ sha256: string; names: string[] }>`
    select n.sha256, array(
      select used.name from blobs b, lateral (${known}) used
      where n.sha256 in (b.sha256, b.play_sha256, b.poster_sha256) limit 3) as names
    from unnest(${names}::text[]) n(sha256)`.execute(db);
  return rows;
}

/** The converted copy has the address if there is one, otherwise the original. */
const isAt = (sha256: string) =>
  sql<boolean>`(b.play_sha256 = ${sha256} or (b.sha256 = ${sha256} and b.play_sha256 is null))`;

/** Media type of the content that devices play. */
export interface Playable {
  mime: string | null;
}

export const findPlayable = (db: Db, sha256: string): Promise<Playable | undefined> =>
  db.selectFrom('blobs as b').select('b.mime').where('b.state', '=', 'ready').where(isAt(sha256)).executeTakeFirst();

/** The blob of a content's poster; it may exist before the content is ready. */
export const findPoster = (db: Db, sha256: string): Promise<{ poster: string } | undefined> =>
  db
    .selectFrom('blobs as b')
    .select('b.poster_sha256 as poster')
    // The original's address, too: that is what a file has that still waits for its conversion.
    .where(sql<boolean>`(b.play_sha256 = ${sha256} or b.sha256 = ${sha256})`)
    .where('b.poster_sha256', 'is not', null)
    .$narrowType<{ poster: string }>()
    .executeTakeFirst();
