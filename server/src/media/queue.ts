import type { Media } from '@ams/contract';
import type { Db } from '../platform/database/database.ts';
import { addJob } from '../platform/jobs/jobs.ts';
import type { Frames } from './filters.ts';
import { takeTurn } from './turns.queries.ts';

/** One key for all jobs on a file: there is never more than one waiting. */
const jobKey = (fileId: string): string => `files:${fileId}`;

/** Looking through a video is reading it, more or less. */
const BYTES_A_SECOND = 50e6;

/** Lane and estimated duration of an examination: pictures never wait for videos. */
const EXAMINATION: Record<Media, { lane: 'pictures' | 'videos'; seconds: (bytes: number) => number }> = {
  image: { lane: 'pictures', seconds: () => 1 },
  video: { lane: 'videos', seconds: (bytes) => bytes / BYTES_A_SECOND },
};

interface ToExamine {
  fileId: string;
  owner: string;
  media: Media;
  bytes: number;
}

/** Has a file examined. */
export async function queueExamination(db: Db, { fileId, owner, media, bytes }: ToExamine): Promise<void> {
  const { lane, seconds } = EXAMINATION[media];
  const turn = await takeTurn(db, lane, owner, seconds(bytes));
  await addJob(db, `files_examine_${lane}`, { fileId, turn }, { key: jobKey(fileId), priority: turn });
}

interface ToConvert {
  fileId: string;
  owner: string;
  frames: Frames;
  /** How long it may take. */
  seconds: number;
}

/** Has a file converted among the short ones. */
export async function queueShort(db: Db, { fileId, owner, frames, seconds }: ToConvert): Promise<void> {
  const turn = await takeTurn(db, 'short', owner, seconds);
  await addJob(db, 'files_convert_short', { fileId, turn, ...frames }, { key: jobKey(fileId), priority: turn });
}

export const LONG_TASK = 'files_convert_long';

/** Has a file converted among the long ones, of which an owner has one at a time. */
export async function queueLong(db: Db, work: ToConvert & { quantumMs: number }): Promise<void> {
  const { fileId, owner, frames, seconds, quantumMs } = work;
  const turn = await takeTurn(db, 'long', owner, seconds);
  await addJob(
    db,
    LONG_TASK,
    { fileId, turn, ...frames, quantumMs },
    { key: jobKey(fileId), priority: turn, queue: `files_convert ${owner}` },
  );
}
