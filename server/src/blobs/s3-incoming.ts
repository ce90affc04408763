import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { type MetadataValue, S3Store } from '@tus/s3-store';
import { MemoryKvStore, Upload } from '@tus/server';
import type { S3Config } from '../config.ts';
import type { Arrival, Incoming, LocalFile } from './blobs.ts';
import { clientSettings, isMissing } from './s3.ts';
import { blobKey } from './s3-blobs.ts';
import { stage } from './staging.ts';

const PREFIX = 'uploads/';
/** S3 takes no smaller parts but the last. */
const PART_BYTES = 8 * 2 ** 20;
const PARTS_AT_ONCE = 8;
/** One call copies 5 GiB at most; several smaller ones at once are faster. */
const COPY_BYTES = 256 * 2 ** 20;
const COPIES_AT_ONCE = 4;

const keyOf = (id: string): string => `${PREFIX}${id}`;
/** Storage for bytes that are too few for a part. */
const restKeyOf = (id: string): string => `${keyOf(id)}.part`;

/** Multipart uploads by tus, told what they need to know instead of looking it up in the bucket. */
class PartsOfTus extends S3Store {
  /** Rows know what tus would keep beside the upload. */
  protected override async saveMetadata(): Promise<void> {}

  async finish(id: string): Promise<void> {
    await this.finishMultipartUpload(await this.getMetadata(id), await this.retrieveParts(id));
  }
}

/** Unfinished uploads as multipart uploads to `uploads/<id>`; finished, they are copied within the bucket. */
export class S3Incoming implements Incoming {
  readonly readable = false;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #staging: string;
  readonly #parts: PartsOfTus;
  readonly #known = new MemoryKvStore<MetadataValue>();
  readonly #copyBytes: number;

  /** @param copyBytes what is larger is copied in pieces of that size */
  constructor(s3: S3Config, client: S3Client, staging: string, copyBytes = COPY_BYTES) {
    this.#client = client;
    this.#bucket = s3.bucket;
    this.#staging = staging;
    this.#copyBytes = copyBytes;
    this.#parts = new PartsOfTus({
      partSize: PART_BYTES,
      useTags: false,
      maxConcurrentPartUploads: PARTS_AT_ONCE,
      cache: this.#known,
      s3ClientConfig: { ...clientSettings(s3), bucket: s3.bucket },
    });
  }

  async begin(id: string): Promise<string> {
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(this.#object(keyOf(id))));
    if (UploadId === undefined) throw new Error(`no multipart upload for ${id}`);
    return UploadId;
  }

  async received(arrival: Arrival): Promise<number | undefined> {
    return this.#with(arrival, async (key) => (await this.#parts.getUpload(key)).offset);
  }

  async append(arrival: Arrival, offset: number, bytes: Readable): Promise<void> {
    await this.#with(arrival, (key) => this.#parts.write(bytes, key, offset));
  }

  async borrow(arrival: Arrival): Promise<LocalFile> {
    await this.#complete(arrival);
    const { Body } = await this.#client.send(new GetObjectCommand(this.#object(keyOf(arrival.id))));
    if (!(Body instanceof Readable)) throw new Error(`no body of ${arrival.id}`);
    return stage(Body, this.#staging);
  }

  async settle(arrival: Arrival, sha256: string): Promise<void> {
    await this.#complete(arrival);
    const source = `${this.#bucket}/${keyOf(arrival.id)}`;
    if (arrival.size > this.#copyBytes) return this.#copyInPieces(source, arrival.size, blobKey(sha256));
    await this.#client.send(new CopyObjectCommand({ ...this.#object(blobKey(sha256)), CopySource: source }));
  }

  async discard({ id, place }: Pick<Arrival, 'id' | 'place'>): Promise<void> {
    if (place !== '') {
      const multipart = { ...this.#object(keyOf(id)), UploadId: place };
      await this.#client.send(new AbortMultipartUploadCommand(multipart)).catch(unlessMissing);
    }
    // One by one: deleting many at once needs a checksum that not every S3 takes.
    for (const key of [keyOf(id), restKeyOf(id)]) {
      await this.#client.send(new DeleteObjectCommand(this.#object(key)));
    }
  }

  async abandoned(before: Date): Promise<Pick<Arrival, 'id' | 'place'>[]> {
    const list = { Bucket: this.#bucket, Prefix: PREFIX };
    const { Uploads = [] } = await this.#client.send(new ListMultipartUploadsCommand(list));
    const { Contents = [] } = await this.#client.send(new ListObjectsV2Command(list));
    const idOf = (key = ''): string => key.slice(PREFIX.length).replace(/\.part$/, '');
    return [
      ...Uploads.filter(({ Initiated }) => Initiated && Initiated < before).map(({ Key, UploadId }) => ({
        ...{ id: idOf(Key), place: UploadId ?? '' },
      })),
      ...Contents.filter(({ LastModified }) => LastModified && LastModified < before).map(({ Key }) => ({
        ...{ id: idOf(Key), place: '' },
      })),
    ];
  }

  /** A fault after the last part can leave the parts unjoined. */
  async #complete(arrival: Arrival): Promise<void> {
    const head = new HeadObjectCommand(this.#object(keyOf(arrival.id)));
    const there = await this.#client.send(head).then(() => true, unlessMissing);
    if (!there) await this.#with(arrival, (key) => this.#parts.finish(key));
  }

  async #copyInPieces(source: string, size: number, target: string): Promise<void> {
    const object = this.#object(target);
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(object));
    const multipart = { ...object, UploadId };
    const starts = Array.from({ length: Math.ceil(size / this.#copyBytes) }, (_, index) => index * this.#copyBytes);
    const copy = async (start: number): Promise<{ ETag: string | undefined; PartNumber: number }> => {
      const PartNumber = start / this.#copyBytes + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + this.#copyBytes, size) - 1}`;
      const { CopyPartResult } = await this.#client.send(
        new UploadPartCopyCommand({ ...multipart, PartNumber, CopySource: source, CopySourceRange }),
      );
      return { ETag: CopyPartResult?.ETag, PartNumber };
    };
    try {
      const Parts: Awaited<ReturnType<typeof copy>>[] = [];
      while (starts.length > 0) Parts.push(...(await Promise.all(starts.splice(0, COPIES_AT_ONCE).map(copy))));
      await this.#client.send(new CompleteMultipartUploadCommand({ ...multipart, MultipartUpload: { Parts } }));
    } catch (error) {
      await this.#client.send(new AbortMultipartUploadCommand(multipart)).catch(unlessMissing);
      throw error;
    }
  }

  /** Lets tus work on an upload, knowing what our row knows. */
  async #with<T>({ id, size, place }: Arrival, work: (key: string) => Promise<T>): Promise<T> {
    const key = keyOf(id);
    const file = new Upload({ id: key, size, offset: 0 });
    await this.#known.set(key, { file, 'upload-id': place, 'tus-version': '1.0.0' });
    try {
      return await work(key);
    } finally {
      await this.#known.delete(key);
    }
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: key };
  }
}

function unlessMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
