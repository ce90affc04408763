import { randomBytes } from 'node:crypto';
import { vi } from 'vitest';
import { tusAt } from '../tus.ts';

/** A body as the page "Calls" describes it; failures have `error`. */
export interface Body<T> {
  code: number;
  message: string;
  error?: string;
  details?: Record<string, unknown>;
  data: T;
}

export interface Reply<T> {
  status: number;
  headers: Headers;
  body: Body<T>;
}

export interface Sent {
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export const UUID_V7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
export const UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
export const MISSING = '01900000-0000-7000-8000-000000000000';
export const PASSWORD = 'password1';

/** Calls written by hand from their documentation alone. */
export function apiAt(origin: string) {
  const send = (method: string, path: string, { token, body, headers = {} }: Sent = {}): Promise<Response> =>
    fetch(`${origin}/api${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });

  async function call<T = unknown>(method: string, path: string, sent: Sent = {}): Promise<Reply<T>> {
    const reply = await send(method, path, sent);
    const text = await reply.text();
    if (!reply.headers.get('content-type')?.startsWith('application/json')) throw new Error(`${path}: ${text}`);
    return { status: reply.status, headers: reply.headers, body: JSON.parse(text) as Body<T> };
  }

  /** `data` of a call that must succeed. */
  async function data<T>(method: string, path: string, sent: Sent = {}): Promise<T> {
    const { status, body } = await call<T>(method, path, sent);
    if (status !== 200 || body.code !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    return body.data;
  }

  async function login(username: string, password = PASSWORD): Promise<string> {
    const { headers } = await call('POST', '/login', { body: { username, password } });
    return headers.get('token') ?? '';
  }

  /** A new user below the caller, signed in. */
  async function addUser(token: string, role: 'leading' | 'member') {
    const username = `u${randomBytes(6).toString('hex')}`;
    const { id } = await data<{ id: string }>('POST', '/users', {
      token,
      body: { username, password: PASSWORD, role },
    });
    return { id, username, token: await login(username) };
  }

  const mac = (): string => `02${randomBytes(5).toString('hex')}`;

  /** A player that shows a pairing code. */
  async function addPlayer() {
    const secret = randomBytes(32).toString('base64url');
    const address = mac();
    const body = {
      mac: address,
      screens: [{ name: 'main', width: 1080, height: 1920 }],
      timeZone: 'Europe/Berlin',
      player: { version: '1.0.0', kind: 'browser' },
    };
    const enrol = () =>
      data<{ state: string; code: string; qr: string; expiresIn: number }>('POST', '/player/enrol', {
        token: secret,
        body,
      });
    return { secret, mac: address, enrol, ...(await enrol()) };
  }

  /** A device that the caller paired by its code alone. */
  async function addDevice(token: string) {
    const { secret, code } = await addPlayer();
    const device = await data<{ id: string; mac: string }>('POST', '/devices/pair', { token, body: { code } });
    return { ...device, secret };
  }

  /** Sends bytes by tus in one piece and returns the last reply. */
  async function upload(token: string, bytes: Buffer, metadata: object): Promise<Response> {
    const tus = tusAt(origin, { token });
    return tus.patch(await tus.create(bytes.length, metadata), 0, bytes);
  }

  /** A file that is ready. */
  async function addFile(token: string, bytes: Buffer, metadata: object) {
    const reply = await upload(token, bytes, metadata);
    const id = reply.headers.get('file-id') ?? '';
    return vi.waitFor(
      async () => {
        const file = await data<{ id: string; state: string; url: string; poster: string; sha256: string }>(
          'GET',
          `/files/${id}`,
          { token },
        );
        if (file.state === 'processing') throw new Error('still processing');
        return file;
      },
      { timeout: 25_000, interval: 50 },
    );
  }

  return { origin, send, call, data, login, addUser, addPlayer, addDevice, upload, addFile, mac };
}

/** The person of a header `current` or `superior`. */
export const personIn = ({ headers }: { headers: Headers }, name: 'current' | 'superior'): unknown =>
  JSON.parse(decodeURIComponent(headers.get(name) ?? 'null'));
