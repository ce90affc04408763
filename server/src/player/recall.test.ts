import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { makeMachine, pairedMachine, type TestMachine } from '../../test/machine.ts';
import { readMetric } from '../../test/metrics.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { startServer } from '../server.ts';

/** Machines that ask whether there is anything new, with two server processes that recall what they answered. */
const server = await startTestServer();
const second = await startServer(server.config, server.connection, pino({ level: 'error' }));
await second.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => second.stop());
const there = `http://127.0.0.1:${(second.app.server.address() as AddressInfo).port}`;
const admin = await server.login();

/** Asks as a machine that holds the manifest of this tag, or none. */
async function ask(
  { secret }: TestMachine,
  etag?: string,
  url = server.url,
): Promise<{ status: number; etag: string }> {
  const headers = { authorization: `Bearer ${secret}`, ...(etag !== undefined && { 'if-none-match': etag }) };
  const reply = await fetch(`${url}/api/player/manifest`, { headers });
  return { status: reply.status, etag: reply.headers.get('etag') ?? '' };
}

/** A machine that both processes have told that it holds the newest manifest. */
async function upToDate() {
  const machine = await pairedMachine(server, admin);
  const { etag } = await ask(machine);
  for (const url of [server.url, there]) expect(await ask(machine, etag, url)).toEqual({ status: 304, etag });
  return { machine, etag, id: machine.device.id };
}

test('a machine that asks again is answered without the database', async () => {
  const { machine, etag } = await upToDate();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  for (let n = 0; n < 20; n += 1) expect((await ask(machine, etag)).status).toBe(304);
  const texts = query.mock.calls.map(([first]) => JSON.stringify(first));
  expect(texts.filter((text) => /devices_now|secret_hash/.test(text))).toEqual([]);
});

test('what memory answers is counted like everything else', async () => {
  const { machine, etag } = await upToDate();
  const counted = () =>
    readMetric(server.url, /ams_http_request_duration_seconds_count\{(?=.*manifest)(?=.*"304").*\}/);
  const before = await counted();
  for (let n = 0; n < 20; n += 1) expect(await ask(machine, etag)).toEqual({ status: 304, etag });
  expect(await counted()).toBe(before + 20);
});

test('whoever changed something finds that the same process tells the machine so, each time', async () => {
  const boss = await server.addUser('leading');
  const machine = await pairedMachine(server, boss);
  const { id } = machine.device;
  const patch = async (body: { name?: string; timeZone?: string; expiresAt?: string }) =>
    dataOf(await admin.calls.devices.patch({ params: { id }, body }));
  let { etag } = await ask(machine);
  for (let n = 0; n < 10; n += 1) {
    for (const change of [
      () => patch({ name: `Hall ${n}` }),
      () => patch({ timeZone: n % 2 ? 'Asia/Tokyo' : 'Europe/Paris' }),
      () => patch({ expiresAt: n % 2 ? '2020-01-01' : '2099-01-01' }),
      async () =>
        dataOf(await admin.calls.users.patch({ params: { id: admin.user.id }, body: { phone: `+49 30 ${n}` } })),
    ]) {
      expect((await ask(machine, etag)).status).toBe(304);
      await change();
      const reply = await ask(machine, etag);
      expect(reply.status).toBe(200);
      ({ etag } = reply);
    }
  }
  dataOf(await boss.calls.devices.remove({ params: { id } }));
  expect((await ask(machine, etag)).status).toBe(401);
});

test('a machine that is paired anew with another secret is known by that one alone, at once', async () => {
  const { machine, etag } = await upToDate();
  const other = makeMachine(server, machine.mac);
  const { code } = await other.enrol();
  dataOf(await admin.calls.devices.pair({ body: { mac: machine.mac, code } }));
  expect((await ask(machine, etag)).status).toBe(401);
  expect((await ask(other)).status).toBe(200);
});

test('the other process tells it as soon as it hears, and at once to whoever asks for the whole manifest', async () => {
  const { machine, etag, id } = await upToDate();
  let before = etag;
  for (let n = 0; n < 20; n += 1) {
    dataOf(await admin.calls.devices.patch({ params: { id }, body: { name: `Hall ${n}` } }));
    // As a machine does that its channel, wherever it is, has told of a change.
    const whole = await ask(machine, undefined, there);
    expect(whole.etag).not.toBe(before);
    expect((await ask(machine, whole.etag)).status).toBe(304);
    before = whole.etag;
  }
  await vi.waitFor(async () => expect((await ask(machine, etag, there)).status).toBe(200), { interval: 5 });
});

test('a process that does not hear the others answers nothing from memory, before and after it listens again', async () => {
  const { machine, etag, id } = await upToDate();
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query in ('listen ams', 'select 1')`.execute(server.deps.db);
  await cut();
  await vi.waitFor(() =>
    expect([server.deps, second.deps].map(({ events }) => events.listening)).toEqual([false, false]),
  );
  dataOf(await admin.calls.devices.patch({ params: { id }, body: { name: 'Cellar' } }));
  const now = await ask(machine, etag, there);
  expect(now.status).toBe(200);
  expect((await ask(machine, etag)).status).toBe(200);
  await vi.waitFor(() =>
    expect([server.deps, second.deps].map(({ events }) => events.listening)).toEqual([true, true]),
  );
  for (const url of [server.url, there]) {
    expect((await ask(machine, etag, url)).status).toBe(200);
    expect((await ask(machine, now.etag, url)).status).toBe(304);
  }
});

test('a machine whose last day ends is told at that moment, before anybody tells it so', async () => {
  const { machine, id } = await upToDate();
  await sql`update devices set expires_at = now() + interval '1500 milliseconds' where id = ${id}`.execute(
    server.deps.db,
  );
  await sql`select pg_notify('ams', ${JSON.stringify({ topic: 'manifest', ids: [id], of: 1 })})`.execute(
    server.deps.db,
  );
  await server.deps.events.heardAll();
  const { etag } = await ask(machine);
  expect((await ask(machine, etag)).status).toBe(304);
  await vi.waitFor(async () => expect((await ask(machine, etag)).status).toBe(200));
  expect((await machine.manifest()).expired).toBe(true);
});
