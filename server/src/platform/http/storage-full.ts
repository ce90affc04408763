import type { S3ServiceException } from '@aws-sdk/client-s3';
import { codeOf } from '../database/away.ts';

/** No room for more; nothing that is there was harmed. */
export class StorageFull extends Error {
  override name = 'StorageFull';
}

/** No space, no quota (POSIX). */
const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);
/** `disk_full` (PostgreSQL). */
const DATABASE_FULL = '53100';
/** Amazon's bucket never fills up, others have a status or a name for it. */
const S3_FULL = /QuotaExceeded|StorageFull|InsufficientStorage/;
const INSUFFICIENT_STORAGE = 507;

/**
 * Whether S3 answered this error. Its client is not loaded to know it: installations without a bucket save the memory.
 */
export const isS3Error = (error: unknown): error is S3ServiceException =>
  error instanceof Error && '$fault' in error && '$metadata' in error;

/** Whether the local disk, or this user's share of it, has no room. */
export const isDiskFull = (error: unknown): boolean => DISK_FULL.has(codeOf(error));

/** There is no room for what was to be stored: on the disk, in the database or in the bucket. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof StorageFull ||
  isDiskFull(error) ||
  codeOf(error) === DATABASE_FULL ||
  (isS3Error(error) && (error.$metadata.httpStatusCode === INSUFFICIENT_STORAGE || S3_FULL.test(error.name)));
