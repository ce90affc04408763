import { type Caller, NETWORK, dataOf, makeCaller } from './calls.ts';
import { type Credentials, UsageError } from './options.ts';

/** Pairs devices by the codes they show. */
export interface Operator {
  /** Returns the server's reason if pairing fails. Each code is tried once, and a device is paired once in a run. */
  pair(mac: string, code: string): Promise<string | undefined>;
}

type Calls = Caller['calls'];

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
  const { calls } = makeCaller(server);
  const { captcha } = dataOf(await calls.session.settings(), `no answer from ${server}`);
  if (captcha) {
    throw new UsageError(
      `${server} asks for a verification code at login: start it with AMS_CAPTCHA=off, or pair by --key`,
    );
  }
  dataOf(await calls.session.login({ body: credentials }), `${credentials.username} cannot log in`);
  return makePairer(calls);
}
