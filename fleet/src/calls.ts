import { type Call, type Client, type Envelope, type Routes, isEnvelope, makeClient, routes } from '@ams/contract';
import { plainFetch } from './fetch.ts';
import { UsageError } from './options.ts';

const TIMEOUT_MS = 10_000;
/** The envelope's code for a call that never reached the server. */
export const NETWORK = 0;

/** Somebody's calls. */
export interface Caller {
  calls: Client<Routes>;
  /** Undefined before the login. */
  token(): string | undefined;
}

/** The calls of a person. The token of the last reply that brought one goes with the next call. */
export function makeCaller(server: string): Caller {
  let token: string | undefined;
  async function transport({ method, url, body }: Call): Promise<Envelope<unknown>> {
    try {
      const response = await plainFetch(server + url, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      token = response.headers.get('token') ?? token;
      const reply: unknown = await response.json();
      return isEnvelope(reply) ? reply : { code: NETWORK, message: 'not this product', error: 'NETWORK' };
    } catch (error) {
      return { code: NETWORK, message: error instanceof Error ? error.message : String(error), error: 'NETWORK' };
    }
  }
  return { calls: makeClient(routes, transport), token: () => token };
}

/** `data` of a reply. Throws `UsageError`, which begins with `what`, when it is a failure. */
export function dataOf<T>(reply: Envelope<T>, what: string): T {
  if (reply.error === undefined) return reply.data;
  throw new UsageError(`${what}: ${reply.message}`);
}
