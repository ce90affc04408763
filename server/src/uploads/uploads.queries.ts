import './uploads.tables.ts';
import { AppError, UNFINISHED_UPLOADS_MAX, UPLOAD_EXPIRY_HOURS } from '@ams/contract';
import { type Selectable, sql } from 'kysely';
import type { Db, Tables } from '../platform/database/database.ts';

export type StoredUpload = Selectable<Tables['uploads']>;
export type NewUpload = Pick<
  StoredUpload,
  'id' | 'uploader_id' | 'person_id' | 'purpose' | 'metadata' | 'size' | 'place'
>;

/** Whether nothing was added to the upload `p` for a day, by the clock of the database: that of a server may be wrong. */
const isExpired = sql<boolean>`p.touched_at < now() - make_interval(hours => ${sql.lit(UPLOAD_EXPIRY_HOURS)})`;

export interface FoundUpload extends StoredUpload {
  isExpired: boolean;
}

export const findUpload = (db: Db, id: string): Promise<FoundUpload | undefined> =>
  db.selectFrom('uploads as p').selectAll().select(isExpired.as('isExpired')).where('p.id', '=', id).executeTakeFirst();

/** Throws `TOO_MANY_UPLOADS` when this person has begun too many without ending them. */
export async function requireFewUploads(db: Db, uploader: string): Promise<void> {
  const { count } = await db
    .selectFrom('uploads')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('uploader_id', '=', uploader)
    .executeTakeFirstOrThrow();
  if (count >= UNFINISHED_UPLOADS_MAX) throw new AppError('TOO_MANY_UPLOADS', { max: UNFINISHED_UPLOADS_MAX });
}

/**
 * Throws `TOO_MANY_UPLOADS`; several at once are counted one after the other.
 * @param reserve throws when there is no room for what the upload becomes
 */
export async function insertUpload(
  db: Db,
  upload: NewUpload,
  reserve: (tx: Db) => Promise<void> | undefined,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('files.uploads'), hashtext(${upload.uploader_id}))`.execute(tx);
    await requireFewUploads(tx, upload.uploader_id);
    await reserve(tx);
    await tx
      .insertInto('uploads')
      .values({ ...upload, metadata: JSON.stringify(upload.metadata) })
      .execute();
  });
}

/** Notes the first bytes of an upload. */
export const recordHead = (db: Db, id: string, head: Buffer): Promise<unknown> =>
  db.updateTable('uploads').set({ head }).where('id', '=', id).execute();

export type Progress = Pick<StoredUpload, 'hashed' | 'hash_state' | 'sha256'>;

/**
 * Notes what is known of the bytes after a piece of them.
 * @returns false if another request continued the upload meanwhile
 */
export async function recordProgress(db: Db, before: StoredUpload, progress: Progress): Promise<boolean> {
  const row = await db
    .updateTable('uploads')
    .set({ ...progress, touched_at: sql`now()` })
    .where('id', '=', before.id)
    .where('hashed', '=', before.hashed)
    .where('sha256', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('uploads').where('id', '=', id).execute();
}

/** Uploads that nothing was added to for a day and those of deleted people, unless somebody is working on them. */
export const findExpiredUploads = (db: Db, limit: number): Promise<Pick<StoredUpload, 'id' | 'place'>[]> =>
  db
    .selectFrom('uploads as p')
    .select(['p.id', 'p.place'])
    .where(
      sql<boolean>`((${isExpired} or not exists (select from users u where u.id = p.uploader_id))
        -- On a slow connection a part can take longer than a day.
        and not exists (select from upload_locks l where l.id = p.id))`,
    )
    .limit(limit)
    .execute();

/** Which of these uploads still have a row. */
export async function knownUploads(db: Db, ids: string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where(sql`id::text`, 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Takes the lock of an upload unless a living server process holds it. */
export async function takeLock(db: Db, lock: { id: string; holder: string; process: string }): Promise<boolean> {
  const { rows } = await sql`
    insert into upload_locks as l (id, holder, process) values (${lock.id}, ${lock.holder}, ${lock.process})
    on conflict (id) do update set holder = excluded.holder, process = excluded.process
      where not exists (select from living_processes p where p.id = l.process)
    returning l.id`.execute(db);
  return rows.length > 0;
}

export async function giveLockBack(db: Db, id: string, holder: string): Promise<void> {
  await db.deleteFrom('upload_locks').where('id', '=', id).where('holder', '=', holder).execute();
}

/** Locks whose server process is gone. */
export async function cleanLocks(db: Db): Promise<void> {
  await sql`
    delete from upload_locks l where not exists (select from living_processes p where p.id = l.process)`.execute(db);
}
