import { type AddressInfo, connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeDevice, pairedDevice, type TestDevice } from '../../test/device.ts';
import { readMetric } from '../../test/metrics.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { startServer } from '../lifecycle.ts';

/** Devices that ask whether there is anything new, with two server processes that cache their answers. */
const server = await startTestServer();
const second = await startServer(server.config, server.connection, pino({ level: 'error' }));
await second.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => second.stop());
const there = `http://127.0.0.1:${(second.app.server.address() as AddressInfo).port}`;
const admin = await server.login();

/** Asks as a device that holds the manifest of this tag, or none. */
async function ask({ secret }: TestDevice, etag?: string, url = server.url): Promise<{ status: number; etag: string }> {
  const headers = { authorization: `Bearer ${secret}`, ...(etag !== undefined && { 'if-none-match': etag }) };
  const reply = await fetch(`${url}/api/player/manifest`, { headers });
  return { status: reply.status, etag: reply.headers.get('etag') ?? '' };
}

/** A device that has the newest manifest by the answers of both processes. */
async function upToDate() {
  const device = await pairedDevice(server, admin);
  const { etag } = await ask(device);
  for (const url of [server.url, there]) expect(await ask(device, etag, url)).toEqual({ status: 304, etag });
  return { device, etag, id: device.device.id };
}

test('a device that asks again is answered without the database', async () => {
  const { device, etag } = await upToDate();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  for (let n = 0; n < 20; n += 1) expect((await ask(device, etag)).status).toBe(304);
  const texts = query.mock.calls.map(([first]) => JSON.stringify(first));
  expect(texts.filter((text) => /devices_now|secret_hash/.test(text))).toEqual([]);
});

test('a device that has lost its manifest is answered without the database, with what holds now', async () => {
  const { device, id, etag } = await upToDate();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  for (let n = 0; n < 20; n += 1) expect(await ask(device)).toEqual({ status: 200, etag });
  const texts = query.mock.calls.map(([first]) => JSON.stringify(first));
  expect(texts.filter((text) => /devices_now|secret_hash/.test(text))).toEqual([]);
  for (const name of ['Hall', 'Door']) {
    dataOf(await admin.calls.devices.update({ params: { id }, body: { name } }));
    expect(dataOf(await device.calls.player.manifest()).device.name).toBe(name);
  }
});

test('responses from memory are counted as well', async () => {
  const { device, etag } = await upToDate();
  const counted = () =>
    readMetric(server.url, /ams_http_request_duration_seconds_count\{(?=.*manifest)(?=.*"304").*\}/);
  const before = await counted();
  for (let n = 0; n < 20; n += 1) expect(await ask(device, etag)).toEqual({ status: 304, etag });
  expect(await counted()).toBe(before + 20);
});

/** Sends these bytes over one connection, and answers all that comes back until it ends. */
async function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  return textOf(socket);
}

test('requests that come together are answered in their order, and what breaks off disturbs nobody', async () => {
  const { device, etag } = await upToDate();
  const request = (path: string, ...lines: string[]): string =>
    [`GET ${path} HTTP/1.1`, 'Host: here', ...lines, '', ''].join('\r\n');
  const poll = request('/api/player/manifest', `Authorization: Bearer ${device.secret}`, `If-None-Match: ${etag}`);
  const last = request('/api/nowhere', 'Connection: close');
  const statuses = (await exchange(poll + request('/api/nowhere') + poll + last)).match(/HTTP\/1\.1 \d+/g);
  expect(statuses).toEqual(['HTTP/1.1 304', 'HTTP/1.1 404', 'HTTP/1.1 304', 'HTTP/1.1 404']);
  for (let n = 0; n < 20; n += 1) {
    const { hostname, port } = new URL(server.url);
    const gone = connect(Number(port), hostname);
    gone.write(poll, () => gone.resetAndDestroy());
    await exchange(`${poll}no request\r\n\r\n`);
  }
  expect(await ask(device, etag)).toEqual({ status: 304, etag });
});

test("after a user's change, the same process always announces it to the device", async () => {
  const boss = await server.createUser('leading');
  const device = await pairedDevice(server, boss);
  const { id } = device.device;
  const patch = async (body: { name?: string; timeZone?: string; expiresAt?: string }) =>
    dataOf(await admin.calls.devices.update({ params: { id }, body }));
  let { etag } = await ask(device);
  for (let n = 0; n < 10; n += 1) {
    for (const change of [
      () => patch({ name: `Hall ${n}` }),
      () => patch({ timeZone: n % 2 ? 'Asia/Tokyo' : 'Europe/Paris' }),
      () => patch({ expiresAt: n % 2 ? '2020-01-01' : '2099-01-01' }),
      async () =>
        dataOf(await admin.calls.users.update({ params: { id: admin.user.id }, body: { phone: `+49 30 ${n}` } })),
    ]) {
      expect((await ask(device, etag)).status).toBe(304);
      await change();
      const reply = await ask(device, etag);
      expect(reply.status).toBe(200);
      ({ etag } = reply);
    }
  }
  dataOf(await boss.calls.devices.delete({ params: { id } }));
  expect((await ask(device, etag)).status).toBe(401);
});

test('a device that is paired again is known only by its new secret, at once', async () => {
  const { device, etag } = await upToDate();
  const other = makeDevice(server, device.mac);
  const { code } = await other.enrol();
  dataOf(await admin.calls.devices.pair({ body: { mac: device.mac, code } }));
  expect((await ask(device, etag)).status).toBe(401);
  expect((await ask(other)).status).toBe(200);
});

test('the other process announces the change when notified, and answers requests for the whole manifest correctly at once', async () => {
  const { device, etag, id } = await upToDate();
  let before = etag;
  for (let n = 0; n < 20; n += 1) {
    dataOf(await admin.calls.devices.update({ params: { id }, body: { name: `Hall ${n}` } }));
    // Like a device that was notified of a change over its connection.
    const whole = await ask(device, undefined, there);
    expect(whole.etag).not.toBe(before);
    expect((await ask(device, whole.etag)).status).toBe(304);
    before = whole.etag;
  }
  await vi.waitFor(async () => expect((await ask(device, etag, there)).status).toBe(200), { interval: 5 });
});

test('a whole manifest from memory holds what was committed before the request, also by another program', async () => {
  const { device, id } = await upToDate();
  for (let n = 0; n < 50; n += 1) {
    const name = `Hall ${n}`;
    const event = JSON.stringify({ topic: 'manifest', ids: [id], of: 1 });
    await sql`with told as (select pg_notify('ams', ${event})) update devices set name = ${name} from told where id = ${id}`.execute(
      server.deps.db,
    );
    expect(dataOf(await device.calls.player.manifest()).device.name).toBe(name);
  }
});

test('a process that receives no events answers nothing from memory, before and after it reconnects', async () => {
  const { device, etag, id } = await upToDate();
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query in ('listen ams', 'select 1')`.execute(server.deps.db);
  await cut();
  await vi.waitFor(() =>
    expect([server.deps, second.deps].map(({ events }) => events.listening)).toEqual([false, false]),
  );
  dataOf(await admin.calls.devices.update({ params: { id }, body: { name: 'Cellar' } }));
  const now = await ask(device, etag, there);
  expect(now.status).toBe(200);
  expect((await ask(device, etag)).status).toBe(200);
  await vi.waitFor(() =>
    expect([server.deps, second.deps].map(({ events }) => events.listening)).toEqual([true, true]),
  );
  for (const url of [server.url, there]) {
    expect((await ask(device, etag, url)).status).toBe(200);
    expect((await ask(device, now.etag, url)).status).toBe(304);
  }
});

test('a device is notified at the moment when its last day ends', async () => {
  const { device, id } = await upToDate();
  await sql`update devices set expires_at = now() + interval '1500 milliseconds' where id = ${id}`.execute(
    server.deps.db,
  );
  await sql`select pg_notify('ams', ${JSON.stringify({ topic: 'manifest', ids: [id], of: 1 })})`.execute(
    server.deps.db,
  );
  await server.deps.events.heardAll();
  const { etag } = await ask(device);
  expect((await ask(device, etag)).status).toBe(304);
  await vi.waitFor(async () => expect((await ask(device, etag)).status).toBe(200));
  expect((await device.manifest()).expired).toBe(true);
});
