import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Call, type Client, type Envelope, makeClient, routes, type Routes, type User } from '@ams/contract';
import type pg from 'pg';
import { type DestinationStream, pino } from 'pino';
import { expect, inject } from 'vitest';
import { undeclaredErrors } from '../src/platform/http/errors.ts';
import { readConfig } from '../src/config.ts';
import type { Config } from '../src/platform/process/config.ts';
import type { Pace } from '../src/devices/presence.service.ts';
import type { RunningServer } from '../src/lifecycle.ts';
import { startServer } from '../src/lifecycle.ts';
import { atEndOfFile } from './endings.ts';
import { copyDatabase } from './shared-postgres.ts';

export const ADMIN = { username: 'admin', password: 'password1' };

/** A server of its own on a database of its own, with the calls of the contract. */
export interface TestServer extends RunningServer {
  url: string;
  config: Config;
  connection: pg.PoolConfig;
  /** The typed calls as somebody with this token, or nobody. */
  as(token?: string, headers?: Record<string, string>): Client<Routes>;
  /** Signs in and returns the token and the calls. */
  login(username?: string, password?: string): Promise<Session>;
  /** A new user below `superior` (root when left out), signed in. */
  createUser(role: User['role'], superior?: Session): Promise<Session>;
}

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

/** A new database: empty, or a copy of `template`. */
export const makeDatabase = async (template?: string): Promise<pg.PoolConfig & { url: string }> => ({
  ...(await copyDatabase(inject('postgres'), template)),
  max: 10,
});

/** The errors that calls of this test file answered without declaring them (`errors` of their routes). */
const undeclared = new Set<unknown>();
undeclaredErrors.subscribe((error) => undeclared.add(error));

/** Starts a server for this test file, which logs to `logTo`; it stops by itself when the file is done. */
export async function startTestServer(
  settings: NodeJS.ProcessEnv = {},
  pace: Partial<Pace> = {},
  logTo: DestinationStream = process.stdout,
): Promise<TestServer> {
  const data = await mkdtemp(path.join(tmpdir(), 'ams-data-'));
  const { url: _, ...connection } = await makeDatabase(inject('migrated'));
  const config = readConfig({
    PORT: '0',
    AMS_DATA: data,
    AMS_CAPTCHA: 'off',
    AMS_ADMIN_PASSWORD: ADMIN.password,
    AMS_BALLAST_MB: '0',
    LOG_LEVEL: 'warn',
    ...settings,
  });
  const started = await startServer(config, connection, pino({ level: config.logLevel }, logTo), pace);
  atEndOfFile(async () => {
    await started.stop();
    await rm(data, { recursive: true, force: true });
    expect([...undeclared]).toEqual([]);
  });
  await started.listen({ port: 0, host: '127.0.0.1' });
  return { ...started, ...callersAt(addressOf(started)), config, connection };
}

const addressOf = ({ app }: RunningServer): string => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

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
export type Callers = Pick<TestServer, 'as' | 'login' | 'createUser'>;

export const callersAt = (url: string): Callers & { url: string } => ({
  url,
  ...callersBy((address, request) => fetch(url + address, request)),
});

export function callersBy(send: Send): Callers {
  const post = (address: string, body: object) =>
    send(address, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  const as: TestServer['as'] = (token, headers = {}) =>
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

  const login: TestServer['login'] = async (username = ADMIN.username, password = ADMIN.password) => {
    const reply = await post('/api/login', { username, password });
    const { user } = dataOf((await reply.json()) as Envelope<{ user: User }>);
    const token = reply.headers.get('token') ?? '';
    return { token, user, calls: as(token) };
  };

  const createUser: TestServer['createUser'] = async (role, superior) => {
    const above = superior ?? (await login());
    const username = `u${randomBytes(6).toString('hex')}`;
    dataOf(await above.calls.users.create({ body: { username, password: ADMIN.password, role } }));
    return login(username);
  };

  return { as, login, createUser };
}
