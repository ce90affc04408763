import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { routes } from '@ams/contract';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../../test/device.ts';
import { startTestServer } from '../../../test/server.ts';

const server = await startTestServer();

const ask = (method: string, url: string, headers: Record<string, string> = {}) =>
  fetch(server.url + url, { method, headers, redirect: 'manual' });

/** The methods of every address of the contract. */
const METHODS = Map.groupBy(
  Object.values(routes).flatMap((table) => Object.values(table)),
  ({ url }) => url,
);

test('every address of the contract refuses the methods that it does not have, and names the others', async () => {
  const wrong: unknown[] = [];
  for (const [pattern, own] of METHODS) {
    const url = pattern.replace(':sha256', '0'.repeat(64)).replace(/:\w+/g, '01900000-0000-7000-8000-000000000000');
    const methods = new Set(own.map(({ method }) => String(method)));
    if (methods.has('GET')) methods.add('HEAD');
    const missing = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !methods.has(method));
    for (const method of missing) {
      const reply = await ask(method, url, { 'content-type': 'text/strange' });
      const allowed = new Set((reply.headers.get('allow') ?? '').split(', '));
      const isRight = reply.status === 405 && [...methods, 'OPTIONS'].every((each) => allowed.has(each));
      if (!isRight || allowed.size !== methods.size + 1) wrong.push([method, url, reply.status, [...allowed]]);
    }
  }
  expect(wrong).toEqual([]);
});

test('HEAD is answered wherever GET is, also where GET has no end', async () => {
  const { token } = await server.login();
  const device = await pairedDevice(server, await server.createUser('member'));
  const open: string[] = [];
  for (const { method, url: pattern, access } of [...METHODS.values()].flat()) {
    if (method !== 'GET') continue;
    const url = pattern.replace(':sha256', '0'.repeat(64)).replace(/:\w+/g, '01900000-0000-7000-8000-000000000000');
    const headers = { authorization: `Bearer ${access === 'device' ? device.secret : token}` };
    await fetch(server.url + url, { method: 'HEAD', headers, signal: AbortSignal.timeout(5000) }).catch(() =>
      open.push(url),
    );
  }
  expect(open).toEqual([]);
});

test('an address is the same with the server before it, as proxies may send it', async () => {
  const answer = async (path: string): Promise<unknown> => {
    const [reply] = (await once(request(server.url, { path }).end(), 'response')) as [IncomingMessage];
    return [reply.statusCode, reply.headers['content-type'], await text(reply)];
  };
  for (const path of ['/api/settings', '/health', '/api/health?x=http://y/z', '/api/none', '/mac?next=/api/users']) {
    const plain = await answer(path);
    expect(await answer(`http://ads.example${path}`)).toEqual(plain);
    expect(await answer(`HTTPS://ads.example:8443${path}`)).toEqual(plain);
  }
  expect(await answer('http://ads.example')).toEqual(await answer('/'));
  expect(await answer('http://ads.example?lang=de')).toEqual(await answer('/?lang=de'));
});

test('the refusal is the usual envelope in the language of the reader', async () => {
  const reply = await ask('PUT', '/api/login', { 'accept-language': 'de' });
  expect(await reply.json()).toEqual({
    ...{ code: 405, error: 'METHOD_NOT_ALLOWED', message: 'Diese Adresse unterstützt PUT nicht' },
    details: { method: 'PUT' },
  });
});

test.each([
  ['/api/users', 'GET, HEAD, POST, OPTIONS'],
  ['/api/login', 'POST, OPTIONS'],
  ['/health', 'GET, HEAD, OPTIONS'],
])('OPTIONS of %s answers its methods', async (url, allow) => {
  const reply = await ask('OPTIONS', url);
  expect([reply.status, (reply.headers.get('allow') ?? '').split(', ').toSorted()]).toEqual([
    204,
    allow.split(', ').toSorted(),
  ]);
});

test.each([
  ['PUT', '/api/uploads', 'POST, OPTIONS'],
  ['GET', '/api/uploads/01900000-0000-7000-8000-000000000000', 'HEAD, PATCH, DELETE, OPTIONS'],
])('%s %s is refused before its version of tus', async (method, url, allow) => {
  const reply = await ask(method, url);
  expect([reply.status, reply.headers.get('allow')]).toEqual([405, allow]);
});

test.each(['/api/none', '/media', '/api/devices/1/2/3'])(
  'any method of %s, which is no address, is 404',
  async (url) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      expect([method, (await ask(method, url)).status]).toEqual([method, 404]);
    }
  },
);
