import path from 'node:path';
import type { Config } from '../platform/process/deps.ts';
import type { Storage } from './blobs.ts';
import { DiskBlobs } from './disk-blobs.ts';
import { DiskIncoming } from './disk-incoming.ts';
import { makeClient } from './s3.ts';
import { S3Blobs } from './s3-blobs.ts';
import { S3Incoming } from './s3-incoming.ts';
import { stagingFolder } from './staging.ts';

/** Storage of this installation: the bucket if one is set, otherwise the data folder. */
export function openStorage({ data, s3, accelRedirect, diskReserveBytes }: Config): Storage {
  if (!s3) {
    const blobs = new DiskBlobs(path.join(data, 'blobs'), accelRedirect);
    return { blobs, incoming: new DiskIncoming(path.join(data, 'uploads'), blobs, diskReserveBytes) };
  }
  const client = makeClient(s3);
  const incoming = new S3Incoming(s3, client, stagingFolder(data));
  return { blobs: new S3Blobs(s3, client, stagingFolder(data), () => incoming), incoming };
}
