import { Readable } from 'node:stream';
import { AppError } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf } from '../platform/auth.ts';
import type { ByteRange } from '../platform/blobs.ts';
import type { Deps } from '../platform/deps.ts';
import { findPlayable, findPoster } from './files.queries.ts';
import { noneMatchNames, parseRange, rangeApplies } from './range.ts';

interface Signature {
  e?: string | undefined;
  s?: string | undefined;
}

/**
 * Lets a valid signature of `path` or a machine's token through. Throws `BAD_SIGNATURE` when there
 * is neither, `UNAUTHENTICATED` for a token that no machine has.
 * Any paired machine may fetch any blob: only who knows a content can name its hash.
 */
async function requireKey(deps: Deps, request: FastifyRequest, path: string, { e, s }: Signature): Promise<void> {
  if (deps.signer.verify(path, e, s)) return;
  const token = bearerOf(request);
  if (token === undefined) throw new AppError('BAD_SIGNATURE');
  await deps.identities.device(token);
}

/** One blob as a reply: what it is called, what it is, and how long it may be kept. */
interface Representation {
  sha256: string;
  mime: string;
  cacheControl: string;
}

const IMMUTABLE = 'public, max-age=31536000, immutable';
const ONE_DAY = 'public, max-age=86400';
/** The address in a redirect opens for a day at least; who may follow it is between this caller and us. */
const REDIRECT = 'private, max-age=3600';

const etagOf = (sha256: string): string => `"${sha256}"`;

function sendHeaders(reply: FastifyReply, { mime, cacheControl }: Representation, etag: string): void {
  void reply.headers({
    'accept-ranges': 'bytes',
    'cache-control': cacheControl,
    'content-type': mime,
    // What people uploaded must never act as a page of this server, whatever it holds.
    'content-security-policy': "sandbox; default-src 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    etag,
    'x-content-type-options': 'nosniff',
  });
}

/** The bytes; a missing file is the same as a missing row. */
async function open(deps: Deps, sha256: string, range: ByteRange | undefined): Promise<Readable> {
  try {
    return await deps.blobs.read(sha256, range);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') throw new AppError('NOT_FOUND');
    throw error;
  }
}

/** Sends it from here, or says where it is. */
async function sendBlob(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
): Promise<void> {
  const { sha256, mime, cacheControl } = representation;
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
  const source = await deps.blobs.source(sha256, { method, mime, cacheControl });
  switch (source.kind) {
    case 'here':
      return sendBytes(deps, request, reply, representation);
    case 'internal':
      // The web server in front answers ranges and conditions for the file that it sends, and adds the rest.
      void reply.headers({ 'content-type': mime, 'cache-control': cacheControl, 'x-accel-redirect': source.path });
      return void reply.send();
    case 'elsewhere':
      return void reply.header('cache-control', REDIRECT).redirect(source.url, 302);
  }
}

/** Answers GET and HEAD with a blob: 200, 206, 304 or 416 (RFC 9110 §13.2.2, §14). */
async function sendBytes(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  representation: Representation,
): Promise<void> {
  const { sha256 } = representation;
  const size = await deps.blobs.size(sha256);
  if (size === undefined) throw new AppError('NOT_FOUND');
  const etag = etagOf(sha256);
  if (noneMatchNames(request.headers['if-none-match'], etag)) {
    sendHeaders(reply, representation, etag);
    void reply
      .code(304)
      .removeHeader('content-type')
      .send(request.method === 'HEAD' ? Readable.from([]) : undefined);
    return;
  }
  const ifRange = request.headers['if-range'];
  const part = parseRange(rangeApplies(ifRange?.toString(), etag) ? request.headers.range : undefined, size);
  if (part.kind === 'unsatisfiable') {
    void reply.header('content-range', `bytes */${size}`);
    throw new AppError('RANGE_NOT_SATISFIABLE');
  }
  const range = part.kind === 'part' ? part.range : undefined;
  // HEAD has no body, and Fastify leaves the length alone only when it is given a stream.
  const body = request.method === 'HEAD' ? Readable.from([]) : await open(deps, sha256, range);
  sendHeaders(reply, representation, etag);
  if (range) void reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`);
  void reply.header('content-length', range ? range.end - range.start + 1 : size).send(body);
}

/** `GET /media/:sha256`: what machines play. */
export async function sendMedia(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  sha256: string,
  signature: Signature,
): Promise<void> {
  await requireKey(deps, request, `/media/${sha256}`, signature);
  const blob = await findPlayable(deps.db, sha256);
  if (!blob) throw new AppError('NOT_FOUND');
  await sendBlob(deps, request, reply, {
    sha256,
    mime: blob.mime ?? 'application/octet-stream',
    cacheControl: IMMUTABLE,
  });
}

/** `GET /media/:sha256/poster`: its still. */
export async function sendPoster(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  sha256: string,
  signature: Signature,
): Promise<void> {
  await requireKey(deps, request, `/media/${sha256}/poster`, signature);
  const found = await findPoster(deps.db, sha256);
  if (!found) throw new AppError('NOT_FOUND');
  await sendBlob(deps, request, reply, { sha256: found.poster, mime: 'image/webp', cacheControl: ONE_DAY });
}
