import path from 'node:path';
import type { Config } from '../platform/process/deps.ts';
import type { Storage } from './blobs.ts';
import { DiskBlobs } from './disk-blobs.ts';
import { DiskIncoming } from './disk-incoming.ts';

/**
 * Storage of this installation: the bucket if one is set, otherwise the data folder. The client of S3 is loaded only for a
 * bucket.
 */
export async function openStorage({ data, s3, accelRedirect, diskReserveBytes }: Config): Promise<Storage> {
  if (s3) return (await import('./s3-storage.ts')).openBucketStorage(s3, data);
  const blobs = new DiskBlobs(path.join(data, 'blobs'), accelRedirect);
  return { blobs, incoming: new DiskIncoming(path.join(data, 'uploads'), blobs, diskReserveBytes) };
}
