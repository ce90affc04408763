import { type Call, type Envelope, devices, makeClient, session } from '@ams/contract';
import { plainFetch } from './fetch.ts';
import { type Credentials, UsageError } from './options.ts';

/** Pairs machines by the codes they show. */
export interface Operator {
  /** Answers why not, where the server said so. Each code is tried once, and a machine is paired once in a run. */
  pair(mac: string, code: string): Promise<string | undefined>;
}

const TIMEOUT_MS = 10_000;
/** The envelope's code for a call that never reached the server. */
const NETWORK = 0;

const isEnvelope = (value: unknown): value is Envelope<unknown> =>
  typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'number';

/** The calls of an operator. The token of the last reply that brought one goes with the next call. */
function makeCalls(server: string) {
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
  return makeClient({ session, devices }, transport);
}

type Calls = ReturnType<typeof makeCalls>;

function dataOf<T>(reply: Envelope<T>, what: string): T {
  if (reply.error === undefined) return reply.data;
  throw new UsageError(`${what}: ${reply.message}`);
}

/** One pairing at a time: a fleet that starts is many of them at once. */
function makePairer(calls: Calls): Operator {
  const tried = new Set<string>();
  const paired = new Set<string>();
  let turn: Promise<unknown> = Promise.resolve();

  async function pairOnce(mac: string, code: string): Promise<string | undefined> {
    const reply = await calls.devices.pair({ body: { mac, code } });
    if (reply.error === undefined) paired.add(mac);
    else if (reply.code === NETWORK || reply.code >= 500) tried.delete(mac + code);
    return reply.error === undefined ? undefined : reply.message;
  }

  return {
    async pair(mac, code) {
      if (paired.has(mac) || tried.has(mac + code)) return undefined;
      tried.add(mac + code);
      const mine = turn.then(() => pairOnce(mac, code));
      turn = mine;
      return mine;
    },
  };
}

/** Signs in. Throws `UsageError` when there is no server, or it wants a picture read, or does not know the operator. */
export async function signIn(server: string, credentials: Credentials): Promise<Operator> {
  const calls = makeCalls(server);
  const { captcha } = dataOf(await calls.session.settings(), `no answer from ${server}`);
  if (captcha) {
    throw new UsageError(
      `${server} asks for a verification code at login: start it with AMS_CAPTCHA=off, or pair by --key`,
    );
  }
  dataOf(await calls.session.login({ body: credentials }), `${credentials.username} cannot log in`);
  return makePairer(calls);
}
