import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { pairedDevice, type TestDevice } from '../../test/device.ts';
import { readMetric } from '../../test/metrics.ts';
import { makeKey } from '../../test/signing.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { publish } from '../platform/events/events.ts';

const server = await startTestServer();
const admin = await server.login();
const { db } = server.deps;

// Number of writes of each device's row caused by its reports.
await sql`create table words (device_id uuid not null)`.execute(db);
await sql`
  create function count_word() returns trigger language plpgsql as $$
  begin insert into words values (new.device_id); return null; end $$`.execute(db);
await sql`
  create trigger count_words after update of download on device_revisions for each row
  when (old.download is distinct from new.download) execute function count_word()`.execute(db);

const wordsOf = async ({ device }: { device: { id: string } }): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from words where device_id = ${device.id}`.execute(db);
  return rows[0]?.n ?? 0;
};
const freeOf = async ({ device }: { device: { id: string } }) =>
  dataOf(await admin.calls.devices.get({ params: { id: device.id } })).freeBytes;

const progress = (doneBytes: number) => ({
  download: { state: 'downloading' as const, doneBytes, totalBytes: 10_000 },
  freeBytes: doneBytes,
});

const post = (device: TestDevice, body: string) =>
  fetch(`${server.url}/api/player/status`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${device.secret}`, 'content-type': 'application/json' },
    body,
  });

test('thousands of messages on one connection cost few writes and end with the last; others are not affected', async () => {
  const [greedy, modest] = [await pairedDevice(server, admin), await pairedDevice(server, admin)];
  const [flood, calm] = [await greedy.open(), await modest.open()];
  await Promise.all([flood.next(), calm.next()]);
  const begun = performance.now();
  for (let n = 1; n <= 3000; n += 1) flood.status(progress(n));
  calm.status(progress(7));
  await vi.waitFor(async () => expect(await freeOf(modest)).toBe(7), { interval: 20 });
  calm.status(progress(8));
  await vi.waitFor(async () => expect(await freeOf(modest)).toBe(8), { interval: 20 });
  expect(await wordsOf(modest)).toBe(2);
  await vi.waitFor(async () => expect(await freeOf(greedy)).toBeGreaterThan(50));
  const seconds = (performance.now() - begun) / 1000;
  expect(await wordsOf(greedy)).toBeLessThanOrEqual(seconds + 1);
  // Its connection is slowed, not closed: its reports still arrive.
  expect(flood.socket.readyState).toBe(flood.socket.OPEN);
  flood.socket.terminate();
  await calm.close();
});

test('a device that never reads is disconnected before its messages fill the memory', async () => {
  const device = await pairedDevice(server, admin);
  const { socket } = await device.open();
  socket.pause();
  const isOpen = async (): Promise<boolean> => (await readMetric(server.url, /ams_channels/)) > 0;
  expect(await isOpen()).toBe(true);
  const ids = Array.from({ length: 100 }, () => device.device.id);
  let told = 1000;
  const tell = async (): Promise<void> => {
    const messages = Array.from({ length: 100 }, () => ({ topic: 'manifest' as const, ids, of: (told += 1) }));
    await publish(db, ...messages);
  };
  // Sooner than unanswered pings would end it.
  await vi.waitFor(
    async () => {
      await tell();
      expect(await isOpen()).toBe(false);
    },
    { interval: 10 },
  );
  socket.terminate();
});

test('only the device that exceeds the limit over HTTP has to wait', async () => {
  const [greedy, modest] = [await pairedDevice(server, admin), await pairedDevice(server, admin)];
  const replies = await Promise.all(Array.from({ length: 100 }, (_, n) => post(greedy, JSON.stringify(progress(n)))));
  const taken = replies.filter((reply) => reply.status === 200).length;
  const refused = replies.filter((reply) => reply.status === 429);
  expect(taken + refused.length).toBe(100);
  // Twenty at once, and two a second while the hundred were answered.
  expect(taken).toBeGreaterThanOrEqual(20);
  expect(taken).toBeLessThan(60);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBe(1);
  expect((await post(modest, JSON.stringify(progress(1)))).status).toBe(200);
});

test('a message of a megabyte is refused before it is read, on both ways', async () => {
  const device = await pairedDevice(server, admin);
  const large = JSON.stringify({ ...progress(1), download: { ...progress(1).download, reason: 'x'.repeat(2 ** 20) } });
  const reply = await post(device, large);
  expect(await reply.json()).toMatchObject({ code: 413, error: 'TOO_LARGE', details: { limit: '16 KB' } });
  const channel = await device.open();
  const closed = new Promise<number>((resolve) => channel.socket.on('close', resolve));
  channel.socket.send(large);
  expect(await closed).toBe(1009);
  expect(await wordsOf(device)).toBe(0);
});

test('wrong types are refused with the field named, and change nothing', async () => {
  const device = await pairedDevice(server, admin);
  for (const bad of [
    { download: 'done' },
    { download: { state: 'finished' } },
    { download: { state: 'done', doneBytes: -1 } },
    { download: { state: 'done', doneBytes: 1e300 } },
    { download: { state: 'done' }, freeBytes: '12' },
    { download: { state: 'done' }, playing: { main: { releaseId: "'; drop table devices" } } },
    { download: { state: 'done' }, player: { version: {}, kind: [] } },
    [],
    null,
  ]) {
    const reply = await post(device, JSON.stringify(bad));
    expect(reply.status).toBe(400);
  }
  expect(await wordsOf(device)).toBe(0);
  // If a device reports a release that it never had, the page shows no ad for it.
  dataOf(
    await device.calls.player.status({
      body: { ...progress(1), playing: { main: { releaseId: '01900000-0000-7000-8000-000000000000' } } },
    }),
  );
  const { playing } = dataOf(await admin.calls.devices.get({ params: { id: device.device.id } }));
  expect(playing.main?.ad).toBeNull();
});

test('a device registers 20 other keys an hour at most; others are not affected', async () => {
  const [greedy, modest] = [await pairedDevice(server, admin), await pairedDevice(server, admin)];
  const register = async ({ mac, calls }: TestDevice) =>
    calls.player.enrol({ body: { mac, publicKey: (await makeKey()).publicKey } });
  const codes = [];
  for (let nth = 0; nth < 22; nth += 1) codes.push((await register(greedy)).code);
  expect(codes).toEqual([...Array.from({ length: 20 }, () => 200), 429, 429]);
  // It starts all the same with the key that it has registered.
  expect((await greedy.calls.player.enrol({ body: { mac: greedy.mac } })).code).toBe(200);
  expect((await register(modest)).code).toBe(200);
  const lines = await db.selectFrom('audit').select('id').where('action', '=', 'devices.key').execute();
  expect(lines).toHaveLength(21);
  await sql`update rate_limits set ends_at = now()`.execute(db);
  expect((await register(greedy)).code).toBe(200);
});
