import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { AppError, type ErrorName } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toFailure } from '../platform/http/errors.ts';
import { messagesFor } from '../platform/http/messages.ts';
import type { Checksum } from './upload-store.ts';

export const TUS_VERSION = '1.0.0';
export const CHECKSUM_ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'];
/** Not an HTTP status of the standard, but of the tus extension `checksum`. */
export const CHECKSUM_MISMATCH = 460;

/** Bytes that may wait for the disk while the socket is read further. */
const BODY_BUFFER_BYTES = 2 ** 20;

/** The header by which the id of a new upload reaches tus. */
export const ID_HEADER = 'x-upload-id';
const PASSED_HEADERS = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-defer-length',
  'upload-length',
  'upload-offset',
];
/** The bytes of a request on their way past tus, which would lead each through four streams of its own. */
export interface Sent {
  /** Ends when the connection breaks, too: what arrived is kept for the next try. */
  bytes: Readable;
  /** Ends it early; what is still sent is not read. */
  end(): void;
}

function sentBy(raw: IncomingMessage, stopping: AbortSignal): Sent {
  const bytes = new PassThrough({ highWaterMark: BODY_BUFFER_BYTES });
  const end = (): void => {
    raw.unpipe(bytes);
    bytes.end();
  };
  raw.on('error', end).on('close', end).pipe(bytes);
  if (stopping.aborted) end();
  stopping.addEventListener('abort', end);
  raw.once('close', () => stopping.removeEventListener('abort', end));
  return { bytes, end };
}

/** A body for tus that has no bytes and lasts as long as those of the request. */
const lastingAs = ({ bytes }: Sent): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      let open = true;
      bytes.once('finish', () => open && controller.close());
      bytes.once('close', () => (open = false));
    },
  });

export const headerOf = (request: FastifyRequest, name: string): string | undefined =>
  request.headers[name]?.toString();

/** How many bytes the body is said to have; undefined when that is left open. */
export function lengthOf(request: FastifyRequest): number | undefined {
  const length = headerOf(request, 'content-length');
  return length === undefined ? undefined : Number(length);
}

/** The request as tus gets it, without its bytes: only what it reads, and our own metadata instead of the client's. */
export function toTus(
  request: FastifyRequest,
  stopping: AbortSignal,
  extra: Record<string, string> = {},
): { head: Request; sent: Sent | undefined } {
  const headers = new Headers(extra);
  for (const name of PASSED_HEADERS) {
    const value = headerOf(request, name);
    if (value !== undefined) headers.set(name, value);
  }
  const { method } = request;
  const sent = method === 'PATCH' || method === 'POST' ? sentBy(request.raw, stopping) : undefined;
  const url = new URL(request.url, 'http://localhost');
  const body = sent && ({ body: lastingAs(sent), duplex: 'half' } as const);
  return { head: new Request(url, { method, headers, ...body }), sent };
}

/** `Upload-Checksum: <algorithm> <Base64>`; undefined without one. */
export function checksumOf(request: FastifyRequest): Checksum | undefined {
  const header = headerOf(request, 'upload-checksum');
  if (header === undefined) return undefined;
  const [algorithm = '', digest = ''] = header.split(' ');
  if (!CHECKSUM_ALGORITHMS.includes(algorithm)) throw new AppError('INVALID');
  return { algorithm, digest: Buffer.from(digest, 'base64') };
}

const ERROR_OF_STATUS: Partial<Record<number, ErrorName>> = {
  404: 'NOT_FOUND',
  409: 'CHANGED_MEANWHILE',
  410: 'NOT_FOUND',
  413: 'TOO_LARGE',
};

/** Answers with a status of the protocol's own and the usual envelope. */
export function refuse(request: FastifyRequest, reply: FastifyReply, status: number): FastifyReply {
  const failure = toFailure(ERROR_OF_STATUS[status] ?? 'INVALID', messagesFor(request.headers['accept-language']));
  return reply
    .code(status)
    .header('tus-resumable', TUS_VERSION)
    .header('tus-version', TUS_VERSION)
    .send({ ...failure, code: status });
}
