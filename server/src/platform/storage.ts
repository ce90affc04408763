import path from 'node:path';
import type { Config } from '../config.ts';
import type { Storage } from './blobs.ts';
import { DiskBlobs } from './storage/disk-blobs.ts';
import { DiskIncoming } from './storage/disk-incoming.ts';
import { makeClient } from './storage/s3.ts';
import { S3Blobs } from './storage/s3-blobs.ts';
import { S3Incoming } from './storage/s3-incoming.ts';

/** Files that a program works on; what a crash leaves there is removed after a day. */
export const stagingFolder = (data: string): string => path.join(data, 'staging');

/** Where this installation keeps its files: a bucket when one is set, the data folder otherwise. */
export function openStorage({ data, s3, accelRedirect, diskReserveBytes }: Config): Storage {
  if (!s3) {
    const blobs = new DiskBlobs(path.join(data, 'blobs'), accelRedirect);
    return { blobs, incoming: new DiskIncoming(path.join(data, 'uploads'), blobs, diskReserveBytes) };
  }
  const client = makeClient(s3);
  const incoming = new S3Incoming(s3, client, stagingFolder(data));
  return { blobs: new S3Blobs(s3, client, stagingFolder(data), () => incoming), incoming };
}
