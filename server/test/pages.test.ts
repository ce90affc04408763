import { existsSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startTestServer } from './server.ts';

const server = await startTestServer();
/** The pages are built by the time that these tests matter; without a build there is nothing to serve. */
const isBuilt = existsSync(path.join(server.config.webRoot, 'index.html'));

/** A raw path, which `fetch` would normalize. */
const get = (pathname: string): Promise<{ status: number; type: string }> => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; type: string }>();
  request(server.url, { path: pathname, headers: { accept: 'text/html' } }, (reply) => {
    reply.resume();
    resolve({ status: reply.statusCode ?? 0, type: reply.headers['content-type'] ?? '' });
  })
    .on('error', reject)
    .end();
  return promise;
};

test
  .skipIf(!isBuilt)
  .each([
    '/',
    '/applist',
    '/appdetails/1/a%2Fb/100%25/%F0%9F%93%BA/t/1/1/1',
    `/appdetails/1/${'n'.repeat(10_000)}/c/u/t/1/1/1`,
    '/appdetails/1//c/u/t/1/1/1',
    '/appdetails/1/%E0%A4%A/c/u/t/1/1/1',
    '/appdetails/1/%00/c/u/t/1/1/1',
  ])('%.60s is a page', async (pathname) => {
  expect(await get(pathname)).toMatchObject({ status: 200, type: expect.stringContaining('text/html') });
});

test.skipIf(!isBuilt).each([
  ['/robots.txt', 'text/plain'],
  ['/favicon.ico', 'image/'],
  ['/favicon.svg', 'image/svg+xml'],
])('%s is a file', async (pathname, type) => {
  expect(await get(pathname)).toMatchObject({ status: 200, type: expect.stringContaining(type) });
});

/** nginx keeps the head of an answer in one page of memory (proxy_buffer_size). */
const HEAD_MAX_BYTES = 4096;

test.skipIf(!isBuilt).each(['/', '/mac', '/mac/7', '/settings', '/adlist/1/2/3/4/5', '/campaigns/new', '/calendar'])(
  '%s names the files that it needs beside its document',
  async (pathname) => {
    const reply = await fetch(server.url + pathname);
    const head = [...reply.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    expect(head.length).toBeLessThan(HEAD_MAX_BYTES);
    const files = [...(reply.headers.get('link') ?? '').matchAll(/<([^>]+)>/g)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(0);
    const found = await Promise.all(files.map((file) => fetch(server.url + file, { method: 'HEAD' })));
    expect(found.map(({ status }) => status)).toEqual(files.map(() => 200));
  },
);

/** The files that a document names for later, by the browser's languages. */
async function laterFiles(pathname: string, languages: string): Promise<string[]> {
  const reply = await fetch(server.url + pathname, { headers: { 'accept-language': languages } });
  expect(reply.headers.get('vary')).toBe('accept-encoding');
  const links = (reply.headers.get('link') ?? '').split(',').filter((link) => link.includes('fetchpriority=low'));
  return links.map((link) => /<([^>]+)>/.exec(link)?.[1] ?? '');
}

test.skipIf(!isBuilt)('the device list names its own files, and the texts of the language of the browser', async () => {
  const [arabic = [], chinese = [], mixed] = await Promise.all(
    ['ar', 'zh-CN', 'da, zh;q=0.9, ar;q=0.8'].map((languages) => laterFiles('/mac', languages)),
  );
  expect(mixed).toEqual(chinese);
  const shared = arabic.filter((file) => chinese.includes(file));
  const own = arabic.filter((file) => !chinese.includes(file));
  const textOf = async (files: string[]): Promise<string> =>
    (await Promise.all(files.map(async (file) => (await fetch(server.url + file)).text()))).join('\n');
  expect(await textOf(shared)).toContain('/scancode');
  expect(await textOf(own)).toContain('الأجهزة');
  // The other half of its texts is that of the home page.
  expect(own).toEqual(expect.arrayContaining(await laterFiles('/', 'ar')));
});

test.skipIf(!isBuilt).each(['/login', '/logout', '/register/ABCD2345', '/player/', '/assets/nowhere.js'])(
  '%s names no further files',
  async (pathname) => {
    expect((await fetch(server.url + pathname)).headers.get('link')).toBeNull();
  },
);

test.skipIf(!isBuilt).each(['/', '/mac', '/favicon.svg', '/player/', '/register/ABCD2345'])(
  '%s is only read',
  async (pathname) => {
    const reply = await fetch(server.url + pathname, { method: 'POST', body: 'x' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  },
);

test('security.txt names a contact, for less than a year', async () => {
  const read = async (url: string): Promise<Map<string, string>> => {
    const reply = await fetch(`${url}/.well-known/security.txt`);
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const lines = (await reply.text()).trim().split('\n');
    return new Map(lines.map((line) => line.split(/: (.*)/, 2)).map(([name = '', value = '']) => [name, value]));
  };
  const fields = await read(server.url);
  expect(fields.get('Contact')).toBe(`${server.url}/`);
  const days = (new Date(fields.get('Expires') ?? '').getTime() - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(30);
  expect(days).toBeLessThan(365);
  const other = await startTestServer({
    PUBLIC_URL: 'https://ads.example',
    AMS_SECURITY_CONTACT: 'mailto:security@ads.example',
  });
  expect(Object.fromEntries(await read(other.url))).toMatchObject({
    Contact: 'mailto:security@ads.example',
    Canonical: 'https://ads.example/.well-known/security.txt',
  });
});

test.each([
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/package.json',
  '/assets/none.js',
  '/media/%E0%A4%A',
  '/api/none',
  '/wp-login.php',
  '/.env',
  '/.git/config',
  '/.well-known/none',
  '/backup.zip',
  '/player/none.txt',
  '/sitemap.xml',
  '/mac/none.html',
  '/api//users',
  '/player//none',
  '/assets/..%5cpackage.json',
])('%s is nothing', async (pathname) => {
  expect(await get(pathname)).toEqual({ status: 404, type: expect.stringContaining('application/json') });
});

test.skipIf(!isBuilt).each([
  [416, 'RANGE_NOT_SATISFIABLE', { range: 'bytes=9999999-' }],
  [412, 'PRECONDITION_FAILED', { 'if-match': '"another"' }],
  [412, 'PRECONDITION_FAILED', { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }],
])('a file of the pages that cannot be sent as asked is answered %d %s', async (status, error, headers) => {
  const reply = await fetch(`${server.url}/favicon.svg`, { headers });
  expect([reply.status, await reply.json()]).toEqual([status, expect.objectContaining({ code: status, error })]);
});
