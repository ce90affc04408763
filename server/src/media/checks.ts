import './media.tables.ts';
import { IMAGE_PIXELS_MAX, type Measured } from '@ams/contract';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../platform/database/database.ts';
import { addJob } from '../platform/jobs/jobs.ts';
import type { Deps } from '../platform/process/deps.ts';
import { isHarmful } from '../platform/sandbox/limits.ts';
import { FfmpegError, isInVain } from './ffmpeg.ts';
import { measureVideo } from './measure.ts';

const jobKey = (sha256: string): string => `files:check:${sha256}`;

/** Contents of today come before older ones. */
const PRIORITY = { soon: 0, older: 1 };
/** Older contents that are queued at a time. */
const OLDER_MAX = 100;

/** Has a video checked; one that is queued already comes sooner. */
export const queueCheck = (db: Db, sha256: string, priority = PRIORITY.soon): Promise<void> =>
  addJob(db, 'files_check', { sha256 }, { key: jobKey(sha256), priority });

/** Queues videos that an earlier version, a server without ffmpeg or a storage that was away left unchecked, newest first. */
export async function queueOlder({ db, conversion }: Deps): Promise<void> {
  if (!conversion) return;
  const { rows } = await sql<{ sha256: string }>`
    select b.sha256 from blobs b
    where b.state = 'ready' and b.duration_ms is not null
      and not exists (select from content_checks c where c.sha256 = b.sha256)
      and not exists (
        select from graphile_worker.jobs j
        where j.key = 'files:check:' || b.sha256 and (j.attempts < j.max_attempts or j.locked_at is not null))
    order by b.created_at desc limit ${OLDER_MAX}`.execute(db);
  for (const { sha256 } of rows) await queueCheck(db, sha256, PRIORITY.older);
}

/** Has videos of files checked soon that are not, because somebody is about to look at the result. */
export async function queueUnchecked({ db, conversion }: Deps, fileIds: readonly string[]): Promise<void> {
  if (!conversion) return;
  const { rows } = await sql<{ sha256: string }>`
    select distinct b.sha256 from files f join blobs b on b.sha256 = f.sha256
    where f.id = any(${fileIds}::uuid[]) and b.state = 'ready' and b.duration_ms is not null
      and not exists (select from content_checks c where c.sha256 = b.sha256)`.execute(db);
  for (const { sha256 } of rows) await queueCheck(db, sha256);
}

/** The copy that devices play of a video that is not checked yet. */
async function findUnchecked(db: Db, sha256: string): Promise<string | undefined> {
  const { rows } = await sql<{ played: string }>`
    select coalesce(b.play_sha256, b.sha256) as played from blobs b
    where b.sha256 = ${sha256} and b.state = 'ready' and b.duration_ms is not null
      and not exists (select from content_checks c where c.sha256 = b.sha256)`.execute(db);
  return rows[0]?.played;
}

/** Nothing is stored of a content that was removed meanwhile. */
const record = (db: Db, sha256: string, measured: Measured | null): Promise<unknown> =>
  sql`
    insert into content_checks (sha256, measured)
    select b.sha256, ${measured && JSON.stringify(measured)}::jsonb from blobs b where b.sha256 = ${sha256} for key share
    on conflict do nothing`.execute(db);

async function measure(
  { blobs, sandbox, config }: Deps,
  played: string,
  signal: AbortSignal,
): Promise<Measured | null> {
  await using source = await blobs.borrow(played);
  const facts = await sandbox.run('videoFacts', { file: source.path, pixelsMax: IMAGE_PIXELS_MAX }, { signal });
  if (facts.kind === 'bad') return null;
  return await measureVideo(source.path, facts, { ffmpeg: config.ffmpeg, signal });
}

const ToCheck = z.object({ sha256: z.string() });

/** `files_check`: measures a video, once for each content. One that cannot be measured is not tried again. */
export async function checkContent(
  deps: Deps,
  payload: unknown,
  stopping: AbortSignal,
  isLastTry: boolean,
): Promise<void> {
  const { sha256 } = ToCheck.parse(payload);
  const played = deps.conversion ? await findUnchecked(deps.db, sha256) : undefined;
  if (played === undefined) return;
  const measured = await measure(deps, played, stopping).catch((error: unknown) => {
    if (error instanceof FfmpegError || isHarmful(error) || isInVain(error, isLastTry, deps.stopping)) return null;
    throw error;
  });
  await record(deps.db, sha256, measured);
}

/** A file as content checks know it. */
export interface CheckedFile {
  id: string;
  name: string;
  width: number | null;
  height: number | null;
  /** Null: there is nothing to measure. */
  check: 'pending' | 'impossible' | Measured | null;
}

/** What is known of these files; files that are gone are left out. */
export async function findChecked({ db, conversion }: Deps, fileIds: readonly string[]): Promise<CheckedFile[]> {
  type Row = Omit<CheckedFile, 'check'> & { measured: Measured | null; isChecked: boolean; isVideo: boolean };
  const { rows } = await sql<Row>`
    select f.id, f.name, b.width, b.height, b.duration_ms is not null as "isVideo", c.measured,
      c.sha256 is not null as "isChecked"
    from files f join blobs b on b.sha256 = f.sha256 left join content_checks c on c.sha256 = b.sha256
    where f.id = any(${fileIds}::uuid[])`.execute(db);
  const missing = conversion ? 'pending' : 'impossible';
  return rows.map(({ measured, isChecked, isVideo, ...file }) => ({
    ...file,
    check: isVideo ? (measured ?? (isChecked ? 'impossible' : missing)) : null,
  }));
}
