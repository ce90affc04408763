import type { IncomingMessage } from 'node:http';
import { AppError, type ErrorName } from '@ams/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { toFailure } from '../platform/errors.ts';
import { messagesFor } from '../platform/messages.ts';
import type { Checksum } from './upload-store.ts';

export const TUS_VERSION = '1.0.0';
export const CHECKSUM_ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha512'];
/** Not an HTTP status of the standard, but of the tus extension `checksum`. */
export const CHECKSUM_MISMATCH = 460;

const BODY_BUFFER_BYTES = 2 ** 18;

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
/** A request's body. A connection that breaks, or `stopping`, only ends it: what arrived is kept for the next try. */
function bodyOf(raw: IncomingMessage, stopping: AbortSignal): ReadableStream<Uint8Array> {
  let open = true;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (): void => {
          if (open) controller.close();
          open = false;
        };
        raw.on('data', (chunk: Buffer) => {
          if (!open) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 0) <= 0) raw.pause();
        });
        raw.on('end', end).on('error', end).on('close', end);
        if (stopping.aborted) end();
        stopping.addEventListener('abort', end);
        raw.once('close', () => stopping.removeEventListener('abort', end));
        raw.pause();
      },
      pull: () => void raw.resume(),
      cancel: () => {
        open = false;
        raw.resume();
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BODY_BUFFER_BYTES }),
  );
}

export const headerOf = (request: FastifyRequest, name: string): string | undefined =>
  request.headers[name]?.toString();

/** How many bytes the body is said to have; undefined when that is left open. */
export function lengthOf(request: FastifyRequest): number | undefined {
  const length = headerOf(request, 'content-length');
  return length === undefined ? undefined : Number(length);
}

/** The request as tus gets it: only what it reads, and our own metadata instead of the client's. */
export function toTus(request: FastifyRequest, stopping: AbortSignal, extra: Record<string, string> = {}): Request {
  const headers = new Headers(extra);
  for (const name of PASSED_HEADERS) {
    const value = headerOf(request, name);
    if (value !== undefined) headers.set(name, value);
  }
  const hasBody = request.method === 'PATCH' || request.method === 'POST';
  return new Request(new URL(request.url, 'http://localhost'), {
    method: request.method,
    headers,
    ...(hasBody && { body: bodyOf(request.raw, stopping), duplex: 'half' }),
  });
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
