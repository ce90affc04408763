import { createHmac } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { MediaFile } from '@ams/contract';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { secretKey } from '../platform/auth/signing.ts';
import { addAd } from '../../test/ads.ts';
import { pairedDevice } from '../../test/device.ts';
import { bodyOf, videoHeaders, addFile, makeMp4 } from '../../test/media.ts';
import { type Nginx, startNginx } from '../../test/nginx.ts';
import { startTestServer, type TestServer } from '../../test/server.ts';

/** Files on the disk, sent by the nginx in front of the server. */
describe('media behind nginx', () => {
  let server: TestServer;
  let nginx: Nginx;
  let bytes: Buffer;
  let file: MediaFile;

  beforeAll(async () => {
    server = await startTestServer({ AMS_ACCEL_REDIRECT: '/blobs/' });
    nginx = await startNginx([Number(new URL(server.url).port)], path.join(server.config.data, 'blobs'));
    bytes = await makeMp4(31);
    // Uploads pass through nginx, too.
    file = await addFile({ url: nginx.origin }, await server.login(), bytes, {
      name: 'clip.mp4',
      orientation: 'vertical',
      kind: 2,
    });
  });
  afterAll(() => nginx.end());

  const ask = (headers: Record<string, string> = {}, method = 'GET', address = file.url) =>
    fetch(nginx.origin + address, { method, headers });

  test('are sent by nginx, not by the server', async () => {
    const reply = await fetch(server.url + file.url);
    expect(reply.headers.get('x-accel-redirect')).toBe(`/blobs/${file.sha256.slice(0, 2)}/${file.sha256}`);
    expect(await reply.text()).toBe('');
  });

  test('are complete, typed, cacheable, and never a page', async () => {
    const reply = await ask();
    expect(reply.status).toBe(200);
    expect(Object.fromEntries(reply.headers)).toMatchObject(videoHeaders(file, bytes));
    expect(reply.headers.get('x-accel-redirect')).toBeNull();
    expect(await bodyOf(reply)).toEqual(bytes);
  });

  test('are served in parts, and refused beyond their end', async () => {
    const part = await ask({ range: 'bytes=5-9' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 5-9/${bytes.length}`]);
    expect(await bodyOf(part)).toEqual(bytes.subarray(5, 10));
    const beyond = await ask({ range: `bytes=${bytes.length}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    expect((await ask({ range: 'bytes=0-1,5-6' })).status).toBe(200);
  });

  test('obey conditional headers', async () => {
    const etag = (await ask({}, 'HEAD')).headers.get('etag') ?? '';
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await ask({ 'range': 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    expect((await ask({ 'range': 'bytes=0-9', 'if-range': '"other"' })).status).toBe(200);
    expect((await ask({ 'if-match': etag })).status).toBe(200);
    expect((await ask({ 'if-match': '"other"' })).status).toBe(412);
    expect((await ask({ 'if-modified-since': new Date().toUTCString() })).status).toBe(200);
  });

  test.each(['GET', 'HEAD'])('have the same entity tag and headers as from the server itself (%s)', async (method) => {
    const direct = await startTestServer();
    const same = await addFile(direct, await direct.login(), bytes, {
      name: 'clip.mp4',
      orientation: 'vertical',
      kind: 2,
    });
    const theirs = await fetch(direct.url + same.url, { method, headers: { range: 'bytes=0-9' } });
    const ours = await ask({ range: 'bytes=0-9' }, method);
    expect([ours.status, theirs.status]).toEqual(method === 'HEAD' ? [200, 200] : [206, 206]);
    for (const name of ['etag', 'content-length', 'content-range', 'last-modified', 'content-type']) {
      expect([name, ours.headers.get(name)]).toEqual([name, theirs.headers.get(name)]);
    }
  });

  test('answer HEAD with their size, and posters likewise', async () => {
    const head = await ask({}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
    const still = await ask({}, 'GET', file.poster);
    expect([still.status, still.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  test('are asked of the server once: nginx answers the same address itself', async () => {
    const other = await addFile({ url: nginx.origin }, await server.login(), await makeMp4(32), {
      name: 'other.mp4',
      orientation: 'vertical',
      kind: 2,
    });
    const requests = async (): Promise<number> => {
      const lines = (await (await fetch(`${server.url}/metrics`)).text()).split('\n');
      return lines
        .filter((line) => line.startsWith('ams_http_request_duration_seconds_count') && line.includes('/media/'))
        .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    };
    const before = await requests();
    for (const address of [other.url, other.poster]) {
      const replies = [];
      for (const range of ['bytes=0-', 'bytes=0-', 'bytes=2-4', 'bytes=0-']) {
        replies.push(await ask({ range }, 'GET', address));
      }
      expect(replies.map(({ status }) => status)).toEqual([206, 206, 206, 206]);
      const [first, again] = replies;
      const named = ['etag', 'content-type', 'cache-control', 'content-security-policy', 'content-range'];
      for (const name of named) expect([name, again?.headers.get(name)]).toEqual([name, first?.headers.get(name)]);
      expect(await again?.text()).toBe(await first?.text());
    }
    expect((await requests()) - before).toBe(2);
  });

  test('are refused when the signature is wrong, although nginx answered the right one', async () => {
    const right = file.url ?? '';
    expect((await ask({}, 'GET', right)).status).toBe(200);
    const { pathname, searchParams } = new URL(right, nginx.origin);
    const wrong = `${pathname}?e=${searchParams.get('e')}&s=${'A'.repeat(43)}`;
    for (const time of [1, 2]) {
      const reply = await ask({}, 'GET', wrong);
      expect([time, reply.status, await reply.json()]).toMatchObject([time, 403, { error: 'BAD_SIGNATURE' }]);
    }
  });

  test('are refused from the second on in which the signature expires', async () => {
    const { pathname } = new URL(file.url ?? '', nginx.origin);
    const key = await secretKey(server.deps.db, 'media');
    const e = Math.floor(Date.now() / 1000) + 4;
    const s = createHmac('sha256', key).update(`${pathname}\n${e}`).digest('base64url');
    const status = async (): Promise<number> => (await ask({}, 'GET', `${pathname}?e=${e}&s=${s}`)).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    await expect.poll(status, { timeout: 20_000 }).toBe(403);
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(e);
    expect(Date.now() / 1000).toBeLessThan(e + 10);
  });

  test('that are gone are not sent by nginx', async () => {
    const gone = await addFile({ url: nginx.origin }, await server.login(), await makeMp4(33), {
      name: 'gone.mp4',
      orientation: 'vertical',
      kind: 2,
    });
    expect((await ask({}, 'GET', gone.url)).status).toBe(200);
    await rm(path.join(server.config.data, 'blobs', gone.sha256.slice(0, 2), gone.sha256));
    await expect.poll(async () => (await ask({}, 'GET', gone.url)).status, { timeout: 30_000 }).toBe(404);
  });

  test('are only for clients that the server permits', async () => {
    expect((await ask({}, 'GET', `/media/${file.sha256}`)).status).toBe(403);
    expect((await ask({}, 'GET', `/blobs/${file.sha256.slice(0, 2)}/${file.sha256}`)).status).toBe(404);
  });

  test('are logged by path only: no signature, no enrolment key, no invitation, no referrer', async () => {
    const signature = new URL(file.url ?? '', nginx.origin).searchParams.get('s') ?? '';
    expect(signature).not.toBe('');
    await ask({ referer: `${nginx.origin}/player/?key=of-the-referrer` });
    await ask({}, 'GET', '/player/?key=enrolment-of-devices');
    for (const page of [
      '/register/',
      '/api/invitations/',
      '/api/colleagues/invitations/',
      '/share/',
      '/api/share/',
      '/q/',
      '/api/q/',
    ]) {
      await ask({}, 'GET', `${page}SECRET23`);
    }
    // An address that is too long is refused by nginx itself.
    await ask({}, 'GET', `/media/${'0'.repeat(64)}?s=${'x'.repeat(20_000)}`);
    await expect.poll(() => nginx.log()).toContain('"GET /player/ HTTP/1.1"');
    await expect.poll(() => nginx.log()).toContain('"GET /q/... HTTP/1.1"');
    expect(nginx.log()).toContain(`"GET /media/${file.sha256} HTTP/1.1" 200`);
    for (const secret of [signature, 'of-the-referrer', 'enrolment-of-devices', 'SECRET23', 'xxxx']) {
      expect(nginx.log()).not.toContain(secret);
    }
  });
});

describe('JSON behind nginx', () => {
  test('is compressed, and a manifest with its tag is not sent again', async () => {
    const server = await startTestServer();
    const nginx = await startNginx([Number(new URL(server.url).port)]);
    onTestFinished(() => nginx.end());
    const operator = await server.login();
    const { device, secret } = await pairedDevice(server, operator);
    const clip = { name: 'clip.mp4', orientation: 'vertical', kind: 2 } as const;
    const { id } = await addFile(server, operator, await makeMp4(32), clip);
    const ad = await addAd(operator, 'Lunch', id);
    // A short answer would only grow.
    for (let n = 0; n < 3; n += 1) {
      await operator.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } });
    }
    const poll = (headers: Record<string, string> = {}) =>
      fetch(`${nginx.origin}/api/player/manifest`, { headers: { authorization: `Bearer ${secret}`, ...headers } });
    const manifest = await poll();
    expect([manifest.status, manifest.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect(await manifest.json()).toMatchObject({ code: 200 });
    expect(await poll({ 'if-none-match': manifest.headers.get('etag') ?? '' })).toMatchObject({ status: 304 });
    expect((await poll({ 'accept-encoding': 'identity' })).headers.get('content-encoding')).toBeNull();
  });
});
