import { type Failure, UPLOAD_URL } from '@ams/contract';
import { DetailedError, type HttpRequest, type HttpResponse } from 'tus-js-client';
import { envelopeOf } from '../api.ts';
import { authorization, readHeaders } from '../headers.ts';

/** The first piece is small: a file of the wrong content is refused before the rest is sent. */
export const FIRST_PIECE = 2 ** 16;

/** An answer to a HEAD that has no information about the upload. */
class HeadRefused extends Error {
  readonly response: HttpResponse;

  constructor(response: HttpResponse) {
    super(`HEAD answered ${response.getStatus()}`);
    this.response = response;
  }
}

/** The server does not have the upload any more. */
export const isGone = (status: number): boolean => status === 404 || status === 410;

/** Adds the session and the language to a request of tus. */
export function authorize(request: HttpRequest): void {
  request.setHeader('Authorization', authorization() ?? '');
  request.setHeader('Accept-Language', document.documentElement.lang);
}

/**
 * Takes over the headers of a response. tus answers any refused HEAD by starting the upload anew, which is right
 * only when it is gone.
 */
export function read(request: Pick<HttpRequest, 'getHeader' | 'getMethod'>, response: HttpResponse): void {
  const status = response.getStatus();
  readHeaders(status, request.getHeader('Authorization'), (name) => response.getHeader(name) ?? undefined);
  if (status >= 400 && request.getMethod() === 'HEAD' && !isGone(status)) throw new HeadRefused(response);
}

/** The answer that ended an upload, if there was one. */
export function responseOf(error: Error): HttpResponse | undefined {
  if (!(error instanceof DetailedError)) return undefined;
  if (error.causingError instanceof HeadRefused) return error.causingError.response;
  return error.originalResponse ?? undefined;
}

/** The `Authorization` header of the request that was refused. */
export const askedBy = (error: Error): string | undefined =>
  error instanceof DetailedError ? error.originalRequest?.getHeader('Authorization') : undefined;

/** The envelope of a refusal; what is none becomes one from its status. */
export function failureOf(response: HttpResponse): Failure {
  const status = response.getStatus();
  let body: unknown;
  try {
    body = JSON.parse(response.getBody());
  } catch {
    body = undefined;
  }
  const envelope = envelopeOf(status, body);
  return envelope.error === undefined ? { code: status, error: 'HTTP', message: envelope.message } : envelope;
}

/** Result of the upload. */
export const fileIdOf = (response: HttpResponse, url: string | null): string =>
  response.getHeader('file-id') ?? url?.split('/').at(-1) ?? '';

export const endpoint = () => new URL(UPLOAD_URL, window.location.href).href;
