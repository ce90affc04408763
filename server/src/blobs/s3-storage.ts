import type { S3Config } from '../platform/process/config.ts';
import type { Storage } from './blobs.ts';
import { makeClient } from './s3.ts';
import { S3Blobs } from './s3-blobs.ts';
import { S3Incoming } from './s3-incoming.ts';
import { stagingFolder } from './staging.ts';

/** Storage in a bucket; what waits to be sent there is in a folder of the data folder. */
export function openBucketStorage(s3: S3Config, data: string): Storage {
  const client = makeClient(s3);
  const incoming = new S3Incoming(s3, client, stagingFolder(data));
  return { blobs: new S3Blobs(s3, client, stagingFolder(data), () => incoming), incoming };
}
