import { once } from 'node:events';
import type { ServerMessage } from '@ams/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { pairedDevice, type TestChannel } from '../../test/device.ts';
import { callersAt, dataOf, type Session, startTestServer } from '../../test/server.ts';
import { startServer } from '../lifecycle.ts';

const server = await startTestServer();
const { db } = server.deps;

const nextMac = (() => {
  let last = 0;
  return () => `0a${(last += 1).toString(16).padStart(10, '0')}`;
})();

/** Devices of this owner, never paired. */
const addDevices = async (owner: Session, boss: Session, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const body = { mac: nextMac(), name: `Hall ${n}`, ownerId: owner.user.id };
    ids.push(dataOf(await boss.calls.devices.create({ body })).id);
  }
  return ids;
};

const deviceOf = async (session: Session, id: string) => dataOf(await session.calls.devices.get({ params: { id } }));

/** Waits for a message; a device may receive more notifications of its manifest than necessary. */
async function hears(channel: TestChannel, type: ServerMessage['type']): Promise<void> {
  let heard = await channel.next();
  while (heard.type === 'manifest') heard = await channel.next();
  expect(heard).toEqual({ type });
}

/** Waits until the server knows that a device has its commands. */
const received = ({ device }: { device: { id: string } }): Promise<void> =>
  vi.waitFor(async () =>
    expect(await db.selectFrom('device_commands').selectAll().where('device_id', '=', device.id).execute()).toEqual([]),
  );

/** With it, the batch can be undone. */
const ANY_ID: unknown = expect.any(String);

const lastAudit = async (session: Session) => dataOf(await session.calls.users.listAudit()).items;

test('half of the ids out of scope: they fail as if they did not exist, the others go through', async () => {
  const boss = await server.createUser('leading');
  const heir = await server.createUser('member', boss);
  const stranger = await server.createUser('leading');
  const own = await addDevices(boss, boss, 2);
  const foreign = await addDevices(stranger, stranger, 2);
  const missing = '01900000-0000-7000-8000-000000000000';
  const ids = [foreign[0], own[0], missing, own[1], foreign[1], own[0]].map(String);
  const body = { ids, action: 'reassign' as const, ownerId: heir.user.id };
  expect(dataOf(await boss.calls.batches.start({ body }))).toEqual({
    done: 2,
    failed: [foreign[0], missing, foreign[1]].map((id) => ({ id, error: 'NOT_FOUND' })),
    undo: ANY_ID,
  });
  for (const id of own) {
    expect(await deviceOf(boss, id)).toMatchObject({
      owner: { username: heir.user.username },
      operator: { username: boss.user.username },
    });
  }
  for (const id of foreign) {
    expect(await deviceOf(stranger, id)).toMatchObject({ owner: { username: stranger.user.username } });
  }
  expect(dataOf(await heir.calls.home.summary()).devices.total).toBe(2);
  const [line] = await lastAudit(boss);
  expect(line).toMatchObject({
    action: 'devices.batch.reassign',
    targetId: null,
    details: { devices: 2, owner: heir.user.username },
  });
  expect(await lastAudit(stranger)).toHaveLength(2);
});

test('a batch on more devices than the person saw is refused and changes none', async () => {
  const boss = await server.createUser('leading');
  const ids = await addDevices(boss, boss, 2);
  const seen = { filter: { owner: boss.user.id }, expected: 2 };
  ids.push(...(await addDevices(boss, boss, 1)));
  const remove = (body: typeof seen) => boss.calls.batches.start({ body: { ...body, action: 'delete' } });
  expect(await remove(seen)).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
  for (const id of ids) expect(await deviceOf(boss, id)).toMatchObject({ id });
  expect(await db.selectFrom('batches').select('id').where('operator_id', '=', boss.user.id).execute()).toEqual([]);
  dataOf(await boss.calls.devices.delete({ params: { id: ids[0] ?? '' } }));
  expect(dataOf(await remove({ ...seen, expected: 3 }))).toMatchObject({ done: 2, failed: [] });
});

test('the new owner must be in scope; invalid requests are refused with a reason', async () => {
  const boss = await server.createUser('leading');
  const stranger = await server.createUser('member');
  const ids = await addDevices(boss, boss, 1);
  const start = (body: object) => boss.calls.batches.start({ body: body as never });
  expect(await start({ ids, action: 'reassign', ownerId: stranger.user.id })).toMatchObject({ code: 404 });
  const wrong = async (body: object) => {
    const reply = await start(body);
    expect(reply).toMatchObject({ code: 400, error: 'INVALID' });
    return JSON.stringify(reply);
  };
  expect(await wrong({ action: 'restart' })).toContain('Choose devices by ID or by a filter');
  expect(await wrong({ ids, filter: {}, action: 'restart' })).toContain('Choose devices by ID or by a filter');
  expect(await wrong({ ids: [], action: 'restart' })).toContain('Choose devices by ID or by a filter');
  const many = Array.from({ length: 1001 }, () => ids[0]);
  expect(await wrong({ ids: many, action: 'restart' })).toContain('At most 1000 devices by ID');
  await wrong({ ids, action: 'reassign' });
  await wrong({ ids, action: 'expire', date: 'tomorrow' });
  await wrong({ ids, action: 'dance' });
  // A misspelt filter would otherwise delete everything.
  await wrong({ filter: { onlin: 'false' }, action: 'delete' });
  expect(await deviceOf(boss, ids[0] ?? '')).toMatchObject({ owner: { username: boss.user.username } });
});

test('members restart and clear their own; owner, expiry and deletion are for leading users', async () => {
  const member = await server.createUser('member');
  const { device } = await pairedDevice(server, member);
  const start = (body: object) => member.calls.batches.start({ body: { ids: [device.id], ...body } as never });
  for (const order of [
    { action: 'reassign', ownerId: member.user.id },
    { action: 'expire', date: '2099-01-01' },
    { action: 'extend', months: 1 },
    { action: 'timeZone', timeZone: 'UTC' },
    { action: 'delete' },
  ]) {
    expect(await start(order)).toMatchObject({ code: 403, error: 'LEADING_ONLY' });
  }
  expect(dataOf(await start({ action: 'restart' }))).toEqual({ done: 1, failed: [] });
  expect(dataOf(await start({ action: 'clear' }))).toEqual({ done: 1, failed: [], undo: ANY_ID });
});

test('expiry is computed in each time zone; devices that expire or are extended are notified', async () => {
  const boss = await server.createUser('leading');
  const device = await pairedDevice(server, boss);
  const [utc] = await addDevices(boss, boss, 1);
  const expire = async (date: string) =>
    dataOf(await boss.calls.batches.start({ body: { filter: {}, action: 'expire', date } }));
  const channel = await device.open();
  await channel.next();
  expect(await expire('2020-02-29')).toEqual({ done: 2, failed: [], undo: ANY_ID });
  expect(await channel.next()).toMatchObject({ type: 'manifest' });
  expect(await device.manifest()).toMatchObject({ expired: true });
  expect(dataOf(await boss.calls.home.summary()).devices.expired).toBe(2);
  const instants = await sql<{ at: Date }>`
    select expires_at as at from devices where id in (${device.device.id}, ${utc}) order by expires_at`.execute(db);
  // Shanghai is eight hours ahead.
  expect(instants.rows.map(({ at }) => at.toISOString())).toEqual([
    '2020-02-29T16:00:00.000Z',
    '2020-03-01T00:00:00.000Z',
  ]);
  expect(await expire('2099-12-31')).toEqual({ done: 2, failed: [], undo: ANY_ID });
  expect(await channel.next()).toMatchObject({ type: 'manifest' });
  expect(await device.manifest()).toMatchObject({ expired: false });
  expect(dataOf(await boss.calls.home.summary()).devices).toMatchObject({ expired: 0, expiring: 0 });
  await channel.close();
});

test('a device that is offline obeys when it is back, once', async () => {
  const boss = await server.createUser('leading');
  const device = await pairedDevice(server, boss);
  const ids = [device.device.id];
  const online = await device.open();
  await online.next();
  dataOf(await boss.calls.batches.start({ body: { ids, action: 'restart' } }));
  await hears(online, 'restart');
  await received(device);
  await online.close();

  dataOf(await boss.calls.batches.start({ body: { ids, action: 'restart' } }));
  dataOf(await boss.calls.batches.start({ body: { ids, action: 'restart' } }));
  const back = await device.open();
  await hears(back, 'restart');
  await received(device);
  await back.close();
  const again = await device.open();
  dataOf(await boss.calls.batches.start({ body: { ids, action: 'clear' } }));
  await hears(again, 'clear');
  await again.close();
});

test('a device that restarts at once, before it answers anything, restarts once', async () => {
  const boss = await server.createUser('leading');
  const device = await pairedDevice(server, boss);
  const ids = [device.device.id];
  const quick = await device.open();
  quick.socket.on('message', (data) => {
    if (String(data).includes('restart')) quick.socket.terminate();
  });
  const closed = once(quick.socket, 'close');
  dataOf(await boss.calls.batches.start({ body: { ids, action: 'restart' } }));
  await closed;

  const back = await device.open();
  await back.next();
  dataOf(await boss.calls.batches.start({ body: { ids, action: 'clear' } }));
  await hears(back, 'clear');
  await back.close();
});

test('a command that does not reach a device before its connection ends is delivered when it is back', async () => {
  const boss = await server.createUser('leading');
  const device = await pairedDevice(server, boss);
  const ids = [device.device.id];
  const deaf = await device.open();
  await deaf.next();
  deaf.socket.pause();
  dataOf(await boss.calls.batches.start({ body: { ids, action: 'restart' } }));
  deaf.socket.terminate();

  const back = await device.open();
  await hears(back, 'restart');
  await back.close();
});

test('deleted devices show their pairing page; open pages receive only events in scope', async () => {
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  const device = await pairedDevice(server, boss);
  const [other] = await addDevices(member, boss, 1);
  const live = await fetch(`${server.url}/api/live`, { headers: { authorization: `Bearer ${member.token}` } });
  const heard: string[] = [];
  const read = async (): Promise<void> => {
    for await (const chunk of live.body ?? []) heard.push(Buffer.from(chunk).toString());
  };
  read().catch(() => undefined);
  await vi.waitFor(() => expect(heard.join('')).toContain('welcome'));
  const channel = await device.open();
  const closed = new Promise<number>((resolve) => channel.socket.on('close', resolve));
  const body = { filter: {}, action: 'delete' as const };
  expect(dataOf(await boss.calls.batches.start({ body }))).toEqual({ done: 2, failed: [] });
  expect(await closed).toBe(4001);
  expect(await device.enrol()).toMatchObject({ state: 'pairing' });
  await vi.waitFor(() => expect(heard.join('')).toContain(String(other)), { interval: 20 });
  expect(heard.join('')).not.toContain(device.device.id);
  expect(dataOf(await boss.calls.home.summary()).devices.total).toBe(0);
});

test('a release whose last device is deleted is withdrawn, and its files can be deleted', async () => {
  const boss = await server.createUser('leading');
  const file = await addFile(server, boss, await makeMp4(), { name: 'b.mp4', orientation: 'vertical', kind: 2 });
  const ad = await addAd(boss, 'Sale', file.id);
  const release = async (devices: { ids: string[] }) =>
    dataOf(await boss.calls.ads.release({ params: { id: ad.id }, body: { devices } })).id;
  const isLive = async (id: string) => dataOf(await boss.calls.releases.get({ params: { id } })).withdrawnAt === null;
  const [one, two, three] = [
    (await pairedDevice(server, boss)).device.id,
    (await pairedDevice(server, boss)).device.id,
    (await pairedDevice(server, boss)).device.id,
  ];
  const [single, pair] = [await release({ ids: [one] }), await release({ ids: [two, three] })];
  dataOf(await boss.calls.devices.delete({ params: { id: one } }));
  expect([await isLive(single), await isLive(pair)]).toEqual([false, true]);
  expect((await boss.calls.files.delete({ params: { id: file.id } })).error).toBe('FILE_IN_USE');
  dataOf(await boss.calls.batches.start({ body: { action: 'delete', ids: [two, three] } }));
  await vi.waitFor(async () => expect(await isLive(pair)).toBe(false));
  dataOf(await boss.calls.files.delete({ params: { id: file.id } }));
});

test('clearing withdraws releases from these devices only; a release without devices is withdrawn', async () => {
  const boss = await server.createUser('leading');
  const [first, second] = [await pairedDevice(server, boss), await pairedDevice(server, boss)];
  const file = await addFile(server, boss, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const ad = await addAd(boss, 'Sale', file.id);
  const devices = { ids: [first.device.id, second.device.id] };
  const release = dataOf(await boss.calls.ads.release({ params: { id: ad.id }, body: { devices } }));
  const filesOn = async ({ device }: typeof first) =>
    dataOf(await boss.calls.devices.listFiles({ params: { id: device.id } })).items;
  const active = async ({ device }: typeof first) =>
    dataOf(await boss.calls.releases.list({ query: { device: device.id, active: 'true' } })).items;

  const channel = await first.open();
  const announced = await channel.next();
  const manifestVersion = announced.type === 'manifest' ? announced.version : '';
  channel.status({
    manifestVersion,
    download: { state: 'done', doneBytes: file.bytes, totalBytes: file.bytes },
    playing: { main: { releaseId: release.id, sha256: (await first.manifest()).files[0]?.sha256 } },
  });
  await vi.waitFor(async () =>
    expect(await filesOn(first)).toMatchObject([
      { id: file.id, name: 'a.mp4', media: 'video', state: 'done', playing: ['main'], ads: [{ name: 'Sale' }] },
    ]),
  );
  expect(await filesOn(second)).toMatchObject([{ id: file.id, state: 'waiting', playing: [] }]);

  expect(await boss.calls.devices.clear({ params: { id: first.device.id } })).toMatchObject({ code: 200, data: null });
  expect([await channel.next(), await channel.next()].map(({ type }) => type).toSorted()).toEqual([
    'clear',
    'manifest',
  ]);
  expect(await filesOn(first)).toEqual([]);
  expect((await first.manifest()).files).toEqual([]);
  expect(await deviceOf(boss, first.device.id)).toMatchObject({ download: { state: 'waiting' } });
  expect(await active(first)).toEqual([]);
  const history = dataOf(await boss.calls.releases.list({ query: { device: first.device.id } })).items;
  expect(history[0]?.withdrawnAt).not.toBeNull();
  expect(await active(second)).toMatchObject([{ id: release.id, withdrawnAt: null, counts: { total: 1 } }]);
  expect(dataOf(await boss.calls.ads.get({ params: { id: ad.id } })).devices).toBe(1);
  expect(await boss.calls.files.delete({ params: { id: file.id } })).toMatchObject({ error: 'FILE_IN_USE' });

  dataOf(await boss.calls.batches.start({ body: { filter: {}, action: 'clear' } }));
  const withdrawn = dataOf(await boss.calls.releases.get({ params: { id: release.id } }));
  expect(withdrawn).toMatchObject({ counts: { total: 2 } });
  expect(withdrawn.withdrawnAt).not.toBeNull();
  expect(dataOf(await boss.calls.home.summary()).ads).toMatchObject({ total: 1, released: 0 });
  await channel.close();
});

test('a batch that waits for a device which somebody else changes is answered, and continues as a job', async () => {
  const boss = await server.createUser('leading');
  const ids = await addDevices(boss, boss, 3);
  const held = await db.startTransaction().execute();
  await sql`select from devices where id = ${ids.at(-1)} for update`.execute(held);
  const answer = dataOf(await boss.calls.batches.start({ body: { ids, action: 'expire', date: '2099-01-01' } }));
  expect(answer.job).toMatchObject({ action: 'expire', state: 'running', failed: 0, total: 3 });
  await held.commit().execute();
  const result = async () => dataOf(await boss.calls.batches.get({ params: { id: answer.job?.id ?? '' } })).job;
  await vi.waitFor(async () => expect((await result()).state).toBe('done'), { timeout: 20_000 });
  expect(await result()).toMatchObject({ done: 3, failed: 0 });
});

test('a batch whose connections to the database break fails for no device, and continues as a job', async () => {
  const boss = await server.createUser('leading');
  const ids = await addDevices(boss, boss, 3);
  const held = await db.startTransaction().execute();
  const { rows } = await sql<{ pid: number }>`
    select pg_backend_pid() as pid from devices where id = ${ids.at(-1)} for update`.execute(held);
  let isAnswered = false;
  const call = boss.calls.batches
    .start({ body: { ids, action: 'expire', date: '2099-01-01' } })
    .finally(() => (isAnswered = true));
  await vi.waitFor(
    async () => {
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where ${rows[0]?.pid} = any(pg_blocking_pids(pid))`.execute(db);
      expect(isAnswered).toBe(true);
    },
    { timeout: 20_000 },
  );
  await held.rollback().execute();
  const answer = dataOf(await call);
  expect(answer.job).toMatchObject({ action: 'expire', state: 'running', failed: 0, total: 3 });
  const result = async () => dataOf(await boss.calls.batches.get({ params: { id: answer.job?.id ?? '' } })).job;
  await vi.waitFor(async () => expect((await result()).state).toBe('done'), { timeout: 20_000 });
  expect(await result()).toMatchObject({ done: 3, failed: 0 });
});

const DEVICES = 50_000;
/** On a busy computer, a millisecond passes for each device that is stored, and another for each that is changed. */
const PATIENT = { timeout: 300_000 };

test('many thousand devices continue as a job, over a server that dies too, each of them once', PATIENT, async () => {
  const boss = await server.createUser('leading');
  await sql`
      insert into devices (id, mac, name, owner_id)
      select gen_random_uuid(), lpad(to_hex(n), 12, '0'), 'M' || n, ${boss.user.id}
      from generate_series(${2 ** 40}::bigint, ${2 ** 40 + DEVICES - 1}::bigint) n`.execute(db);
  const other = await startServer(server.config, server.connection, pino({ level: 'warn' }));
  await other.listen({ port: 0, host: '127.0.0.1' });
  // The last in the order of the batch: until it is released, no computer is too fast.
  const held = await db.startTransaction().execute();
  await sql`
    select from devices where owner_id = ${boss.user.id} order by created_at, id limit 1 for update`.execute(held);
  const address = other.app.server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const there = callersAt(`http://127.0.0.1:${port}`).as(boss.token);
  const answer = dataOf(
    await there.batches.start({ body: { filter: { q: 'M' }, action: 'expire', date: '2099-01-01' } }),
  );
  expect(answer.job).toMatchObject({ action: 'expire', state: 'running', failed: 0, total: DEVICES });
  const id = answer.job?.id ?? '';
  await other.stop();
  await held.commit().execute();

  const progress = async () => dataOf(await boss.calls.batches.get({ params: { id } })).job;
  await vi.waitFor(async () => expect((await progress()).state).toBe('done'), { timeout: 200_000, interval: 200 });
  expect(await progress()).toMatchObject({ done: DEVICES, failed: 0 });
  const { rows } = await sql`
    select expires_on, revision, count(*) as devices from devices_now where owner_id = ${boss.user.id} group by 1, 2`.execute(
    db,
  );
  expect(rows).toEqual([{ expires_on: '2099-01-01', revision: 2, devices: DEVICES }]);
  const lines = (await lastAudit(boss)).filter(({ action }) => action === 'devices.batch.expire');
  expect(lines).toMatchObject([{ details: { devices: DEVICES } }]);
});

test('a batch resumes after its server was killed, and its result lists devices deleted meanwhile', async () => {
  const boss = await server.createUser('leading');
  const stranger = await server.createUser('leading');
  const ids = await addDevices(boss, boss, 3);
  const [kept, given, gone] = ids.map(String);
  // As a killed server leaves it: written down, nobody at work.
  const batch = crypto.randomUUID();
  await sql`
    insert into batches (id, operator_id, task, total, moved_at)
    values (${batch}, ${boss.user.id}, '{"action":"restart"}', 3, now() - interval '1 minute')`.execute(db);
  await sql`
    insert into batch_devices (batch_id, place, device_id, mac, name)
    select ${batch}::uuid, row_number() over (order by mac), id, mac, name from devices
    where id = any(${ids}::uuid[])`.execute(db);
  await sql`update devices set owner_id = ${stranger.user.id} where id = ${given}`.execute(db);
  dataOf(await boss.calls.devices.delete({ params: { id: String(gone) } }));
  // Called by the job of every minute.
  await sql`select graphile_worker.add_job('devices_batches')`.execute(db);
  const result = async () => dataOf(await boss.calls.batches.get({ params: { id: batch } }));
  await vi.waitFor(async () => expect((await result()).job.state).toBe('done'));
  expect(await result()).toMatchObject({
    done: 1,
    failed: [
      { id: given, name: 'Hall 1', error: 'NOT_FOUND' },
      { id: gone, name: 'Hall 2', error: 'NOT_FOUND' },
    ],
    job: { done: 1, failed: 2, total: 3 },
  });
  expect(await stranger.calls.batches.get({ params: { id: batch } })).toMatchObject({ code: 404 });
  expect(await deviceOf(boss, String(kept))).toMatchObject({ name: 'Hall 0' });
});

test('settings that are large are changed in small steps', async () => {
  const dealer = await server.createUser('leading');
  const ids = await addDevices(dealer, dealer, 40);
  const hours = Array.from({ length: 24 }, (_, hour) => {
    const begun = String(hour).padStart(2, '0');
    return { from: `${begun}:00`, to: `${begun}:59` };
  });
  const exceptions = Array.from({ length: 366 }, (_, day) => ({
    date: new Date(Date.UTC(2027, 0, 1 + day)).toISOString().slice(0, 10),
    hours,
  }));
  const workingHours = { weekly: { 1: hours }, exceptions };
  dataOf(await dealer.calls.batches.start({ body: { ids, action: 'hours', workingHours } }));
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from devices where id = any(${ids}::uuid[]) and working_hours is not null`.execute(db);
    expect(rows).toHaveLength(ids.length);
  });
  const { rows: steps } = await sql`
    select distinct xmin::text from batch_devices where device_id = any(${ids}::uuid[])`.execute(db);
  expect(steps.length).toBeGreaterThan(3);
});
