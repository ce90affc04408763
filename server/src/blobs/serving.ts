import { promises as fs } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { AppError } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf } from '../platform/auth/auth.ts';
import type { ByteRange } from './blobs.ts';
import type { Db } from '../platform/database/database.ts';
import type { Deps } from '../platform/process/deps.ts';
import { takeOver } from '../platform/http/raw-reply.ts';
import { UPLOADED_POLICY } from '../platform/http/uploaded-policy.ts';
import { findPoster } from './blobs.queries.ts';
import { KnownContents } from './known-contents.ts';
import { matchNames, noneMatchNames, rangeApplies } from '../platform/http/entity-tags.ts';
import { parseRange } from './range.ts';
import { sendFile } from './send-file.ts';

interface Signature {
  e?: string | undefined;
  s?: string | undefined;
}

/** The parts of an address of a content: `path` is what a signature covers. */
interface Address {
  path: string;
  sha256: string;
}

/** Whether a release brought a content to a device. */
export type WasSent = (db: Db, deviceId: string, sha256: string) => Promise<boolean>;

/** One blob as a reply: what it is called, what it is, and how long it may be kept. */
interface Representation {
  sha256: string;
  mime: string;
  cacheControl: string;
  /** When the signature of the address expires, in seconds since 1970; undefined: another key opened it. */
  until: string | undefined;
}

/** The web server in front asks with this header whether it may answer an address itself until its signature expires. */
const PASS_HEADER = 'x-ams-pass';

const IMMUTABLE = 'max-age=31536000, immutable';
const ONE_DAY = 'max-age=86400';
/** Anybody may keep what a signed address opens: it is part of the address. A device's token opens it for the device alone. */
const keeping = (until: string | undefined, how: string): string =>
  `${until === undefined ? 'private' : 'public'}, ${how}`;
/** The address in a redirect opens for a day at least; who may follow it is between this caller and us. */
const REDIRECT = 'private, max-age=3600';

const etagOf = (sha256: string): string => `"${sha256}"`;

function sendHeaders(reply: FastifyReply, { mime, cacheControl }: Representation, etag: string): void {
  void reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': cacheControl,
    'content-type': mime,
    // Uploaded content must never act as a page of this server.
    'content-security-policy': UPLOADED_POLICY,
    'cross-origin-resource-policy': 'cross-origin',
    etag,
    'x-content-type-options': 'nosniff',
  });
}

/** Opens a file; a missing one is the same as a missing row. */
async function open(file: string): Promise<FileHandle> {
  try {
    return await fs.open(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new AppError('NOT_FOUND');
    throw error;
  }
}

/** A content never changes, but it goes when nobody needs it any more. */
const isThere = (file: string): Promise<boolean> =>
  fs.access(file).then(
    () => true,
    () => false,
  );

/** Sends the bytes from `start` to `end`, both included, after the head. */
type Send = (range: ByteRange) => Promise<void>;

const fromMemory =
  (reply: FastifyReply, bytes: Buffer): Send =>
  async ({ start, end }) =>
    void reply.send(bytes.subarray(start, end + 1));

/** Answers 304 to clients that hold the content already; throws `PRECONDITION_FAILED` (RFC 9110 §13.2.2). */
function isAnswered(request: FastifyRequest, reply: FastifyReply, representation: Representation): boolean {
  const etag = etagOf(representation.sha256);
  const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
  if (match !== undefined && !matchNames(match, etag)) throw new AppError('PRECONDITION_FAILED');
  if (!noneMatchNames(noneMatch, etag)) return false;
  sendHeaders(reply, representation, etag);
  void reply
    .code(304)
    .removeHeader('content-type')
    .send(request.method === 'HEAD' ? Readable.from([]) : undefined);
  return true;
}

/** Answers GET and HEAD with a file: 200, 206, 304, 412 or 416 (RFC 9110 §13.2.2, §14). */
async function sendBytes(
  path: string,
  known: KnownContents,
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
): Promise<void> {
  const { sha256 } = representation;
  const kept = known.small(sha256);
  if (kept && (await isThere(path)))
    return sendPart(request, reply, representation, kept.length, fromMemory(reply, kept));
  await using file = await open(path);
  const { size } = await file.stat();
  const small = await known.readSmall(sha256, file, size);
  const send: Send = small ? fromMemory(reply, small) : (range) => sendFile(file, range, takeOver(reply));
  await sendPart(request, reply, representation, size, send);
}

async function sendPart(
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
  size: number,
  send: Send,
): Promise<void> {
  const etag = etagOf(representation.sha256);
  if (isAnswered(request, reply, representation)) return;
  const ifRange = request.headers['if-range'];
  const part = parseRange(rangeApplies(ifRange?.toString(), etag) ? request.headers.range : undefined, size);
  if (part.kind === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${size}`);
    throw new AppError('RANGE_NOT_SATISFIABLE');
  }
  sendHeaders(reply, representation, etag);
  const { start, end } = part.kind === 'part' ? part.range : { start: 0, end: size - 1 };
  if (part.kind === 'part') void reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
  void reply.header('content-length', end - start + 1);
  // HEAD has no body, and Fastify leaves the length alone only when it is given a stream.
  if (request.method === 'HEAD') return void reply.send(Readable.from([]));
  await send({ start, end });
}

/** Answers requests for stored contents: from this process, through the web server in front, or by a redirect to S3. */
export class BlobSender {
  readonly #deps: Deps;
  readonly #wasSent: WasSent;
  readonly #known: KnownContents;

  constructor(deps: Deps, wasSent: WasSent) {
    this.#deps = deps;
    this.#wasSent = wasSent;
    this.#known = new KnownContents(deps.db);
  }

  /** `GET /media/:sha256`: what devices play. */
  async sendMedia(request: FastifyRequest, reply: FastifyReply, sha256: string, signature: Signature): Promise<void> {
    const until = await this.#requireKey(request, { path: `/media/${sha256}`, sha256 }, signature);
    const { mime } = await this.#known.require(sha256);
    const type = mime ?? 'application/octet-stream';
    await this.#send(request, reply, { sha256, mime: type, cacheControl: keeping(until, IMMUTABLE), until });
  }

  /** `GET /media/:sha256/poster`: its poster. */
  async sendPoster(request: FastifyRequest, reply: FastifyReply, sha256: string, signature: Signature): Promise<void> {
    const until = await this.#requireKey(request, { path: `/media/${sha256}/poster`, sha256 }, signature);
    const found = await findPoster(this.#deps.db, sha256);
    if (!found) throw new AppError('NOT_FOUND');
    const cacheControl = keeping(until, ONE_DAY);
    await this.#send(request, reply, { sha256: found.poster, mime: 'image/webp', cacheControl, until });
  }

  /**
   * Lets a valid signature of the path through, and a device's token for content that a release brought to that device.
   * Throws `BAD_SIGNATURE` when there is neither, `UNAUTHENTICATED` for a token that no device has, and `NOT_FOUND` for
   * other content, whether it exists or not. Returns when the signature expires.
   */
  async #requireKey(
    request: FastifyRequest,
    { path, sha256 }: Address,
    { e, s }: Signature,
  ): Promise<string | undefined> {
    const { db, identities, signer } = this.#deps;
    if (signer.verify(path, e, s)) return e;
    const token = bearerOf(request);
    if (token === undefined) throw new AppError('BAD_SIGNATURE');
    const { id } = await identities.device(token);
    if (!(await this.#wasSent(db, id, sha256))) throw new AppError('NOT_FOUND');
    return undefined;
  }

  async #send(request: FastifyRequest, reply: FastifyReply, representation: Representation): Promise<void> {
    const { sha256, mime, cacheControl, until } = representation;
    const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
    const source = await this.#deps.blobs.source(sha256, { method, mime, cacheControl });
    switch (source.kind) {
      case 'here':
        return sendBytes(source.file, this.#known, request, reply, representation);
      case 'internal':
        if (request.headers[PASS_HEADER] !== undefined && until !== undefined) {
          void reply.headers({ 'content-type': mime, 'cache-control': cacheControl, 'etag': etagOf(sha256) });
          return void reply.headers({ 'x-accel-redirect': source.path, 'x-accel-expires': `@${until}` }).send();
        }
        if (isAnswered(request, reply, representation)) return;
        // nginx accepts only its own tag, and would answer HEAD with a part.
        if (request.method === 'HEAD' || request.headers['if-match'] !== undefined) {
          return sendBytes(source.file, this.#known, request, reply, representation);
        }
        // The web server in front answers ranges for the file that it sends, and adds the rest.
        void reply.headers({ 'content-type': mime, 'cache-control': cacheControl, 'etag': etagOf(sha256) });
        return void reply.header('x-accel-redirect', source.path).send();
      case 'elsewhere':
        return void reply.header('cache-control', REDIRECT).redirect(source.url, 302);
    }
  }
}
