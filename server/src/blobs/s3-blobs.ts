import { createReadStream, promises as fs } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { v7 as uuidv7 } from 'uuid';
import type { S3Config } from '../platform/process/config.ts';
import type { Blobs, ByteRange, Incoming, LocalFile, SentAs, Source } from './blobs.ts';
import { isMissing, makeClient, openBucket, publicOrigin } from './s3.ts';
import { stage } from './staging.ts';

const DAY_MS = 86_400_000;
const TWO_DAYS_SECONDS = 172_800;
/** A larger object is sent in parts, of which a failed one is repeated alone. */
const ONE_PIECE_BYTES = 32 * 2 ** 20;

export const BLOBS_PREFIX = 'blobs/';
export const blobKey = (sha256: string): string => `${BLOBS_PREFIX}${sha256.slice(0, 2)}/${sha256}`;

/** Blobs as objects of a bucket: `blobs/ab/ab12…`. */
export class S3Blobs implements Blobs {
  readonly origin: string;
  readonly #s3: S3Config;
  readonly #client: S3Client;
  /** Signs for the address that devices and browsers use. */
  readonly #signer: S3Client;
  readonly #staging: string;
  readonly #incoming: () => Incoming;

  /** @param incoming how large files come in, here as everywhere */
  constructor(s3: S3Config, client: S3Client, staging: string, incoming: () => Incoming) {
    this.#s3 = s3;
    this.origin = publicOrigin(s3);
    this.#client = client;
    this.#signer = makeClient(s3, s3.publicEndpoint ?? s3.endpoint);
    this.#staging = staging;
    this.#incoming = incoming;
  }

  async adopt(sha256: string, file: string): Promise<void> {
    const { size } = await fs.stat(file);
    if (size > ONE_PIECE_BYTES) await this.#adoptInParts(sha256, file, size);
    else {
      await this.#client.send(new PutObjectCommand({ ...this.#object(sha256), Body: await fs.readFile(file) }));
    }
    await fs.rm(file, { force: true });
  }

  async #adoptInParts(sha256: string, file: string, size: number): Promise<void> {
    const incoming = this.#incoming();
    const id = uuidv7();
    const arrival = { id, size, place: await incoming.begin(id, size) };
    try {
      await incoming.append(arrival, 0, createReadStream(file));
      await incoming.settle(arrival, sha256);
    } finally {
      await incoming.discard(arrival);
    }
  }

  async size(sha256: string): Promise<number | undefined> {
    try {
      const { ContentLength } = await this.#client.send(new HeadObjectCommand(this.#object(sha256)));
      return ContentLength;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async read(sha256: string, range?: ByteRange): Promise<Readable> {
    const wanted = range && { Range: `bytes=${range.start}-${range.end}` };
    const { Body } = await this.#client.send(new GetObjectCommand({ ...this.#object(sha256), ...wanted }));
    if (!(Body instanceof Readable)) throw new Error(`no body of ${sha256}`);
    return Body;
  }

  async borrow(sha256: string): Promise<LocalFile> {
    return stage(await this.read(sha256), this.#staging);
  }

  async source(sha256: string, { method, mime, cacheControl }: SentAs, now = Date.now()): Promise<Source> {
    const asked = { ...this.#object(sha256), ResponseContentType: mime, ResponseCacheControl: cacheControl };
    const command = method === 'HEAD' ? new HeadObjectCommand(asked) : new GetObjectCommand(asked);
    // Signed at the start of the day: the address stays the same all day, so that caches work.
    const signingDate = new Date(Math.floor(now / DAY_MS) * DAY_MS);
    const url = await getSignedUrl(this.#signer, command, { signingDate, expiresIn: TWO_DAYS_SECONDS });
    return { kind: 'elsewhere', url };
  }

  async remove(sha256: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#object(sha256)));
  }

  async *names(before: Date): AsyncGenerator<string[]> {
    const pages = paginateListObjectsV2({ client: this.#client }, { Bucket: this.#s3.bucket, Prefix: BLOBS_PREFIX });
    for await (const { Contents = [] } of pages) {
      const old = Contents.filter(({ LastModified }) => LastModified && LastModified < before);
      if (old.length > 0) yield old.map(({ Key = '' }) => path.posix.basename(Key));
    }
  }

  async check(): Promise<void> {
    await openBucket(this.#client, this.#s3);
  }

  #object(sha256: string): { Bucket: string; Key: string } {
    return { Bucket: this.#s3.bucket, Key: blobKey(sha256) };
  }
}
