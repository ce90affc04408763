import { randomBytes } from 'node:crypto';
import { type Call, type Client, type Envelope, makeClient, routes, type Routes, type User } from '@ams/contract';

export const ADMIN = { username: 'admin', password: 'password1' };

export interface Session {
  token: string;
  user: User;
  calls: Client<Routes>;
}

/** `data` of a reply that must be a success. */
export function dataOf<T>(reply: Envelope<T>): T {
  if (reply.error !== undefined) throw new Error(`${reply.code} ${reply.error}: ${JSON.stringify(reply)}`);
  return reply.data;
}

/** What a call is answered with, over a network or not. */
interface Reply {
  headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}

/** Sends a request to a path of a server. */
type Send = (
  address: string,
  request: { method: Call['method']; headers: Record<string, string>; body?: string },
) => Promise<Reply>;

/** People and devices who call a server. */
export interface Callers {
  /** The typed calls as somebody with this token, or nobody. */
  as(token?: string, headers?: Record<string, string>): Client<Routes>;
  /** Signs in and returns the token and the calls. */
  login(username?: string, password?: string): Promise<Session>;
  /** A new user below `superior` (root when left out), signed in. */
  createUser(role: User['role'], superior?: Session): Promise<Session>;
}

export const callersAt = (url: string): Callers & { url: string } => ({
  url,
  ...callersBy((address, request) => fetch(url + address, request)),
});

export function callersBy(send: Send): Callers {
  const post = (address: string, body: object) =>
    send(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  const as: Callers['as'] = (token, headers = {}) =>
    makeClient(routes, async (call) => {
      const reply = await send(call.url, {
        method: call.method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      });
      return (await reply.json()) as Envelope<unknown>;
    });

  const login: Callers['login'] = async (username = ADMIN.username, password = ADMIN.password) => {
    const reply = await post('/api/login', { username, password });
    const { user } = dataOf((await reply.json()) as Envelope<{ user: User }>);
    const token = reply.headers.get('token') ?? '';
    return { token, user, calls: as(token) };
  };

  const createUser: Callers['createUser'] = async (role, superior) => {
    const above = superior ?? (await login());
    const username = `u${randomBytes(6).toString('hex')}`;
    dataOf(await above.calls.users.create({ body: { username, password: ADMIN.password, role } }));
    return login(username);
  };

  return { as, login, createUser };
}
