import { channel } from 'node:diagnostics_channel';
import { maxHeaderSize, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, type ErrorName, ERRORS, errorsOf, type Failure, type Route } from '@ams/contract';
import { explainIssues, fillMessage, type SchemaIssue } from '@ams/contract/messages/explain';
import type { Messages, Rule } from '@ams/contract/messages/en';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { type Collision, collisionOf } from '../database/database.ts';
import { isDatabaseAway } from '../database/away.ts';
import { endedFromOutside } from '../sandbox/limits.ts';
import { answersPage, sendErrorPage } from './error-page.ts';
import { messagesFor } from './messages.ts';
import { sizeInWords } from './size.ts';
import { isS3Error, isStorageFull } from './storage-full.ts';

const RETRY_AFTER_SECONDS = 5;
const KB = 1024;
/** Fastify's own limit for a body. */
export const BODY_LIMIT = KB * KB;

/** Stands for input that has no fields, such as a body that is no JSON. */
const wholeInput = (messages: Messages) => ({
  fields: [{ path: '', rule: 'invalid' satisfies Rule, message: messages.rules.invalid }],
});

/** The envelope of an error in the reader's language. What is `INVALID` always names fields. */
export function toFailure(error: ErrorName, messages: Messages, given?: Record<string, unknown>): Failure {
  const details = error === 'INVALID' ? { ...wholeInput(messages), ...given } : given;
  return {
    code: ERRORS[error],
    message: fillMessage(messages.errors[error], details),
    error,
    ...(details && { details }),
  };
}

/** The status of S3 that refuses the server: its keys were changed, say, or one of the two clocks is wrong. */
const REFUSED = 403;

/** S3 is away, too busy, ill itself or closed to the server; the client has tried several times. */
function isStorageAway(error: unknown): boolean {
  if (!isS3Error(error)) return error instanceof Error && error.name === 'TimeoutError';
  const { httpStatusCode: status = 500 } = error.$metadata;
  return error.$retryable !== undefined || status >= 500 || status === REFUSED;
}

/** The type provider hands zod's issues on as JSON-pointer paths and keywords. */
const issuesOf = (error: FastifyError): SchemaIssue[] =>
  (error.validation ?? []).map((entry) => ({
    path: entry.instancePath.split('/').filter(Boolean),
    message: entry.message ?? '',
    code: entry.keyword,
  }));

interface RefusedField {
  path: string;
  rule: Rule;
}

/** A field that a service refuses, in the same shape as one that a schema refuses. */
export const invalidField = (path: string, rule: Rule): AppError =>
  new AppError('INVALID', { fields: [{ path, rule }] });

/** Adds the messages of fields that a service refused. */
function explainFields(
  details: Record<string, unknown> | undefined,
  messages: Messages,
): Record<string, unknown> | undefined {
  const fields = details?.['fields'];
  if (!Array.isArray(fields)) return details;
  return {
    ...details,
    fields: fields.map((field: RefusedField) => ({ ...field, message: messages.rules[field.rule] })),
  };
}

/** `image/jpeg` is JPEG. */
const formatWords = (type = 'application/json'): string => type.replace(/^.*\//, '').toUpperCase();

/** Default answer to the second of two concurrent changes. */
const COLLISIONS: Record<Collision, ErrorName> = {
  missing: 'NOT_FOUND',
  referenced: 'CHANGED_MEANWHILE',
  taken: 'CHANGED_MEANWHILE',
  aborted: 'CHANGED_MEANWHILE',
  locked: 'CHANGED_MEANWHILE',
};

/** Refusals of the file server of the pages: an address that names no file, a precondition, a range. */
const OF_FILES = new Map<number | undefined, ErrorName>([
  [403, 'NOT_FOUND'],
  [412, 'PRECONDITION_FAILED'],
  [416, 'RANGE_NOT_SATISFIABLE'],
]);

/** Maps a thrown value to an error of the catalogue. */
function classify(
  thrown: FastifyError | AppError,
  messages: Messages,
  route: Route | undefined,
): { error: ErrorName; details?: Record<string, unknown> | undefined } {
  if (thrown instanceof AppError) return { error: thrown.error, details: explainFields(thrown.details, messages) };
  if (hasZodFastifySchemaValidationErrors(thrown)) {
    // An id that cannot exist is a thing that was not found, not a form filled in wrongly.
    if (thrown.validationContext === 'params') return { error: 'NOT_FOUND' };
    return { error: 'INVALID', details: { fields: explainIssues(issuesOf(thrown), messages) } };
  }
  if (thrown.statusCode === 413) {
    return { error: 'TOO_LARGE', details: { limit: sizeInWords(route?.maxBytes ?? BODY_LIMIT) } };
  }
  if (thrown.statusCode === 415) {
    return { error: 'UNSUPPORTED_FORMAT', details: { t: formatWords(route?.bodyType) } };
  }
  const ofFile = OF_FILES.get(thrown.statusCode);
  if (ofFile) return { error: ofFile };
  if (thrown.statusCode && thrown.statusCode >= 400 && thrown.statusCode < 500) return { error: 'INVALID' };
  if (isStorageFull(thrown)) return { error: 'STORAGE_FULL' };
  if (isDatabaseAway(thrown) || isStorageAway(thrown) || endedFromOutside(thrown)) return { error: 'UNAVAILABLE' };
  const collision = collisionOf(thrown);
  if (collision) return { error: COLLISIONS[collision] };
  return { error: 'INTERNAL' };
}

/** Answers what is no HTTP, or has more headers than anybody needs; its language is not known yet. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const failure =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? toFailure('TOO_LARGE', messagesFor(undefined), { limit: sizeInWords(maxHeaderSize) })
      : toFailure('INVALID', messagesFor(undefined));
  const body = JSON.stringify(failure);
  const head = [
    `HTTP/1.1 ${failure.code} ${STATUS_CODES[failure.code]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Tests listen here for errors that a route does not declare, and the OpenAPI document would not have. */
export const undeclaredErrors = channel('ams:undeclared-error');

function tellUndeclared(error: ErrorName, route: Route): void {
  if (!errorsOf(route).includes(error)) undeclaredErrors.publish(`${route.method} ${route.url}: ${error}`);
}

/** The response to a thrown value. `retryAfterSeconds`: when a retry may succeed. */
export interface Failed {
  failure: Failure;
  retryAfterSeconds?: number;
}

/** Turns a thrown value into its answer: known errors by the catalogue, unexpected ones as a request id. */
export function failureOf(thrown: FastifyError | AppError, request: FastifyRequest): Failed {
  const messages = messagesFor(request.headers['accept-language']);
  const { route } = request.routeOptions.config;
  const { error, details } = classify(thrown, messages, route);
  if (route && undeclaredErrors.hasSubscribers) tellUndeclared(error, route);
  if (error === 'INTERNAL') return { failure: toFailure('INTERNAL', messages, { requestId: request.id }) };
  const failure = toFailure(error, messages, details);
  if (error === 'UNAVAILABLE') return { failure, retryAfterSeconds: RETRY_AFTER_SECONDS };
  if (error !== 'TOO_MANY') return { failure };
  const seconds = details?.['seconds'];
  return { failure, retryAfterSeconds: typeof seconds === 'number' ? seconds : RETRY_AFTER_SECONDS };
}

/** The only place that answers errors; the log has the details that an answer must not contain. */
export function sendError(thrown: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { failure, retryAfterSeconds } = failureOf(thrown, request);
  if (failure.error === 'INTERNAL') request.log.error({ err: thrown }, 'unexpected error');
  if (failure.error === 'UNAVAILABLE') request.log.warn({ err: thrown }, 'unavailable');
  // Rare for a reason; often, it is a bug of ours.
  if (collisionOf(thrown)) request.log.warn({ err: thrown }, 'concurrent change');
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds);
  if (answersPage(request.routeOptions.config.route)) return sendErrorPage(failure, request, reply);
  return reply.code(failure.code).send(failure);
}
