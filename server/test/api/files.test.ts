import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { APKS } from '../apk.ts';
import { makeMp4, padVideo } from '../media.ts';
import { ADMIN, startTestServer } from '../server.ts';
import { metadataOf, tusAt } from '../tus.ts';
import { apiAt, MISSING, UTC, UUID_V7 } from './client.ts';

/** Files, ads, releases and apps, called as the page "Calls" names them. */
const server = await startTestServer();
const api = apiAt(server.url);

let dealer: Awaited<ReturnType<typeof api.addUser>>;
let member: Awaited<ReturnType<typeof api.addUser>>;
let video: Buffer;

beforeAll(async () => {
  dealer = await api.addUser(await api.login(ADMIN.username), 'leading');
  member = await api.addUser(dealer.token, 'member');
  video = await makeMp4();
});

interface Listed {
  items: { id: string }[];
}

const ids = async (path: string, { token } = member): Promise<string[]> =>
  (await api.data<Listed>('GET', path, { token })).items.map(({ id }) => id);

const newPicture = (): Promise<Buffer> =>
  sharp({ create: { width: 540, height: 960, channels: 3, background: `#${randomUUID().slice(0, 6)}` } })
    .png()
    .toBuffer();
const addPicture = async (name = 'Poster.png', { token } = member) =>
  api.addFile(token, await newPicture(), { name, orientation: 'vertical', kind: 1 });
const addVideo = (name = 'Spot.mp4', { token } = member) =>
  api.addFile(token, padVideo(video, 1000), { name, orientation: 'vertical', kind: 2 });

const FILE =
  'id name orientation kind media mime bytes sha256 width height durationMs state owner uploadedBy url poster createdAt'.split(
    ' ',
  );

describe('files', () => {
  test('tus at uploads: the content decides what the metadata leaves open, and other keys are ignored', async () => {
    const metadata = { filename: 'Spot.mp4', filetype: 'video/mp4', type: 'video/mp4', relativePath: 'a/b' };
    const file = await api.addFile(member.token, padVideo(video, 500), metadata);
    expect(Object.keys(file)).toEqual(expect.arrayContaining(FILE));
    expect(file).toMatchObject({
      id: expect.stringMatching(UUID_V7),
      name: 'Spot.mp4',
      orientation: 'vertical',
      kind: 2,
      media: 'video',
      mime: 'video/mp4',
      width: 180,
      height: 320,
      state: 'ready',
      owner: { id: member.id },
      uploadedBy: { id: member.id },
      createdAt: expect.stringMatching(UTC),
    });
  });

  test('what the rules refuse is refused with the envelope as soon as it can be known', async () => {
    const tus = tusAt(server.url, member);
    const create = (size: number, metadata: object) =>
      tus.request('POST', '/api/uploads', { 'upload-length': String(size), 'upload-metadata': metadataOf(metadata) });
    const large = await create(3 * 2 ** 30, { name: 'a.mp4', orientation: 'vertical', kind: 2 });
    expect([large.status, await large.json()]).toMatchObject([413, { code: 413, error: 'TOO_LARGE' }]);
    const named = await create(10, { name: 'a.exe' });
    expect([named.status, await named.json()]).toMatchObject([415, { code: 415, error: 'UNSUPPORTED_FORMAT' }]);
    const symbols = await create(10, { name: 'a%b.mp4' });
    expect([symbols.status, await symbols.json()]).toMatchObject([400, { code: 400, error: 'INVALID' }]);
    const text = Buffer.from('no picture at all '.repeat(300));
    const content = await api.upload(member.token, text, { name: 'a.png' });
    expect([content.status, await content.json()]).toMatchObject([415, { code: 415, error: 'UNSUPPORTED_FORMAT' }]);
  });

  test('OPTIONS announces the extensions', async () => {
    const { headers } = await fetch(`${server.url}/api/uploads`, { method: 'OPTIONS' });
    expect(headers.get('tus-extension')?.split(',')).toEqual(
      expect.arrayContaining(['creation', 'termination', 'expiration', 'checksum']),
    );
  });

  test('GET files filters, GET files/counts counts', async () => {
    const owner = await api.addUser(dealer.token, 'member');
    const picture = await addPicture('Poster.png', owner);
    const spot = await addVideo('Spot.mp4', owner);
    expect(await ids('/files', owner)).toEqual([spot.id, picture.id]);
    for (const query of ['q=post', 'kind=1', 'orientation=vertical&kind=1']) {
      expect(await ids(`/files?${query}`, owner)).toEqual([picture.id]);
    }
    expect(await ids(`/files?owner=${owner.id}&state=ready&total=true`, dealer)).toEqual([spot.id, picture.id]);
    for (const query of ['orientation=horizontal', 'state=failed']) {
      expect(await ids(`/files?${query}`, owner)).toEqual([]);
    }
    for (const path of ['/files', '/files/counts']) {
      expect((await api.call('GET', `${path}?owner=${MISSING}`, { token: owner.token })).status).toBe(404);
    }
    const counts = await api.data('GET', `/files/counts?owner=${owner.id}`, { token: dealer.token });
    const counted = expect.arrayContaining([
      { orientation: 'vertical', kind: 1, count: 1 },
      { orientation: 'vertical', kind: 2, count: 1 },
    ]);
    expect(counts).toEqual({ items: counted });
  });

  test('PATCH renames, DELETE removes, POST files/delete removes several', async () => {
    const { token } = member;
    const [one, two, three] = await Promise.all([addPicture(), addPicture(), addPicture()]);
    expect(await api.data('PATCH', `/files/${one.id}`, { token, body: { name: 'Other.png' } })).toMatchObject({
      id: one.id,
      name: 'Other.png',
    });
    expect(await api.data('DELETE', `/files/${one.id}`, { token })).toBeNull();
    expect((await api.call('GET', `/files/${one.id}`, { token })).status).toBe(404);
    const body = { ids: [two.id, three.id, MISSING] };
    expect(await api.data('POST', '/files/delete', { token, body })).toEqual({
      done: 2,
      failed: [{ id: MISSING, error: 'NOT_FOUND' }],
    });
  });

  test('media is for devices and for signed addresses', async () => {
    const { url, poster, sha256 } = await addVideo();
    const whole = await fetch(new URL(url, server.url));
    expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = whole.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"/);
    const part = await fetch(new URL(url, server.url), { headers: { range: 'bytes=2-5' } });
    expect([part.status, await part.bytes()]).toEqual([206, (await whole.bytes()).subarray(2, 6)]);
    expect((await fetch(new URL(url, server.url), { headers: { 'if-none-match': etag } })).status).toBe(304);
    const picture = await fetch(new URL(poster, server.url));
    expect(picture.headers.get('content-type')).toBe('image/webp');
    for (const query of ['', '?e=9999999999&s=wrong', url.slice(url.indexOf('?')).replace(/e=\d+/, 'e=1')]) {
      const reply = await fetch(`${server.url}/media/${sha256}${query}`);
      expect([query, reply.status]).toEqual([query, 403]);
    }
  });
});

const AD =
  'id name owner orientation split dual playMode showClock fit regions videos images devices releasedAt createdAt updatedAt'.split(
    ' ',
  );

const upright = (full: object[], more: object = {}) => ({
  name: 'Autumn',
  orientation: 'vertical',
  split: 'full',
  dual: false,
  playMode: 'sequence',
  showClock: false,
  fit: 'contain',
  regions: { full },
  ...more,
});

interface Ad {
  id: string;
  updatedAt: string;
}

describe('ads', () => {
  test('POST, GET, PUT and DELETE', async () => {
    const { token } = member;
    const [spot, poster] = await Promise.all([addVideo(), addPicture()]);
    const items = [
      { kind: 'file', fileId: spot.id },
      { kind: 'file', fileId: poster.id, seconds: 7 },
    ];
    const made = await api.data<Ad>('POST', '/ads', { token, body: upright(items) });
    expect(Object.keys(made)).toEqual(expect.arrayContaining(AD));
    expect(made).toMatchObject({
      ...upright([{ kind: 'file', fileId: spot.id }, items[1] ?? {}]),
      id: expect.stringMatching(UUID_V7),
      owner: { id: member.id },
      videos: 1,
      images: 1,
      devices: 0,
      releasedAt: null,
    });
    const url = `/ads/${made.id}`;
    const body = upright(items, { name: 'Winter', updatedAt: made.updatedAt });
    const saved = await api.data<Ad>('PUT', url, { token, body });
    expect(saved).toMatchObject({ id: made.id, name: 'Winter' });
    const late = await api.call('PUT', url, { token, body });
    expect([late.status, late.body.error]).toEqual([409, 'CHANGED_MEANWHILE']);
    expect(await api.data('GET', url, { token })).toMatchObject({ name: 'Winter' });
    expect(await ids(`/ads?q=winter&orientation=vertical&released=false&owner=${member.id}`)).toEqual([made.id]);
    expect(await ids('/ads?q=winter&released=true')).toEqual([]);
    expect(await api.data('DELETE', url, { token })).toBeNull();
    expect((await api.call('GET', url, { token })).status).toBe(404);
  });

  test('a region may stay dark, but not all of them', async () => {
    const { token } = member;
    const { id: fileId } = await addVideo();
    const two = { split: 'two', regions: { top: [{ kind: 'file', fileId }], bottom: [] } };
    expect(await api.data('POST', '/ads', { token, body: upright([], two) })).toMatchObject({ videos: 1 });
    for (const regions of [{}, { full: [] }]) {
      expect((await api.call('POST', '/ads', { token, body: upright([], { regions }) })).status).toBe(422);
    }
  });

  test('files of another kind and too many files are refused', async () => {
    const { token } = member;
    const { id: fileId } = await addPicture();
    const wrong = { split: 'two', regions: { top: [{ kind: 'file', fileId }] } };
    const kind = await api.call('POST', '/ads', { token, body: upright([], wrong) });
    expect([kind.status, kind.body.error]).toEqual([422, 'WRONG_KIND']);
    const many = Array.from({ length: 31 }, () => ({ kind: 'file', fileId }));
    const crowd = await api.call('POST', '/ads', { token, body: upright(many) });
    expect([crowd.status, crowd.body.error]).toEqual([422, 'TOO_MANY_FILES']);
  });
});

describe('releases', () => {
  test('POST ads/:id/release reaches devices; withdrawing takes it back', async () => {
    const { token } = member;
    const device = await api.addDevice(token);
    const spot = await addVideo();
    const ad = await api.data<Ad>('POST', '/ads', {
      token,
      body: upright([{ kind: 'file', fileId: spot.id }], { dual: true }),
    });
    const schedule = {
      from: '2026-01-01',
      to: '2099-12-31',
      weekdays: [1, 7],
      hours: [{ from: '08:00', to: '20:00' }],
    };
    const undecided = await api.call('POST', `/ads/${ad.id}/release`, {
      token,
      body: { devices: { ids: [device.id] } },
    });
    expect(undecided.body.error).toBe('SCREEN_REQUIRED');
    const body = { devices: { ids: [device.id] }, screen: 'main', replace: true, priority: 'urgent', schedule };
    const release = await api.data<{ id: string }>('POST', `/ads/${ad.id}/release`, { token, body });
    expect(release).toMatchObject({
      id: expect.stringMatching(UUID_V7),
      ad: { id: ad.id, name: 'Autumn' },
      operator: { id: member.id },
      screen: 'main',
      replace: true,
      priority: 'urgent',
      schedule,
      releasedAt: expect.stringMatching(UTC),
      withdrawnAt: null,
      counts: { total: 1, waiting: 1, downloading: 0, done: 0, failed: 0 },
    });
    const manifest = await api.data('GET', '/player/manifest', { token: device.secret });
    const item = { kind: 'file', sha256: spot.sha256, media: 'video', durationMs: expect.any(Number) };
    expect(manifest).toMatchObject({
      files: [{ sha256: spot.sha256, bytes: expect.any(Number), mime: 'video/mp4', url: expect.any(String) }],
      screens: {
        main: [
          {
            releaseId: release.id,
            adId: ad.id,
            name: 'Autumn',
            orientation: 'vertical',
            split: 'full',
            playMode: 'sequence',
            showClock: false,
            fit: 'contain',
            priority: 'urgent',
            schedule,
            regions: { full: [item] },
          },
        ],
      },
    });
    const inUse = await api.call('DELETE', `/files/${spot.id}`, { token });
    expect([inUse.status, inUse.body.error, inUse.body.details]).toEqual([409, 'FILE_IN_USE', { ads: ['Autumn'] }]);
    const byDevice = await fetch(`${server.url}/media/${spot.sha256}`, {
      headers: { authorization: `Bearer ${device.secret}` },
    });
    expect([byDevice.status, byDevice.headers.get('cache-control')]).toEqual([
      200,
      'private, max-age=31536000, immutable',
    ]);
    for (const query of ['', `?ad=${ad.id}`, `?device=${device.id}`, '?active=true']) {
      expect(await ids(`/releases${query}`)).toEqual([release.id]);
    }
    expect(await ids('/releases?active=false')).toEqual([]);
    const url = `/releases/${release.id}`;
    expect(await api.data('GET', url, { token })).toMatchObject({ id: release.id, counts: { total: 1 } });
    expect(await ids(`${url}/devices?state=waiting`)).toEqual([device.id]);
    expect(await ids(`${url}/devices?state=done`)).toEqual([]);
    expect(await api.data('GET', `/devices/${device.id}/files`, { token })).toMatchObject({
      items: [{ id: spot.id, name: 'Spot.mp4', state: 'waiting' }],
    });
    expect(await api.data('POST', `${url}/withdraw`, { token })).toMatchObject({
      id: release.id,
      withdrawnAt: expect.stringMatching(UTC),
    });
    expect(await ids('/releases?active=true')).toEqual([]);
    const again = { devices: { filter: {} }, screen: 'secondary' };
    await api.data('POST', `/ads/${ad.id}/release`, { token, body: again });
    expect(await api.data('DELETE', `/devices/${device.id}/files`, { token })).toBeNull();
    expect(await api.data('GET', `/devices/${device.id}/files`, { token })).toMatchObject({ items: [] });
  });

  test('all devices must be in scope', async () => {
    const { token } = member;
    const mine = await api.addDevice(token);
    const other = await api.addDevice(dealer.token);
    const { id: fileId } = await addVideo();
    const ad = await api.data<Ad>('POST', '/ads', { token, body: upright([{ kind: 'file', fileId }]) });
    const body = { devices: { ids: [mine.id, other.id] } };
    expect((await api.call('POST', `/ads/${ad.id}/release`, { token, body })).body.error).toBe('NOT_FOUND');
    expect(await ids(`/releases?ad=${ad.id}`)).toEqual([]);
    for (const path of ['/ads', '/releases', '/devices']) expect(await ids(`${path}?owner=${MISSING}`)).toEqual([]);
  });
});

describe('apps', () => {
  test('an .apk goes up by tus with kind app; its page changes and removes it', async () => {
    const { token } = dealer;
    const apk = await readFile(APKS.settings);
    const metadata = { kind: 'app', name: 'Player', filename: 'player.apk', content: 'Starts faster' };
    expect((await api.upload(token, apk, metadata)).status).toBe(204);
    const { items } = await api.data<{ items: { id: string }[] }>('GET', '/apps', { token });
    expect(items).toMatchObject([{ name: 'Player', content: 'Starts faster', forced: false, istype: 1 }]);
    const url = `/apps/${items[0]?.id}`;
    const body = { name: 'Player 2', content: 'Faster still', forced: true, istype: 2, published: true };
    expect(await api.data('PATCH', url, { token, body })).toMatchObject(body);
    expect(await api.data('GET', url, { token: member.token })).toMatchObject(body);
    expect((await api.call('PATCH', url, { token: member.token, body })).status).toBe(403);
    expect(await api.data('DELETE', url, { token })).toBeNull();
    expect((await api.call('GET', url, { token })).status).toBe(404);
  });

  test('what is no APK is refused', async () => {
    const metadata = { kind: 'app', name: 'Player', filename: 'player.apk' };
    const refused = await api.upload(dealer.token, Buffer.from('no app '.repeat(2000)), metadata);
    expect([refused.status, await refused.json()]).toMatchObject([422, { code: 422, error: 'NOT_AN_APK' }]);
  });

  test('apps are uploaded by leading users only', async () => {
    const tus = tusAt(server.url, member);
    const headers = { 'upload-length': '100', 'upload-metadata': metadataOf({ kind: 'app', filename: 'a.apk' }) };
    const refused = await tus.request('POST', '/api/uploads', headers);
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: 'LEADING_ONLY' }]);
  });
});

describe('service', () => {
  test('GET live streams events with the ids that changed', async () => {
    const device = await api.addDevice(member.token);
    const stop = new AbortController();
    const stream = await fetch(`${server.url}/api/live`, {
      headers: { authorization: `Bearer ${member.token}` },
      signal: stop.signal,
    });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.headers.get('role')).toBe('member');
    let text = '';
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await api.data('PATCH', `/devices/${device.id}`, { token: member.token, body: { name: 'Renamed' } });
    while (!text.includes(device.id)) text += (await reader?.read())?.value ?? '';
    expect(text).toMatch(/event: ?device/);
    stop.abort();
  });

  test.each(['/health', '/ready'])('GET %s', async (path) => {
    const reply = await fetch(server.url + path);
    expect([reply.status, await reply.json()]).toMatchObject([200, { code: 200 }]);
  });

  test('GET /metrics', async () => {
    expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('# TYPE');
  });

  test('the document and its page', async () => {
    expect(await (await fetch(`${server.url}/api/openapi.json`)).json()).toMatchObject({ openapi: expect.any(String) });
    expect((await fetch(`${server.url}/api/docs`)).headers.get('content-type')).toContain('text/html');
  });
});
