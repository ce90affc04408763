import { session as routes, users } from '@ams/contract';
import axios, { AxiosError, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FailureHandlers, makeApi } from './api.ts';
import { session } from './session.ts';
import { storage } from './storage.ts';

type Answer = { status: number; body: unknown; headers?: Record<string, string> } | AxiosError;

/** An API client with prepared responses; records its requests and the calls of its handlers. */
function setup(answer: Answer) {
  const sent: InternalAxiosRequestConfig[] = [];
  const http = axios.create({
    adapter: (config) => {
      sent.push(config);
      if (answer instanceof AxiosError) return Promise.reject(answer);
      const { status, body: data, headers = {} } = answer;
      const response: AxiosResponse = { status, data, headers, statusText: '', config };
      if (status < 300) return Promise.resolve(response);
      return Promise.reject(new AxiosError(`Request failed with status code ${status}`, '', config, {}, response));
    },
  });
  const api = makeApi(http, () => 'zh');
  api.handlers.onFailure = vi.fn<FailureHandlers['onFailure']>();
  api.handlers.onUnauthenticated = vi.fn<FailureHandlers['onUnauthenticated']>();
  return { api, sent, list: () => api.transport({ method: 'GET', url: users.list.url }) };
}

const ok = { code: 200, message: 'ok', data: { items: [], next: null } };
const person = { id: '0198a000-0000-7000-8000-000000000001', username: 'Ünal', phone: null };
const header = (user: typeof person) => encodeURIComponent(JSON.stringify(user));

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
afterEach(() => {
  session.clear();
  vi.restoreAllMocks();
});

test('the stored token and the language go along', async () => {
  storage.setToken('abc', 60);
  const { sent, list } = setup({ status: 200, body: ok });
  expect(await list()).toEqual(ok);
  expect(sent[0]?.headers.get('Authorization')).toBe('Bearer abc');
  expect(sent[0]?.headers.get('Accept-Language')).toBe('zh');
});

test('a response with a token begins or renews the session; superior and current are kept when present', async () => {
  const headers = { token: 'new', expires_in: '3600', role: 'leading', current: header(person) };
  await setup({ status: 200, body: ok, headers }).list();
  expect(storage.token()).toBe('new');
  expect(session.snapshot()).toMatchObject({ signedIn: true, leading: true, current: person, superior: undefined });
  await setup({ status: 200, body: ok, headers: { role: 'member', superior: header(person) } }).list();
  expect(session.snapshot()).toMatchObject({ leading: false, current: person, superior: person });
});

test('the leader flag is true only for leading, and recomputed by every response', async () => {
  for (const role of ['Leading', 'member', '', undefined]) {
    await setup({ status: 200, body: ok, headers: { role: 'leading' } }).list();
    expect(session.snapshot().leading).toBe(true);
    await setup({ status: 200, body: ok, headers: role === undefined ? {} : { role } }).list();
    expect(session.snapshot().leading).toBe(false);
  }
});

test.each([200, 401, 500])('code 401 in a body of status %d clears the session and is told', async (status) => {
  storage.setToken('abc', 60);
  const failure = { code: 401, error: 'UNAUTHENTICATED', message: 'Please log in' };
  const { api, list } = setup({ status, body: failure });
  expect(await list()).toEqual(failure);
  expect(storage.token()).toBeUndefined();
  expect(api.handlers.onUnauthenticated).toHaveBeenCalledOnce();
});

test('401 to a session that was replaced meanwhile does not end the new one', async () => {
  storage.setToken('abc', 60);
  const { api, list } = setup({ status: 401, body: { code: 401, error: 'UNAUTHENTICATED', message: 'Please log in' } });
  const late = list();
  storage.setToken('new', 60);
  expect(await late).toMatchObject({ code: 401 });
  expect(storage.token()).toBe('new');
  expect(api.handlers.onUnauthenticated).not.toHaveBeenCalled();
});

test('an HTTP error is handed back with the server’s envelope and told once', async () => {
  const failure = { code: 409, error: 'USERNAME_TAKEN', message: 'This username is already taken' };
  const { api, list } = setup({ status: 409, body: failure });
  expect(await list()).toEqual(failure);
  expect(api.handlers.onFailure).toHaveBeenCalledExactlyOnceWith(failure);
  expect(api.handlers.onUnauthenticated).not.toHaveBeenCalled();
});

test.each([
  [200, { code: 500, message: 'It broke' }, { code: 500, error: 'HTTP', message: 'It broke' }],
  [200, { code: 0, message: 'Nothing done', data: null }, { code: 0, error: 'HTTP', message: 'Nothing done' }],
  [200, { code: 418 }, { code: 418, error: 'HTTP', message: 'Request failed with status code 418' }],
  [200, { code: 409, message: '' }, { code: 409, error: 'HTTP', message: 'Request failed with status code 409' }],
  [422, { code: 422, message: 'Not now' }, { code: 422, error: 'HTTP', message: 'Not now' }],
  [500, { code: 200, message: 'ok', data: null }, { code: 500, error: 'HTTP', message: 'ok' }],
])('status %d with %j is a failure without a name, and told', async (status, body, failure) => {
  const { api, list } = setup({ status, body });
  expect(await list()).toEqual(failure);
  expect(api.handlers.onFailure).toHaveBeenCalledExactlyOnceWith(failure);
});

test.each([200, 201])('any code of 2xx is a success (%d)', async (code) => {
  const { api, list } = setup({ status: 200, body: { ...ok, code } });
  expect(await list()).toEqual({ ...ok, code });
  expect(api.handlers.onFailure).not.toHaveBeenCalled();
});

test('a failure in the place of a file is told', async () => {
  const body = new Blob([JSON.stringify({ code: 422, message: 'Too many' })], { type: 'application/json' });
  const { api } = setup({ status: 200, body });
  expect(await api.fetchBlob('/api/devices/export')).toBeUndefined();
  expect(api.handlers.onFailure).toHaveBeenCalledExactlyOnceWith({ code: 422, error: 'HTTP', message: 'Too many' });
  const sheet = new Blob(['x'], { type: 'application/vnd.ms-excel' });
  expect(await setup({ status: 200, body: sheet }).api.fetchBlob('/api/devices/export')).toBe(sheet);
  const proof = new Blob(['{}'], { type: 'application/json' });
  const headers = { 'content-disposition': 'attachment; filename="Spring.proof.json"' };
  expect(await setup({ status: 200, body: proof, headers }).api.fetchBlob('/api/campaigns/1/proof')).toBe(proof);
});

test('an answer that is no envelope carries the transport’s message', async () => {
  const { list } = setup({ status: 502, body: '<html>' });
  expect(await list()).toEqual({ code: 502, error: 'HTTP', message: 'Request failed with status code 502' });
});

test.each([
  ['Network Error', 'ERR_NETWORK', 'NETWORK'],
  ['timeout of 5000 ms exceeded', 'ECONNABORTED', 'TIMEOUT'],
  ['Request aborted', 'ECONNABORTED', 'ABORTED'],
])('without an answer: %s', async (message, code, error) => {
  const { list } = setup(new AxiosError(message, code));
  expect(await list()).toEqual({ code: 0, error, message });
});

test('changing calls carry an idempotency key, reading ones do not', async () => {
  const { api, sent, list } = setup({ status: 200, body: ok });
  await list();
  await api.transport({ method: 'POST', url: users.create.url, body: {} });
  const keys = sent.map(({ headers }) => headers.get('Idempotency-Key'));
  expect(keys).toEqual([undefined, expect.stringMatching(/^[0-9a-f]{32}$/)]);
});

test('a log-out whose answer was lost does not stand for that of the next session', async () => {
  const { api, sent } = setup(new AxiosError('Network Error', 'ERR_NETWORK'));
  const logout = () => api.transport({ method: 'POST', url: routes.logout.url });
  storage.setToken('first', 60);
  await logout();
  storage.setToken('second', 60);
  await logout();
  expect(sent.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual([undefined, undefined]);
});
