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

test.each([
  '/..%2f..%2fpackage.json',
  '/%2e%2e/%2e%2e/package.json',
  '/assets/none.js',
  '/media/%E0%A4%A',
  '/api/none',
])('%s is nothing', async (pathname) => {
  const { status, type } = await get(pathname);
  expect([400, 404]).toContain(status);
  expect(type).toContain('application/json');
});
