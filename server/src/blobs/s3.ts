import { HeadBucketCommand, S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3';
import { ConfigError, type S3Config } from '../platform/process/config.ts';

const CONNECT_MS = 3000;
const SILENCE_MS = 30_000;

/** How every client of this bucket is set up. Only Amazon's own S3 knows the newer checksums. */
export const clientSettings = (s3: S3Config, endpoint = s3.endpoint): S3ClientConfig => ({
  ...(endpoint !== undefined && { endpoint }),
  region: s3.region,
  forcePathStyle: s3.pathStyle,
  credentials: { accessKeyId: s3.accessKeyId, secretAccessKey: s3.secretAccessKey },
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
  requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
});

export const makeClient = (s3: S3Config, endpoint = s3.endpoint): S3Client =>
  new S3Client(clientSettings(s3, endpoint));

export const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

const REFUSED: Record<number, string> = {
  301: 'is a bucket of another region',
  400: 'cannot be opened: check S3_REGION and S3_ENDPOINT',
  403: 'cannot be opened: check S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  404: 'there is no such bucket',
};

/** Throws `ConfigError` when the settings are wrong, and what the client threw when S3 is only away. */
export async function openBucket(client: S3Client, { bucket }: S3Config): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    const reason = status === undefined ? undefined : REFUSED[status];
    throw reason === undefined ? error : new ConfigError(`Setting S3_BUCKET: ${reason}`);
  }
}

/**
 * The origin from which browsers fetch what is in the bucket.
 * Amazon's own: https://docs.aws.amazon.com/AmazonS3/latest/userguide/VirtualHosting.html
 */
export function publicOrigin({ publicEndpoint, endpoint, region, bucket, pathStyle }: S3Config): string {
  const url = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`);
  return pathStyle ? url.origin : `${url.protocol}//${bucket}.${url.host}`;
}
