import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { routes } from '@ams/contract';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { addFile } from './media.ts';
import { ADMIN, startTestServer } from './server.ts';

const server = await startTestServer();
const { webRoot, playerRoot } = server.config;
/** The pages are built by the time that these tests matter; without a build there is nothing to serve. */
const isBuilt = [webRoot, playerRoot].every((root) => existsSync(path.join(root, 'index.html')));

const get = (url: string, headers: Record<string, string> = {}) =>
  fetch(server.url + url, { headers, redirect: 'manual' });

const policyOf = (reply: Response): Map<string, string[]> =>
  new Map(
    (reply.headers.get('content-security-policy') ?? '').split(';').map((directive): [string, string[]] => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );

const PAGES = isBuilt ? ['/', '/mac', '/player/'] : [];

test.each([...PAGES, '/api/docs', '/api/openapi.json', '/api/settings', '/api/users', '/api/none', '/media/x'])(
  '%s can be neither framed nor made to run what is not ours',
  async (url) => {
    const reply = await get(url);
    const policy = policyOf(reply);
    const scripts = policy.get('script-src') ?? policy.get('default-src') ?? ['nothing'];
    expect(scripts.filter((source) => !["'self'", "'none'", "'wasm-unsafe-eval'"].includes(source))).toEqual([]);
    expect(policy.get('frame-ancestors')).toEqual(["'none'"]);
    expect([policy.get('object-src') ?? policy.get('default-src')]).toEqual([["'none'"]]);
    expect(policy.has('base-uri')).toBe(true);
    expect(policy.has('form-action')).toBe(true);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(reply.headers.has('x-powered-by')).toBe(false);
    expect(reply.headers.has('server')).toBe(false);
  },
);

test('pages may scan, keep the screen on and find screens, and nothing else', async () => {
  const policy = (await get('/api/settings')).headers.get('permissions-policy') ?? '';
  const parts = policy.split(', ');
  for (const feature of ['camera', 'screen-wake-lock', 'window-management', 'fullscreen', 'autoplay']) {
    expect(parts).toContain(`${feature}=(self)`);
  }
  for (const feature of ['microphone', 'geolocation', 'payment', 'usb']) expect(parts).toContain(`${feature}=()`);
});

test.skipIf(!isBuilt).each([webRoot, playerRoot])(
  'the page in %s has no script or handler in its text',
  async (root) => {
    const html = await readFile(path.join(root, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(html).not.toMatch(/\son\w+=/i);
    expect(html).not.toMatch(/(src|href)="(https?:)?\/\//);
  },
);

test('the description of the calls shows each of them, without a script', async () => {
  const reply = await get('/api/docs');
  expect(reply.headers.get('content-type')).toContain('text/html');
  const html = await reply.text();
  expect(html).not.toMatch(/<script|\son\w+=/i);
  for (const [feature, table] of Object.entries(routes)) {
    // The channel is no call with an answer.
    for (const name of Object.keys(table).filter((one) => one !== 'socket')) {
      expect(html).toContain(`<div id="${feature}.${name}">`);
    }
  }
});

test('an uploaded screenshot is served as a picture in a sandbox', async () => {
  const picture = await sharp({ create: { width: 30, height: 40, channels: 3, background: '#0f0' } })
    .jpeg()
    .toBuffer();
  const bytes = Buffer.concat([picture, Buffer.from('<html><script>alert(1)</script></html>')]);
  const file = await addFile(server, await server.login(), bytes, { name: 'a.jpg', orientation: 'vertical', kind: 1 });
  for (const url of [file.url ?? '', file.poster ?? '']) {
    const reply = await get(url);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(/^image\/(jpeg|webp)$/);
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
    const policy = policyOf(reply);
    expect(policy.get('sandbox')).toEqual([]);
    expect(policy.get('default-src')).toEqual(["'none'"]);
  }
});

test('answers to people are kept by no cache', async () => {
  const { token } = await server.login();
  expect((await get('/api/users', { authorization: `Bearer ${token}` })).headers.get('cache-control')).toBe('no-store');
  const begun = await fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  expect([begun.status, begun.headers.get('cache-control')]).toEqual([200, 'no-store']);
});

test('no cookie signs anybody in, so another site cannot act for anybody', async () => {
  const { token } = await server.login();
  const begun = await fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  });
  // It only marks a browser that was signed in before, whose failures are counted by themselves.
  const cookies = begun.headers.getSetCookie();
  expect(cookies).toEqual([expect.stringMatching(/^ams_browser=[\w-]+; .*HttpOnly; SameSite=Strict$/)]);
  expect((await get('/api/users', { cookie: cookies[0]?.split(';')[0] ?? '' })).status).toBe(401);
  expect((await get('/api/users', { cookie: `token=${token}; authorization=Bearer ${token}` })).status).toBe(401);
  expect((await get(`/api/users?token=${token}&authorization=Bearer%20${token}`)).status).toBe(401);
  // A form of another site cannot send JSON.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const reply = await fetch(`${server.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: JSON.stringify(ADMIN),
    });
    expect(reply.status).toBe(415);
  }
});

test.each(['/api/users', '/api/login', '/api/settings', '/api/uploads', '/api/live', '/media/x', '/health'])(
  '%s is not opened to pages of other sites',
  async (url) => {
    const { token } = await server.login();
    const origin = 'https://evil.example';
    const asked = await fetch(server.url + url, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    const stop = new AbortController();
    const read = await fetch(server.url + url, {
      headers: { origin, authorization: `Bearer ${token}` },
      signal: stop.signal,
    });
    stop.abort();
    for (const reply of [asked, read]) {
      const allowed = reply.headers.get('access-control-allow-origin');
      expect(allowed === null || allowed === '').toBe(true);
      expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
    }
  },
);

test.each(['/player?next=//evil.example', '//evil.example/player', '/player//evil.example', '/\\evil.example'])(
  '%s leads nowhere else',
  async (url) => {
    const location = (await get(url)).headers.get('location') ?? '/';
    expect(new URL(location, 'http://here').origin).toBe('http://here');
  },
);

test('sends HSTS only with an https address', async () => {
  const safe = await startTestServer({ PUBLIC_URL: 'https://ads.example' });
  const reply = await fetch(`${safe.url}/api/settings`);
  expect(reply.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
  expect((await get('/api/settings')).headers.has('strict-transport-security')).toBe(false);
});
