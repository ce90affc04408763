import { promises as fs } from 'node:fs';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  type MultipartUpload,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import type { S3Config } from '../platform/process/config.ts';
import type { Arrival, Incoming, LocalFile } from './blobs.ts';
import { isMissing } from './s3.ts';
import { blobKey, BLOBS_PREFIX } from './s3-blobs.ts';
import { type Part, splitIntoParts } from './s3-parts.ts';
import { stage } from './staging.ts';

const PREFIX = 'uploads/';
/** S3 takes no more parts than this, and none smaller than 5 MiB but the last. */
const PARTS_MOST = 10_000;
const PART_BYTES = 8 * 2 ** 20;
/** Of a server process: so many parts are in memory while they are sent. */
const PARTS_AT_ONCE = 8;
/** One call copies 5 GiB at most; several smaller ones at once are faster. */
const COPY_BYTES = 256 * 2 ** 20;
const COPIES_AT_ONCE = 4;

const keyOf = (id: string): string => `${PREFIX}${id}`;
/** Bytes that are too few for a part wait for more in an object of their own, which names the part that they begin. */
const restKeyOf = (id: string): string => `${keyOf(id)}.part`;
const REST_OF = 'part-number';

/** A part that is stored. */
interface StoredPart {
  PartNumber: number;
  ETag: string | undefined;
  bytes: number;
}

const sumOf = (parts: readonly StoredPart[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

const nextNumber = (parts: readonly StoredPart[]): number => parts.length + 1;

/** Whether these bytes follow the parts: S3 may have taken a later part before. Earlier versions noted no number. */
const follows = (metadata: Record<string, string> | undefined, parts: readonly StoredPart[]): boolean =>
  Number(metadata?.[REST_OF] ?? nextNumber(parts)) === nextNumber(parts);

/**
 * Unfinished uploads as multipart uploads to `uploads/<id>`; finished, they are copied within the bucket. All parts but the
 * last have one size: their numbers tell where they belong.
 */
export class S3Incoming implements Incoming {
  readonly readable = false;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #staging: string;
  readonly #sending = pLimit(PARTS_AT_ONCE);
  readonly #copyBytes: number;

  /** @param copyBytes what is larger is copied in pieces of that size */
  constructor(s3: S3Config, client: S3Client, staging: string, copyBytes = COPY_BYTES) {
    this.#client = client;
    this.#bucket = s3.bucket;
    this.#staging = staging;
    this.#copyBytes = copyBytes;
  }

  async begin(id: string): Promise<string> {
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(this.#object(keyOf(id))));
    if (UploadId === undefined) throw new Error(`no multipart upload for ${id}`);
    return UploadId;
  }

  async received(arrival: Arrival): Promise<number | undefined> {
    const parts = await this.#parts(arrival);
    if (!parts) return this.#sizeOf(keyOf(arrival.id));
    const rest = await this.#head(restKeyOf(arrival.id));
    return sumOf(parts) + (rest && follows(rest.Metadata, parts) ? (rest.ContentLength ?? 0) : 0);
  }

  async append(arrival: Arrival, _offset: number, bytes: Readable): Promise<void> {
    const parts = await this.#parts(arrival);
    if (!parts) throw new Error(`the multipart upload of ${arrival.id} has ended`);
    const rest = await this.#takeRest(arrival.id, parts);
    const partBytes = Math.max(PART_BYTES, Math.ceil(arrival.size / PARTS_MOST));
    const sent: Promise<StoredPart | undefined>[] = [];
    const underWay = new Set<Promise<unknown>>();
    let next = nextNumber(parts);
    let end = sumOf(parts);
    await splitIntoParts(prepend(rest, bytes), partBytes, this.#staging, async (part) => {
      // Only so many files wait for S3: the client is slowed down instead.
      if (underWay.size >= PARTS_AT_ONCE) await Promise.race(underWay);
      const PartNumber = next++;
      end += part.bytes;
      const isRest = part.bytes < partBytes && end < arrival.size;
      const send = (): Promise<StoredPart | undefined> =>
        isRest ? this.#sendRest(arrival, part, PartNumber) : this.#sendPart(arrival, part, PartNumber);
      const sending = this.#sending(send);
      sent.push(sending);
      const ended = sending.catch((error: Error) => bytes.destroy(error)).finally(() => underWay.delete(ended));
      underWay.add(ended);
    }).finally(() => Promise.allSettled(underWay));
    const more = (await Promise.all(sent)).filter((part) => part !== undefined);
    if (end === arrival.size) await this.#join(arrival, [...parts, ...more]);
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
    const uploads = await this.#begunBefore(before, PREFIX);
    const { Contents = [] } = await this.#client.send(new ListObjectsV2Command(list));
    const idOf = (key = ''): string => key.slice(PREFIX.length).replace(/\.part$/, '');
    return [
      ...uploads.map(({ Key, UploadId = '' }) => ({ id: idOf(Key), place: UploadId })),
      ...Contents.filter(({ LastModified }) => LastModified && LastModified < before).map(({ Key }) => ({
        ...{ id: idOf(Key), place: '' },
      })),
    ];
  }

  async giveUpCopies(before: Date): Promise<void> {
    for (const { Key, UploadId } of await this.#begunBefore(before, BLOBS_PREFIX)) {
      await this.#client
        .send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }))
        .catch(unlessMissing);
    }
  }

  async #begunBefore(before: Date, prefix: string): Promise<MultipartUpload[]> {
    const list = new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: prefix });
    const { Uploads = [] } = await this.#client.send(list);
    return Uploads.filter(({ Initiated }) => Initiated && Initiated < before);
  }

  /** A fault after the last part can leave the parts unjoined. */
  async #complete(arrival: Arrival): Promise<void> {
    if ((await this.#sizeOf(keyOf(arrival.id))) !== undefined) return;
    await this.#join(arrival, (await this.#parts(arrival)) ?? []);
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

  /**
   * The parts of an arrival in order, up to the first that is missing; undefined once they are joined or given up. S3 can
   * take a part after one that it did not take, or that a process did not live to send: all from that one on is sent again.
   */
  async #parts({ id, place }: Arrival): Promise<StoredPart[] | undefined> {
    const multipart = { ...this.#object(keyOf(id)), UploadId: place };
    const parts: StoredPart[] = [];
    // Not the paginator of the SDK: S3 names a next marker after the last page, too.
    for (let marker: string | undefined, isWhole = false; !isWhole;) {
      const command = new ListPartsCommand({ ...multipart, PartNumberMarker: marker });
      const page = await this.#client.send(command).catch(unlessMissing);
      if (!page) return undefined;
      for (const { PartNumber = 0, ETag, Size = 0 } of page.Parts ?? []) parts.push({ PartNumber, ETag, bytes: Size });
      marker = page.NextPartNumberMarker;
      isWhole = page.IsTruncated !== true;
    }
    return parts
      .toSorted((a, b) => a.PartNumber - b.PartNumber)
      .filter(({ PartNumber }, index) => PartNumber === index + 1);
  }

  async #sendPart({ id, place }: Arrival, part: Part, PartNumber: number): Promise<StoredPart> {
    await using file = taken(part);
    const multipart = { ...this.#object(keyOf(id)), UploadId: place };
    const Body = await fs.readFile(file.path);
    const { ETag } = await this.#client.send(new UploadPartCommand({ ...multipart, PartNumber, Body }));
    return { PartNumber, ETag, bytes: part.bytes };
  }

  async #sendRest({ id }: Arrival, part: Part, PartNumber: number): Promise<undefined> {
    await using file = taken(part);
    const Body = await fs.readFile(file.path);
    const Metadata = { [REST_OF]: String(PartNumber) };
    await this.#client.send(new PutObjectCommand({ ...this.#object(restKeyOf(id)), Body, Metadata }));
    return undefined;
  }

  /** Bytes that were too few for a part. They are removed first: bytes that are stored twice would be counted twice. */
  async #takeRest(id: string, parts: readonly StoredPart[]): Promise<Buffer | undefined> {
    const object = this.#object(restKeyOf(id));
    const found = await this.#client.send(new GetObjectCommand(object)).catch(unlessMissing);
    if (!found?.Body) return undefined;
    const rest = Buffer.from(await found.Body.transformToByteArray());
    await this.#client.send(new DeleteObjectCommand(object));
    return follows(found.Metadata, parts) ? rest : undefined;
  }

  async #join({ id, place }: Arrival, parts: readonly StoredPart[]): Promise<void> {
    const Parts = parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
    const multipart = { ...this.#object(keyOf(id)), UploadId: place, MultipartUpload: { Parts } };
    await this.#client.send(new CompleteMultipartUploadCommand(multipart));
  }

  async #sizeOf(key: string): Promise<number | undefined> {
    return (await this.#head(key))?.ContentLength;
  }

  #head(key: string): Promise<HeadObjectCommandOutput | undefined> {
    return this.#client.send(new HeadObjectCommand(this.#object(key))).catch(unlessMissing);
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: key };
  }
}

function unlessMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

/** A part whose file is removed once it is disposed of. */
const taken = ({ path }: Part): LocalFile => ({
  path,
  [Symbol.asyncDispose]: () => fs.rm(path, { force: true }),
});

/** Some bytes and then those of a stream. */
function prepend(first: Buffer | undefined, stream: Readable): Readable {
  if (!first) return stream;
  return Readable.from(
    (async function* () {
      yield first;
      yield* stream;
    })(),
    { objectMode: false },
  );
}
