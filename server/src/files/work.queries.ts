import './files.tables.ts';
import type { FileState, Media } from '@ams/contract';
import { type QueryCreator, sql } from 'kysely';
import { type BlobOutcome, updateOutcome } from '../blobs/blobs.queries.ts';
import type { Db, Tables } from '../platform/database/database.ts';
import { oneOf, prepared } from '../platform/database/prepared.ts';
import type { Owned } from './files.queries.ts';

export type Step = 'examine' | 'convert';

/** A file with something left to do, and what is known of its content. */
export interface Work {
  fileId: string;
  owner: string;
  sha256: string;
  state: FileState;
  play_sha256: string | null;
  poster_sha256: string | null;
}

/** The file, if this step is what is left of it to do. */
const selectWork = (db: Db, fileId: string, step: Step) =>
  db
    .selectFrom('files as f')
    .innerJoin('blobs as b', 'b.sha256', 'f.sha256')
    .select(['f.id as fileId', 'f.owner_id as owner', 'f.sha256', 'b.state', 'b.play_sha256', 'b.poster_sha256'])
    .where('f.id', '=', fileId)
    .where('f.step', '=', step);

export const findWork = (db: Db, fileId: string, step: Step): Promise<Work | undefined> =>
  selectWork(db, fileId, step).modifyEnd(prepared).executeTakeFirst();

/** Locks file and content until the transaction ends. */
export const lockWork = (db: Db, fileId: string, step: Step): Promise<Work | undefined> =>
  selectWork(db, fileId, step).forUpdate().modifyEnd(prepared).executeTakeFirst();

/** Whether somebody in the owner's scope, itself included, sees a ready file with this content already. */
export async function isKnownTo(db: Db, owner: string, sha256: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (
      select from files f join user_scopes s on s.user_id = f.owner_id and s.ancestor_id = ${owner}
      join blobs b on b.sha256 = f.sha256
      where f.sha256 = ${sha256} and f.step is null and b.state = 'ready'
    ) as known`.execute(db);
  return rows[0]?.known === true;
}

const updateStep = (db: QueryCreator<Tables>, fileId: string, step: Step | null) =>
  db.updateTable('files').set({ step, progress: null }).where('id', '=', fileId);

/** Notes what is left to do; what was done before came to an end. */
export const recordStep = (db: Db, fileId: string, step: Step | null): Promise<unknown> =>
  updateStep(db, fileId, step).modifyEnd(prepared).execute();

/** Notes what was found out about a content, and that nothing is left to do; answers which other files show it. */
export const recordResult = (db: Db, { fileId, sha256 }: Work, outcome: BlobOutcome): Promise<Owned[]> =>
  db
    .with('outcome', (part) => updateOutcome(part, sha256, outcome))
    .with('end', (part) => updateStep(part, fileId, null))
    .selectFrom('files')
    .select(['id', 'owner_id as owner'])
    .where('sha256', '=', sha256)
    .where('step', 'is', null)
    .modifyEnd(prepared)
    .execute();

/** Restarts the processing of an abandoned file. */
export const recordAnew = (db: Db, fileId: string): Promise<unknown> =>
  db.updateTable('files').set({ step: 'examine', progress: null }).where('id', '=', fileId).execute();

/** Notes how much of a conversion is done, in percent; answers whose the file is unless it is done or gone. */
export const recordProgress = (db: Db, fileId: string, percent: number): Promise<{ owner: string } | undefined> =>
  db
    .updateTable('files')
    .set({ progress: percent })
    .where('id', '=', fileId)
    .where('step', '=', 'convert')
    .returning('owner_id as owner')
    .executeTakeFirst();

/** Those of these files that still exist. */
export async function findExisting(db: Db, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('files')
    .select('id')
    .where(oneOf(sql`id`, ids))
    .modifyEnd(prepared)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export interface Forgotten {
  fileId: string;
  owner: string;
  media: Media;
  bytes: number;
}

/** Files with something left to do although no job is left that would do it. */
export async function findForgotten(db: Db): Promise<Forgotten[]> {
  const { rows } = await sql<Forgotten>`
    select f.id as "fileId", f.owner_id as owner, f.media, b.bytes
    from files f join blobs b on b.sha256 = f.sha256
    where (f.step is not null or b.state = 'processing')
      and not exists (
        select from graphile_worker.jobs j
        where j.key in ('files:' || f.id, 'files:' || f.sha256)
          and (j.attempts < j.max_attempts or j.locked_at is not null))`.execute(db);
  return rows;
}

/** Files of a content that an earlier version left to be processed, or leaves now beside this one. */
export async function findLeftBehind(db: Db, sha256: string): Promise<Forgotten[]> {
  const { rows } = await sql<Forgotten>`
    select f.id as "fileId", f.owner_id as owner, f.media, b.bytes
    from files f join blobs b on b.sha256 = f.sha256
    where b.sha256 = ${sha256} and f.step is null and b.state = 'processing'`.execute(db);
  return rows;
}
