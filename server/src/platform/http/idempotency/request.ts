import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Device, Viewer } from '../../auth/auth.ts';
import { failureOf, invalidField } from '../errors.ts';
import { answerOnce, type Parts } from './once.ts';
import type { Intent } from './seal.ts';

export const IDEMPOTENCY_HEADER = 'idempotency-key';
const KEY = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]{0,253}[\x21-\x7e\x80-\xff])?$/;

/**
 * The intent of a request with an idempotency key; undefined without one. `body`: the bytes sent.
 * @throws {AppError} `INVALID` when the key is empty, longer than 255 characters or has invisible ones
 */
export function intentOf(
  { headers, method, url }: FastifyRequest,
  caller: Viewer | Device | null,
  bytes: () => readonly (string | Buffer)[],
): Intent | undefined {
  const key = headers[IDEMPOTENCY_HEADER]?.toString();
  // Without an account there is nobody whose key it is: calls that begin a session run each time.
  if (key === undefined || !caller) return undefined;
  if (!KEY.test(key)) throw invalidField(IDEMPOTENCY_HEADER, 'invalid');
  // People of one account do not get each other's answers.
  const accountId = caller.kind === 'user' ? caller.person.id : caller.id;
  return { accountId, key, request: [method, url, ...bytes()] };
}

interface Running {
  request: FastifyRequest;
  reply: FastifyReply;
  /** The envelope of a success; undefined when the handler has answered by itself. */
  run: () => Promise<object | undefined>;
}

/** Session, pace and time-outs: the same request may be answered otherwise when it is repeated. */
const PASSING = new Set([401, 408, 429]);
const isLasting = (status: number): boolean => status < 500 && !PASSING.has(status);

/** A success as Fastify would send it. */
function textOf(reply: FastifyReply, envelope: object): string {
  const text = reply.serialize(envelope);
  if (typeof text !== 'string') throw new TypeError('an envelope is serialized as text');
  return text;
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/**
 * The body of the answer to an intent, whose status and headers are set; undefined when the handler answers by itself.
 * Refusals are kept as successes are; faults of ours are not.
 */
export async function answerIntent(
  parts: Parts,
  intent: Intent,
  { request, reply, run }: Running,
): Promise<string | undefined> {
  const answer = await answerOnce(parts, intent, async () => {
    try {
      const envelope = await run();
      return envelope && { status: 200, headers: JSON_HEADERS, body: textOf(reply, envelope) };
    } catch (error) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the error handler gets the same thrown value from Fastify
      const { failure } = failureOf(error as FastifyError, request);
      if (!isLasting(failure.code)) throw error;
      return { status: failure.code, headers: JSON_HEADERS, body: JSON.stringify(failure) };
    }
  });
  if (!answer) return undefined;
  void reply.code(answer.status).headers(answer.headers);
  return answer.body;
}
