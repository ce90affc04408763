import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { ADMIN, startTestServer } from '../server.ts';
import { apiAt, MISSING, UTC, UUID_V7 } from './client.ts';

/** Devices and their players, called as the page "Calls" names them. */
const server = await startTestServer({ AMS_ENROLMENT_KEY: 'installers know this key' });
const api = apiAt(server.url);

type Person = Awaited<ReturnType<typeof api.addUser>>;
let dealer: Person;
let member: Person;

beforeAll(async () => {
  dealer = await api.addUser(await api.login(ADMIN.username), 'leading');
  member = await api.addUser(dealer.token, 'member');
});

interface Device {
  id: string;
  mac: string;
  name: string;
  expiresAt: string | null;
}

interface Listed {
  items: Device[];
  next: string | null;
}

const DEVICE =
  'id mac name owner operator online lastSeenAt download playing expired expiresAt timeZone area address orientation screens freeBytes playerVersion pairedAt createdAt'.split(
    ' ',
  );

const addPlain = (body: object = {}, { token } = dealer): Promise<Device> =>
  api.data('POST', '/devices', { token, body: { mac: api.mac(), ...body } });

describe('devices', () => {
  test('POST devices adds one, GET shows it, DELETE removes it', async () => {
    const { token } = dealer;
    const mac = api.mac();
    const made = await api.data<Device>('POST', '/devices', {
      token,
      body: { mac, name: 'Entrance', ownerId: member.id },
    });
    expect(Object.keys(made)).toEqual(expect.arrayContaining(DEVICE));
    expect(made).toMatchObject({
      id: expect.stringMatching(UUID_V7),
      name: 'Entrance',
      owner: { id: member.id, username: member.username, phone: null },
      online: false,
      lastSeenAt: null,
      download: { state: expect.stringMatching(/^(waiting|done)$/), doneBytes: 0, totalBytes: 0 },
      expired: false,
      pairedAt: null,
      createdAt: expect.stringMatching(UTC),
    });
    expect(made.mac.replaceAll(/\W/g, '').toLowerCase()).toBe(mac);
    const taken = await api.call('POST', '/devices', { token, body: { mac } });
    expect([taken.status, taken.body.error]).toEqual([409, 'MAC_TAKEN']);
    expect((await api.call('POST', '/devices', { token: member.token, body: { mac: api.mac() } })).status).toBe(403);
    expect(await api.data('GET', `/devices/${made.id}`, { token: member.token })).toMatchObject({ id: made.id });
    expect(await api.data('DELETE', `/devices/${made.id}`, { token: member.token })).toBeNull();
    expect((await api.call('GET', `/devices/${made.id}`, { token })).status).toBe(404);
  });

  test('POST devices/pair takes the six digits alone', async () => {
    const { token } = member;
    const player = await api.addPlayer();
    expect(player.code).toMatch(/^\d{6}$/);
    const body = { code: player.code, name: 'Window', area: 'Mitte', address: 'Long Street 1' };
    const device = await api.data<Device>('POST', '/devices/pair', { token, body });
    expect(device).toMatchObject({
      name: 'Window',
      area: 'Mitte',
      address: 'Long Street 1',
      owner: { id: member.id },
      timeZone: 'Europe/Berlin',
      orientation: 'vertical',
      pairedAt: expect.stringMatching(UTC),
    });
    expect(await player.enrol()).toMatchObject({ state: 'paired' });
  });

  test('a wrong code, the MAC of another device and the device of another user are refused', async () => {
    const player = await api.addPlayer();
    for (const body of [{ code: '000000' }, { code: player.code, mac: api.mac() }]) {
      const refused = await api.call('POST', '/devices/pair', { token: member.token, body });
      expect([refused.status, refused.body.error]).toEqual([422, 'BAD_PAIRING_CODE']);
    }
    const { mac } = await addPlain({}, dealer);
    const secret = 'x'.repeat(43);
    const shown = await api.data<{ code: string }>('POST', '/player/enrol', { token: secret, body: { mac } });
    const owned = await api.call('POST', '/devices/pair', { token: member.token, body: { code: shown.code, mac } });
    expect([owned.status, owned.body.error]).toEqual([409, 'DEVICE_OWNED']);
  });

  test('GET devices filters', async () => {
    const { token } = await api.addUser(dealer.token, 'leading');
    const device = await api.addDevice(token);
    const place = { area: 'Altona', address: 'Harbour 9', name: 'Ferry' };
    await api.data('PATCH', `/devices/${device.id}`, { token, body: place });
    const yesterday = new Date(Date.now() - 86_400_000 * 2).toISOString().slice(0, 10);
    const old = await addPlain({}, { ...dealer, token });
    await api.data('PATCH', `/devices/${old.id}`, { token, body: { expiresAt: yesterday } });
    const find = async (query: string): Promise<string[]> =>
      (await api.data<Listed>('GET', `/devices?${query}`, { token })).items.map(({ id }) => id);
    expect(await find('')).toEqual([old.id, device.id]);
    for (const query of ['q=ferry', 'q=altona', 'q=harbour', 'area=altona', 'expiry=valid', 'orientation=vertical']) {
      expect([query, await find(query)]).toEqual([query, [device.id]]);
    }
    expect(await find(`q=${device.mac.slice(3).replaceAll(':', '')}`)).toEqual([device.id]);
    expect(await find('expiry=expired')).toEqual([old.id]);
    for (const query of [
      'online=true',
      'expiry=expiring',
      'download=failed',
      'orientation=horizontal',
      `owner=${MISSING}`,
    ]) {
      expect([query, await find(query)]).toEqual([query, []]);
    }
    expect((await find('online=false')).length).toBe(2);
    for (const query of ['online=yes', 'download=nothing', 'expiry=never', 'orientation=round']) {
      expect((await api.call('GET', `/devices?${query}`, { token })).status).toBe(400);
    }
  });

  test('PATCH changes name and place; owner, expiry and time zone are for leading users', async () => {
    const { id } = await addPlain({ ownerId: member.id });
    const url = `/devices/${id}`;
    const place = { name: 'Till', area: 'Nord', address: 'Hill 3' };
    expect(await api.data('PATCH', url, { token: member.token, body: place })).toMatchObject({ id, ...place });
    const { token } = dealer;
    const body = { ownerId: dealer.id, expiresAt: '2035-01-31', timeZone: 'Asia/Tokyo' };
    for (const [field, value] of Object.entries(body)) {
      const refused = await api.call('PATCH', url, { token: member.token, body: { [field]: value } });
      expect([field, refused.status, refused.body.error]).toEqual([field, 403, 'LEADING_ONLY']);
    }
    expect(await api.data('PATCH', url, { token, body })).toMatchObject({
      owner: { id: dealer.id },
      expiresAt: '2035-01-31',
      timeZone: 'Asia/Tokyo',
    });
    expect(await api.data('PATCH', url, { token, body: { expiresAt: null } })).toMatchObject({ expiresAt: null });
  });
});

describe('POST devices/batch', () => {
  const run = (body: object, { token } = dealer) =>
    api.call<{ done: number; failed: { id: string; error: string }[] }>('POST', '/devices/batch', { token, body });
  const read = (id: string): Promise<Device> => api.data('GET', `/devices/${id}`, { token: dealer.token });

  test.each([
    [{ action: 'expire', date: '2034-05-31' }, { expiresAt: '2034-05-31' }],
    [{ action: 'timeZone', timeZone: 'America/Lima' }, { timeZone: 'America/Lima' }],
    [{ action: 'clear' }, {}],
    [{ action: 'restart' }, {}],
  ])('%o', async (order, expected) => {
    const { id } = await addPlain();
    const { status, body } = await run({ ids: [id, MISSING], ...order });
    expect([status, body.data.done]).toEqual([200, 1]);
    expect(body.data.failed).toMatchObject([{ id: MISSING, error: 'NOT_FOUND' }]);
    expect(await read(id)).toMatchObject(expected);
  });

  test('reassign and delete', async () => {
    const { id } = await addPlain();
    expect((await run({ ids: [id], action: 'reassign', ownerId: member.id })).body.data.done).toBe(1);
    expect(await read(id)).toMatchObject({ owner: { id: member.id } });
    expect((await run({ ids: [id], action: 'delete' })).body.data.done).toBe(1);
    expect((await api.call('GET', `/devices/${id}`, { token: dealer.token })).status).toBe(404);
  });

  test('extend counts from the date of each device', async () => {
    const { id } = await addPlain();
    await run({ ids: [id], action: 'expire', date: '2034-01-31' });
    expect((await run({ ids: [id], action: 'extend', months: 1 })).body.data).toMatchObject({ done: 1, failed: [] });
    expect(await read(id)).toMatchObject({ expiresAt: '2034-02-28' });
  });

  test('a dry run changes nothing', async () => {
    const { id, expiresAt } = await addPlain();
    const { status, body } = await run({ ids: [id], action: 'expire', date: '2034-05-31', dryRun: true });
    expect([status, body.data]).toMatchObject([200, { done: expect.any(Number), failed: [] }]);
    expect(await read(id)).toMatchObject({ expiresAt });
  });

  test('a filter chooses what the list shows; an empty one all in scope', async () => {
    const seller = await api.addUser(dealer.token, 'leading');
    for (const name of ['one', 'two', 'three']) await addPlain({ name }, seller);
    expect(
      (await run({ filter: { q: 'two' }, action: 'timeZone', timeZone: 'Asia/Tokyo' }, seller)).body.data.done,
    ).toBe(1);
    expect((await run({ filter: {}, action: 'timeZone', timeZone: 'Asia/Seoul' }, seller)).body.data.done).toBe(3);
  });

  test('some actions are for leading users, and a thousand ids are the limit', async () => {
    const { id } = await addPlain({ ownerId: member.id });
    for (const order of [
      { action: 'reassign', ownerId: member.id },
      { action: 'expire', date: '2034-05-31' },
      { action: 'extend', months: 1 },
      { action: 'timeZone', timeZone: 'Asia/Tokyo' },
      { action: 'delete' },
    ]) {
      const { status, body } = await run({ ids: [id], ...order }, member);
      expect([order.action, status, body.error]).toEqual([order.action, 403, 'LEADING_ONLY']);
    }
    expect((await run({ ids: [id], action: 'restart' }, member)).body.data.done).toBe(1);
    expect((await run({ ids: Array.from({ length: 1001 }, () => randomUUID()), action: 'restart' })).status).toBe(400);
    expect((await run({ ids: [id], action: 'explode' })).status).toBe(400);
  });
});

describe('spreadsheets', () => {
  test('GET devices/export', async () => {
    const sheet = await api.send('GET', '/devices/export?q=nothing', { token: member.token });
    expect(sheet.headers.get('content-type')).toBe('application/vnd.ms-excel');
    expect(sheet.headers.get('content-disposition')).toMatch(/"device MAC export \d{4}-\d{2}-\d{2}\.xls"/);
  });

  test('GET devices/template', async () => {
    const sheet = await api.send('GET', '/devices/template', { token: dealer.token });
    expect(sheet.headers.get('content-disposition')).toContain('"batch import template.xls"');
    expect((await api.send('GET', '/devices/template', { token: member.token })).status).toBe(403);
  });

  test('POST devices/import takes the good rows, whatever the others', async () => {
    const good = api.mac();
    const csv = [
      'mac,name,owner,expires,area,address',
      `${good},Kiosk,${member.username},2034-05-31,Mitte,Long Street 2`,
      'nonsense,Broken,,,,',
    ].join('\n');
    const form = new FormData();
    form.set('file', new Blob([csv], { type: 'text/csv' }), 'devices.csv');
    const reply = await fetch(`${server.url}/api/devices/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${dealer.token}` },
      body: form,
    });
    expect(await reply.json()).toMatchObject({
      code: 200,
      data: { added: 1, rejected: [{ row: 3, mac: 'nonsense', reason: expect.any(String) }] },
    });
    const { items } = await api.data<Listed>('GET', '/devices?q=kiosk', { token: member.token });
    expect(items).toMatchObject([{ name: 'Kiosk', expiresAt: '2034-05-31', area: 'Mitte', address: 'Long Street 2' }]);
  });
});

describe('players', () => {
  const picture = () =>
    sharp({ create: { width: 9, height: 9, channels: 3, background: '#fff' } })
      .jpeg()
      .toBuffer();

  test('POST player/enrol answers a code to be read from the screen', async () => {
    expect(await api.addPlayer()).toMatchObject({
      state: 'pairing',
      code: expect.stringMatching(/^\d{6}$/),
      qr: expect.stringContaining('/'),
      expiresIn: expect.any(Number),
    });
    expect((await api.call('POST', '/player/enrol', { body: { mac: api.mac() } })).status).toBe(401);
  });

  test('POST player/enrol with the enrolment key pairs a device that was added', async () => {
    const { mac } = await addPlain();
    const body = { mac, enrolmentKey: 'installers know this key', screens: 2 };
    const enrolled = await api.data('POST', '/player/enrol', { token: 'y'.repeat(43), body });
    expect(enrolled).toMatchObject({ state: 'paired' });
  });

  test('GET player/manifest has a version, and answers 304 to a device that holds it', async () => {
    const { secret, id, mac } = await api.addDevice(member.token);
    const reply = await api.call<{ version: string }>('GET', '/player/manifest', { token: secret });
    expect(reply.body.data).toMatchObject({
      version: expect.any(String),
      device: { id, mac, name: expect.any(String) },
      serverTime: expect.stringMatching(UTC),
      timeZone: 'Europe/Berlin',
      expired: false,
      merchant: { username: dealer.username, phone: null },
      files: [],
      screens: { main: [], secondary: [] },
      app: null,
    });
    const etag = reply.headers.get('etag') ?? '';
    const again = await api.send('GET', '/player/manifest', { token: secret, headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('etag')]).toEqual([304, etag]);
    expect((await api.call('GET', '/player/manifest', { token: member.token })).status).toBe(401);
  });

  test('WS player/socket takes the token as its second protocol', async () => {
    const { secret, id } = await api.addDevice(member.token);
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/player/socket`, ['ams', secret]);
    const received: unknown[] = [];
    socket.on('message', (text) => received.push(JSON.parse(text.toString())));
    await once(socket, 'open');
    expect(socket.protocol).toBe('ams');
    const status = {
      manifestVersion: null,
      download: { state: 'done', doneBytes: 3, totalBytes: 3 },
      freeBytes: 77,
      clockMs: 1,
    };
    socket.send(JSON.stringify({ type: 'status', ...status }));
    const read = () => api.data('GET', `/devices/${id}`, { token: member.token });
    await expect.poll(read).toMatchObject({ online: true, freeBytes: 77, lastSeenAt: expect.stringMatching(UTC) });
    expect(
      await api.data('POST', '/devices/batch', { token: member.token, body: { ids: [id], action: 'restart' } }),
    ).toMatchObject({ done: 1 });
    await expect.poll(() => received).toContainEqual({ type: 'restart' });
    expect(await api.data('POST', `/devices/${id}/screenshot`, { token: member.token })).toBeNull();
    await expect.poll(() => received).toContainEqual({ type: 'screenshot' });
    expect(received).toContainEqual({ type: 'manifest', version: expect.any(String) });
    socket.close();
    await expect.poll(read).toMatchObject({ online: false });
    const wrong = new WebSocket(`${server.url.replace('http', 'ws')}/api/player/socket`, ['ams', 'z'.repeat(43)]);
    const [, refusal] = await once(wrong, 'unexpected-response');
    expect([refusal.statusCode, refusal.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Bearer /)]);
    wrong.on('error', () => undefined).terminate();
  });

  test('POST player/status, plays and screenshot', async () => {
    const { secret, id } = await api.addDevice(member.token);
    const status = {
      manifestVersion: 'none',
      download: { state: 'failed', reason: 'diskFull' },
      playing: { main: null },
    };
    expect(await api.data('POST', '/player/status', { token: secret, body: status })).toBeNull();
    const play = {
      releaseId: randomUUID(),
      sha256: '0'.repeat(64),
      at: '2026-07-01T08:00:00.000Z',
      durationMs: 1000,
      screen: 'main',
    };
    const batch = { batch: randomUUID(), plays: [play] };
    expect(await api.data('POST', '/player/plays', { token: secret, body: batch })).toMatchObject({
      accepted: 0,
      rejected: 1,
    });
    const shot = () =>
      fetch(`${server.url}/api/devices/${id}/screenshot`, { headers: { authorization: `Bearer ${member.token}` } });
    expect((await shot()).status).toBe(404);
    const jpeg = await picture();
    const sent = await fetch(`${server.url}/api/player/screenshot`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${secret}`, 'content-type': 'image/jpeg' },
      body: new Uint8Array(jpeg),
    });
    expect(await sent.json()).toMatchObject({ code: 200, data: null });
    const last = await shot();
    expect([last.status, last.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    const { status: heavy, body } = await api.call('POST', '/player/screenshot', {
      token: secret,
      headers: { 'content-type': 'image/jpeg' },
      body: 'x'.repeat(2 ** 20),
    });
    expect([heavy, body.error]).toEqual([413, 'TOO_LARGE']);
  });

  test('GET player/app answers null without a newer version', async () => {
    const { secret } = await api.addDevice(member.token);
    expect(await api.data('GET', '/player/app?package=com.example.player&code=1', { token: secret })).toBeNull();
  });
});
