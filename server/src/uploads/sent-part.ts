import { PassThrough, type Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { type Checksum, checksumOf, integerOf } from './protocol.ts';

/** Bytes that may wait for the disk while the socket is read. */
const BUFFER_BYTES = 2 ** 20;

/** A part of an upload: the body of a request with the facts from its headers. */
export interface SentPart {
  /** Ends when the connection breaks, too: what arrived is kept for the next request. */
  bytes: Readable;
  /** Ends it early; what the client still sends is not read. */
  end(): void;
  /** How many bytes it shall have; undefined when the request leaves that open. */
  announced: number | undefined;
  checksum: Checksum | undefined;
}

/** The body of a request, which ends early when the process stops. */
export function takePart(request: FastifyRequest, stopping: AbortSignal): SentPart {
  const announced = integerOf(request, 'content-length');
  const checksum = checksumOf(request);
  return { ...readBody(request.raw, stopping), announced, checksum };
}

function readBody(raw: IncomingMessage, stopping: AbortSignal): Pick<SentPart, 'bytes' | 'end'> {
  const bytes = new PassThrough({ highWaterMark: BUFFER_BYTES });
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
