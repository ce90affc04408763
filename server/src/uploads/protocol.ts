import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorName } from '@ams/contract';
import { toFailure } from '../platform/http/errors.ts';
import { messagesFor } from '../platform/http/messages.ts';
import type { SentMetadata } from '../blobs/purpose.ts';

/** Reads and checks the headers of tus 1.0.0 (https://tus.io/protocols/resumable-upload). */

export const TUS_VERSION = '1.0.0';
export const EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'];
export const CHECKSUM_ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'];
/** Not an HTTP status of the standard, but of the tus extension `checksum`. */
export const CHECKSUM_MISMATCH = 460;
export const OCTETS = 'application/offset+octet-stream';

const ERROR_OF_STATUS = {
  400: 'INVALID',
  409: 'CHANGED_MEANWHILE',
  410: 'NOT_FOUND',
  412: 'PRECONDITION_FAILED',
  413: 'TOO_LARGE',
  415: 'UNSUPPORTED_FORMAT',
  [CHECKSUM_MISMATCH]: 'INVALID',
} as const satisfies Record<number, ErrorName>;

/** A request that the protocol refuses, with a status that the protocol defines. */
export class TusRefusal extends Error {
  override name = 'TusRefusal';
  readonly status: keyof typeof ERROR_OF_STATUS;
  readonly details: Record<string, string> | undefined;

  constructor(status: keyof typeof ERROR_OF_STATUS, details?: Record<string, string>) {
    super(`tus refuses with ${status}`);
    this.status = status;
    this.details = details;
  }
}

/** Refuses a part that has more than the `left` bytes that its upload still lacks. */
export const tooLong = (left: number): TusRefusal => new TusRefusal(413, { limit: `${left} B` });

/** Answers a refused request with its status and the usual envelope. */
export function sendRefusal(
  { status, details }: TusRefusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const messages = messagesFor(request.headers['accept-language']);
  const failure = toFailure(ERROR_OF_STATUS[status], messages, details);
  if (status === 412) void reply.header('tus-version', TUS_VERSION);
  return reply.code(status).send({ ...failure, code: status });
}

export const headerOf = ({ headers }: FastifyRequest, name: string): string | undefined => headers[name]?.toString();

/** The method of a request, which `X-HTTP-Method-Override` replaces: some proxies let only GET and POST through. */
export const methodOf = (request: FastifyRequest): string =>
  headerOf(request, 'x-http-method-override')?.toUpperCase() ?? request.method;

/** Refuses other versions of the protocol, and headers of extensions that the server does not announce. */
export function requireProtocol(request: FastifyRequest): void {
  if (headerOf(request, 'tus-resumable') !== TUS_VERSION) throw new TusRefusal(412);
  for (const name of ['upload-defer-length', 'upload-concat']) {
    if (headerOf(request, name) !== undefined) throw new TusRefusal(400);
  }
}

/** A header that must be a non-negative integer. Refuses any other with 400; undefined when it is missing. */
export function integerOf(request: FastifyRequest, name: string): number | undefined {
  const text = headerOf(request, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value)) throw new TusRefusal(400);
  return value;
}

/** A header that must be a non-negative integer and must not be missing. */
export function requireInteger(request: FastifyRequest, name: string): number {
  const value = integerOf(request, name);
  if (value === undefined) throw new TusRefusal(400);
  return value;
}

/** Whether the body is a part of an upload. */
export const hasPart = (request: FastifyRequest): boolean => headerOf(request, 'content-type') === OCTETS;

/** The expected hash of a part of an upload. */
export interface Checksum {
  algorithm: string;
  digest: Buffer;
}

/** `Upload-Checksum: <algorithm> <Base64>`; undefined without one. Refuses an unknown algorithm with 400. */
export function checksumOf(request: FastifyRequest): Checksum | undefined {
  const header = headerOf(request, 'upload-checksum');
  if (header === undefined) return undefined;
  const [algorithm = '', digest = ''] = header.split(' ');
  if (!CHECKSUM_ALGORITHMS.includes(algorithm)) throw new TusRefusal(400);
  return { algorithm, digest: Buffer.from(digest, 'base64') };
}

const KEY = /^[\x21-\x2b\x2d-\x7e]+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** `Upload-Metadata: key Base64,key`. Refuses with 400 what is malformed or has a key twice. */
export function metadataOf(request: FastifyRequest): SentMetadata {
  const header = headerOf(request, 'upload-metadata');
  if (header === undefined || header === '') return {};
  const pairs = header.split(',').map((pair): [string, string | null] => {
    const [key = '', value, ...rest] = pair.split(' ');
    if (!KEY.test(key) || !BASE64.test(value ?? '') || rest.length > 0) throw new TusRefusal(400);
    return [key, value ? Buffer.from(value, 'base64').toString() : null];
  });
  const metadata = new Map(pairs);
  if (metadata.size < pairs.length) throw new TusRefusal(400);
  return Object.fromEntries(metadata);
}

/** Metadata as the value of an `Upload-Metadata` header. */
export const encodeMetadata = (metadata: Record<string, string>): string =>
  Object.entries(metadata)
    .map(([key, value]) => (value === '' ? key : `${key} ${Buffer.from(value).toString('base64')}`))
    .join(',');
