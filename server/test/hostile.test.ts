import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { addApp, makeApk } from './apk.ts';
import { pairedDevice } from './device.ts';
import { addFile, makeMp4 } from './media.ts';
import { dataOf, startTestServer } from './server.ts';
import { metadataOf, tusAt } from './tus.ts';

/** Bugs found by generated requests (`server/test/fuzz`), one test each. */
const server = await startTestServer();
const admin = await server.login();

const cursorOf = (...keyset: string[]) => Buffer.from(JSON.stringify(keyset)).toString('base64url');

test.each(['a\0b', '\ud800'])('text that no row can hold (%j) is bad input', async (nasty) => {
  const { device } = await pairedDevice(server, admin);
  const named = await admin.calls.devices.update({ params: { id: device.id }, body: { name: nasty } });
  expect(named).toMatchObject({ error: 'INVALID', details: { fields: [{ path: 'name', message: 'Not valid' }] } });
  const searched = await fetch(`${server.url}/api/devices?q=a%00b`, {
    headers: { authorization: `Bearer ${admin.token}` },
  });
  expect(searched.status).toBe(400);
  expect(await server.as().session.checkRegisterCode({ body: { code: nasty } })).toMatchObject({ error: 'INVALID' });
});

test('text that no row can hold is refused in the metadata of an upload', async () => {
  const reply = await tusAt(server.url, admin).request('POST', '/api/uploads', {
    'upload-length': '5',
    'upload-metadata': metadataOf({ kind: 'app', name: 'x', content: 'a\0b' }),
  });
  expect(reply.status).toBe(400);
  expect(await reply.json()).toMatchObject({ error: 'INVALID', details: { fields: [{ path: 'content' }] } });
});

test('a piece of an upload without an offset is bad input', async () => {
  const client = tusAt(server.url, admin);
  const place = await client.create(100, { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const reply = await client.request('PATCH', place, {}, Buffer.alloc(4));
  expect([reply.status, await reply.json()]).toEqual([400, expect.objectContaining({ error: 'INVALID', code: 400 })]);
});

test('a device that reports values that cannot be stored is disconnected', async () => {
  const device = await pairedDevice(server, admin);
  const channel = await device.open();
  await channel.next();
  const { promise, resolve } = Promise.withResolvers<number>();
  channel.socket.on('close', resolve);
  channel.status({ manifestVersion: 'a\0b', download: { state: 'done', doneBytes: 0, totalBytes: 0 } });
  expect(await promise).toBe(4002);
});

test('the year 0000 is no date', async () => {
  const cursor = cursorOf('0000-01-01T00:00:00Z', '01900000-0000-7000-8000-000000000000');
  expect(await admin.calls.devices.list({ query: { cursor } })).toMatchObject({ code: 400 });
  expect(
    await admin.calls.users.listInvitations({ query: { cursor: cursorOf('0000-01-01T00:00:00Z', 'ABC') } }),
  ).toMatchObject({ code: 400 });
  expect(await admin.calls.reports.plays({ query: { from: '0000-01-01', to: '0000-01-02' } })).toMatchObject({
    code: 400,
  });
  const { device } = await pairedDevice(server, admin);
  const expire = { params: { id: device.id }, body: { expiresAt: '0000-01-01' } };
  expect(await admin.calls.devices.update(expire)).toMatchObject({ code: 400 });
});

test.each(['{}', '0', '2026-02-30'])('a report from %s is bad input', async (from) => {
  expect(await admin.calls.reports.export({ query: { from, to: '2026-01-01' } })).toMatchObject({
    error: 'INVALID',
  });
});

test('a device that names a release of others learns nothing of it', async () => {
  const [victim, thief] = [await server.createUser('member'), await server.createUser('member')];
  const theirs = await pairedDevice(server, victim);
  const video = await addFile(server, victim, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const body = {
    name: 'secret ad',
    orientation: 'vertical' as const,
    split: 'full' as const,
    regions: { full: [{ kind: 'file' as const, fileId: video.id }] },
  };
  const ad = dataOf(await victim.calls.ads.create({ body }));
  const devices = { ids: [theirs.device.id] };
  const release = dataOf(await victim.calls.ads.release({ params: { id: ad.id }, body: { devices } }));
  const mine = await pairedDevice(server, thief);
  const download = { state: 'done' as const, doneBytes: 0, totalBytes: 0 };
  for (const device of [mine, theirs]) {
    dataOf(await device.calls.player.status({ body: { download, playing: { main: { releaseId: release.id } } } }));
  }
  const seen = async (who: typeof thief, id: string) =>
    dataOf(await who.calls.devices.get({ params: { id } })).playing.main?.ad;
  expect(await seen(thief, mine.device.id)).toBeNull();
  expect(await seen(victim, theirs.device.id)).toEqual({ id: ad.id, name: 'secret ad' });
});

test('an address with an endless parameter leads to nothing', async () => {
  const reply = await fetch(`${server.url}/api/devices/${'x'.repeat(500)}`, { headers: { 'accept-language': 'de' } });
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ code: 404, error: 'NOT_FOUND', message: expect.any(String) });
});

test('the channel asked for without a WebSocket is not found', async () => {
  const { secret } = await pairedDevice(server, admin);
  const reply = await fetch(`${server.url}/api/player/socket`, { headers: { authorization: `Bearer ${secret}` } });
  expect(await reply.json()).toMatchObject({ code: 404, error: 'NOT_FOUND' });
});

test('malformed HTTP is answered with the envelope', async () => {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.end('HELO there\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 400, error: 'INVALID' });
});

test('headers without end are too large', async () => {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  request(`${server.url}/api/settings`, { headers: { 'x-long': 'x'.repeat(40_000) } }, (reply) => {
    text(reply).then((body) => resolve({ status: reply.statusCode, body }), reject);
  })
    .on('error', reject)
    .end();
  const { status, body } = await promise;
  expect(status).toBe(413);
  expect(JSON.parse(body)).toMatchObject({ code: 413, error: 'TOO_LARGE', details: { limit: '16 KB' } });
});

test('the publisher of an app is named to those above and directly below only', async () => {
  const [dealer, other] = [await server.createUser('leading'), await server.createUser('leading')];
  const { id } = await addApp(server, dealer, await makeApk(1));
  const answerTo = (viewer: typeof dealer) => viewer.calls.apps.get({ params: { id } });
  const seenBy = async (viewer: typeof dealer) => dataOf(await answerTo(viewer)).uploadedBy;
  const below = await server.createUser('leading', dealer);
  expect(await answerTo(other)).toMatchObject({ code: 404, error: 'NOT_FOUND' });
  expect(await seenBy(await server.createUser('member', below))).toBeNull();
  for (const viewer of [dealer, admin, below]) {
    expect(await seenBy(viewer)).toMatchObject({ username: dealer.user.username });
  }
});
