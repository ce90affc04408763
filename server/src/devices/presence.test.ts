import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Device } from '@ams/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { layCable } from '../../test/cable.ts';
import { makeDevice, pairedDevice, type TestChannel, type TestDevice } from '../../test/device.ts';
import { start } from '../../test/programs.ts';
import { callersAt, dataOf, type Session, startTestServer } from '../../test/server.ts';
import { startServer } from '../lifecycle.ts';
import { addTask } from '../platform/jobs/jobs.ts';
import { forgetPresence } from './history.ts';
import { buryDead } from './leases.ts';

/** As in service, only faster: a second and a half of grace instead of ten. */
const PACE = { pingMs: 200, graceMs: 1500, silentMs: 4000 };

const server = await startTestServer({}, PACE);
const second = await startServer(server.config, server.connection, pino({ level: 'warn' }), PACE);
await second.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => second.stop());
const there = callersAt(`http://127.0.0.1:${(second.app.server.address() as AddressInfo).port}`);

const done = { download: { state: 'done' as const, doneBytes: 0, totalBytes: 0 } };

interface Watched {
  boss: Session;
  device: TestDevice & { device: Device };
  id: string;
  /** Online by the detail, after checking that the list and the home page agree. */
  online(): Promise<boolean>;
  becomes(online: boolean): Promise<void>;
}

/** A device that is the only one in its owner's scope, so that the home page's number is its own. */
async function watched(): Promise<Watched> {
  const boss = await server.createUser('leading');
  const device = await pairedDevice(server, boss);
  const { id } = device.device;
  const online = async (): Promise<boolean> => {
    const detail = dataOf(await boss.calls.devices.get({ params: { id } })).online;
    const listed = dataOf(await boss.calls.devices.list({ query: { online: 'true' } })).items.length === 1;
    const counted = dataOf(await boss.calls.home.summary()).devices.online === 1;
    // If the state changes between the three requests, they are repeated.
    if (detail !== listed || listed !== counted) throw new Error(`${detail} ${listed} ${counted}`);
    return detail;
  };
  const becomes = (wanted: boolean): Promise<void> => vi.waitFor(async () => expect(await online()).toBe(wanted));
  return { boss, device, id, online, becomes };
}

async function openAt(device: TestDevice, url: string): Promise<TestChannel> {
  const channel = await makeDevice({ url, as: server.as }, device.mac, device.secret).open();
  await channel.next();
  return channel;
}

const changesOf = async (id: string): Promise<boolean[]> => {
  const rows = await server.deps.db
    .selectFrom('presence_changes')
    .select('online')
    .where('device_id', '=', id)
    .orderBy('at')
    .execute();
  return rows.map((row) => row.online);
};

/** Every statement about a device that the servers of this process send while the test runs. */
function statements(deviceId: string): string[] {
  const seen: string[] = [];
  const query = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...call: unknown[]) {
    const text = JSON.stringify(call);
    if (text.includes(deviceId)) seen.push(text);
    return Reflect.apply(query, this, call);
  });
  onTestFinished(() => spy.mockRestore());
  return seen;
}

test('a pulled cable, which closes nothing, takes the device offline', async () => {
  const { device, becomes, boss, id } = await watched();
  const cable = await layCable(server.url);
  onTestFinished(cable.close);
  await openAt(device, cable.url);
  await becomes(true);
  cable.pull();
  const pulledAt = Date.now();
  await becomes(false);
  // The last sign of life was before the cable was pulled, however long it took to miss the device.
  const { lastSeenAt } = dataOf(await boss.calls.devices.get({ params: { id } }));
  expect(Date.parse(lastSeenAt ?? '')).toBeLessThanOrEqual(pulledAt + PACE.pingMs);
  expect(await changesOf(id)).toEqual([true, false]);
});

test('a line that died makes the last report old at the first missed ping, and needs no grace to show as offline', async () => {
  const { device, boss, id } = await watched();
  const pace = { pingMs: 1000, graceMs: 600_000, silentMs: 600_000 };
  const third = await startServer(server.config, server.connection, pino({ level: 'warn' }), pace);
  onTestFinished(() => third.stop());
  await third.listen({ port: 0, host: '127.0.0.1' });
  const cable = await layCable(`http://127.0.0.1:${(third.app.server.address() as AddressInfo).port}`);
  onTestFinished(cable.close);
  const truth = async () => {
    const { online, playing } = dataOf(await boss.calls.devices.get({ params: { id } }));
    return { online, live: playing.live };
  };
  (await openAt(device, cable.url)).status(done);
  await vi.waitFor(async () => expect(await truth()).toEqual({ online: true, live: true }));
  cable.pull();
  await vi.waitFor(async () => expect(await truth()).toEqual({ online: true, live: false }), { timeout: 5000 });
  await vi.waitFor(async () => expect(await truth()).toEqual({ online: false, live: false }), { timeout: 5000 });
});

test('a connection that was replaced says nothing about its device', async () => {
  const { device, boss, id } = await watched();
  const pace = { pingMs: 1000, graceMs: 600_000, silentMs: 600_000 };
  const third = await startServer(server.config, server.connection, pino({ level: 'warn' }), pace);
  onTestFinished(() => third.stop());
  await third.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(third.app.server.address() as AddressInfo).port}`;
  const cable = await layCable(url);
  onTestFinished(cable.close);
  const live = async () => dataOf(await boss.calls.devices.get({ params: { id } })).playing.live;
  (await openAt(device, cable.url)).status(done);
  await vi.waitFor(async () => expect(await live()).toBe(true));
  cable.pull();
  await vi.waitFor(async () => expect(await live()).toBe(false), { timeout: 5000 });
  const channel = await openAt(device, url);
  let pings = 0;
  channel.socket.on('ping', () => (pings += 1));
  channel.status(done);
  await vi.waitFor(async () => expect(await live()).toBe(true));
  // Until then the old connection is closed.
  await vi.waitFor(() => expect(pings).toBeGreaterThan(1), { timeout: 10_000 });
  expect(await live()).toBe(true);
});

test('a server process that is killed takes its devices offline, and they return on another', async () => {
  const { device, becomes, id } = await watched();
  const { host, user, database } = server.connection;
  const port = 20_000 + (process.pid % 20_000);
  const program = start(process.execPath, ['server/src/main.ts'], {
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      AMS_DATA: server.config.data,
      AMS_CAPTCHA: 'off',
      DATABASE_URL: `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`,
    },
  });
  onTestFinished(() => void program.child.kill('SIGKILL'));
  await program.says(new RegExp(`:${port}`));
  const channel = await openAt(device, `http://127.0.0.1:${port}`);
  await becomes(true);
  const closed = once(channel.socket, 'close');
  program.child.kill('SIGKILL');
  await closed;
  // Ten of the fifteen seconds that a process is waited for need not be sat through.
  await sql`
    update server_processes set beat_at = beat_at - interval '10 seconds'
    where id not in (${server.deps.processId}, ${second.deps.processId})`.execute(server.deps.db);
  await becomes(false);
  await openAt(device, server.url);
  await becomes(true);
  expect(await changesOf(id)).toEqual([true, false, true]);
});

test('devices of a process that stops stay online when they come to another one in time', async () => {
  const { device, becomes, online, id } = await watched();
  const third = await startServer(server.config, server.connection, pino({ level: 'warn' }), PACE);
  await third.listen({ port: 0, host: '127.0.0.1' });
  await openAt(device, `http://127.0.0.1:${(third.app.server.address() as AddressInfo).port}`);
  await becomes(true);
  await third.stop();
  expect(await online()).toBe(true);
  await openAt(device, server.url);
  // Its beats are as old by now as when it had been away for long.
  await sql`update server_processes set beat_at = beat_at - interval '20 seconds' where id = ${third.deps.processId}`.execute(
    server.deps.db,
  );
  await sleep(PACE.graceMs);
  expect(await online()).toBe(true);
  expect(await changesOf(id)).toEqual([true]);
});

test('devices of a process that stopped are missed when they do not come back', async () => {
  const { device, becomes, id } = await watched();
  const third = await startServer(server.config, server.connection, pino({ level: 'warn' }), PACE);
  await third.listen({ port: 0, host: '127.0.0.1' });
  const channel = await openAt(device, `http://127.0.0.1:${(third.app.server.address() as AddressInfo).port}`);
  await becomes(true);
  const closed = once(channel.socket, 'close');
  await third.stop();
  expect((await closed)[0]).toBe(1012);
  await sql`update server_processes set beat_at = beat_at - interval '14 seconds' where id = ${third.deps.processId}`.execute(
    server.deps.db,
  );
  await becomes(false);
  await expect.poll(() => changesOf(id)).toEqual([true, false]);
});

test('a device whose lease went with another process is taken back by the one that has its channel', async () => {
  const { device, becomes, online, id } = await watched();
  await openAt(device, server.url);
  await becomes(true);
  // A process that was slow to take it before it stopped.
  const late = '01920000-0000-7000-8000-00000000dead';
  await sql`insert into server_processes (id, beat_at) values (${late}, now() - interval '20 seconds')`.execute(
    server.deps.db,
  );
  await sql`update devices set lease = ${late} where id = ${id}`.execute(server.deps.db);
  expect(await online()).toBe(false);
  await becomes(true);
});

test('a device that moves between processes stays online, also when it returns within the grace period', async () => {
  const { device, online, becomes, id } = await watched();
  const first = await openAt(device, server.url);
  const other = await openAt(device, there.url);
  await first.close();
  const back = await openAt(device, server.url);
  await other.close();
  // Both processes have let the grace of what they held run out by now.
  await sleep(3 * PACE.graceMs);
  expect(await online()).toBe(true);
  expect(await changesOf(id)).toEqual([true]);
  await back.close();
  await becomes(false);
});

test('devices that come at once wait for none whose row somebody works on', async () => {
  const [busy, ...others] = await Promise.all([watched(), watched(), watched(), watched()]);
  const { promise: worked, resolve: finish } = Promise.withResolvers<void>();
  onTestFinished(() => finish());
  const { promise: locked, resolve: begun } = Promise.withResolvers<void>();
  const working = server.deps.db.transaction().execute(async (trx) => {
    await sql`select from devices where id = ${busy.id} for update`.execute(trx);
    begun();
    await worked;
  });
  await locked;
  const channels = Promise.all([busy, ...others].map(({ device }) => openAt(device, server.url)));
  for (const other of others) await other.becomes(true);
  expect(await busy.online()).toBe(false);
  finish();
  await working;
  await busy.becomes(true);
  for (const channel of await channels) await channel.close();
});

/** A job that a worker of a process runs; whether it still does. */
async function jobOf(processId: string): Promise<{ isHeld: () => Promise<boolean> }> {
  const { db } = server.deps;
  const worker = `test-${processId}`;
  await addTask(db, worker, {});
  const { rows } = await sql<{ id: string }>`
    update graphile_worker._private_jobs j set locked_by = ${worker}, locked_at = now()
    from graphile_worker._private_tasks t where t.id = j.task_id and t.identifier = ${worker} returning j.id`.execute(
    db,
  );
  await sql`insert into job_workers (worker_id, process_id) values (${worker}, ${processId})`.execute(db);
  const isHeld = async (): Promise<boolean> => {
    const held = await sql`
      select from graphile_worker._private_jobs where id = ${rows[0]?.id} and locked_by is not null`.execute(db);
    return held.rows.length > 0;
  };
  return { isHeld };
}

test('however many rows somebody works on, other devices come and go, and a dead process is buried without them', async () => {
  const { db } = server.deps;
  const busy = await Promise.all([watched(), watched(), watched(), watched()]);
  const other = await watched();
  const dead = randomUUID();
  await sql`insert into server_processes (id, beat_at) values (${dead}, now() - interval '1 hour')`.execute(db);
  const [held] = busy;
  await sql`update devices set lease = ${dead} where id = ${held?.id}`.execute(db);
  const job = await jobOf(dead);
  expect(await job.isHeld()).toBe(true);
  const { promise: worked, resolve: finish } = Promise.withResolvers<void>();
  onTestFinished(() => finish());
  const { promise: locked, resolve: begun } = Promise.withResolvers<void>();
  const working = db.transaction().execute(async (trx) => {
    await sql`select from devices where id = any(${busy.map(({ id }) => id)}::uuid[]) for update`.execute(trx);
    begun();
    await worked;
  });
  await locked;
  const channels: TestChannel[] = [];
  // One after the other, so that each is in a batch of its own.
  for (const { device } of busy) channels.push(await device.open());
  for (let turn = 0; turn < 2; turn += 1) {
    const channel = await openAt(other.device, server.url);
    await other.becomes(true);
    await channel.close();
    await other.becomes(false);
  }
  const isBuried = async () =>
    (await sql`select from server_processes where id = ${dead}`.execute(db)).rows.length === 0;
  // Its jobs do not wait for its devices.
  await vi.waitFor(async () => expect(await job.isHeld()).toBe(false), { timeout: 20_000 });
  expect(await isBuried()).toBe(false);
  finish();
  await working;
  for (const { becomes } of busy) await becomes(true);
  await vi.waitFor(async () => expect(await isBuried()).toBe(true), { timeout: 20_000 });
  for (const channel of channels) await channel.close();
});

test('a dead process is buried by one process at a time', async () => {
  const { db } = server.deps;
  const dead = randomUUID();
  const isBuried = async () =>
    (await sql`select from server_processes where id = ${dead}`.execute(db)).rows.length === 0;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('ams burial'))`.execute(trx);
    await sql`insert into server_processes (id, beat_at) values (${dead}, now() - interval '1 hour')`.execute(db);
    expect(await buryDead(db)).toEqual([]);
    expect(await isBuried()).toBe(false);
  });
  await vi.waitFor(async () => expect(await isBuried()).toBe(true), { timeout: 20_000 });
});

test('the devices of a process that died are written in parts, and the process is named from the first one on', async () => {
  const { db } = server.deps;
  const boss = await server.createUser('leading');
  const dead = randomUUID();
  const DEVICES = 2500;
  await db.transaction().execute(async (trx) => {
    // Nobody else buries meanwhile.
    await sql`select pg_advisory_xact_lock(hashtext('ams burial'))`.execute(trx);
    await sql`insert into server_processes (id, beat_at) values (${dead}, now() - interval '1 hour')`.execute(trx);
    await sql`insert into devices (id, mac, owner_id, lease)
      select gen_random_uuid(), 'B0:00:00:00:' || substr(x, 1, 2) || ':' || substr(x, 3, 2), ${boss.user.id}, ${dead}
      from generate_series(1, ${sql.lit(DEVICES)}) n, upper(lpad(to_hex(n), 4, '0')) x`.execute(trx);
    const left: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      expect(await buryDead(trx)).toEqual([dead]);
      const { rows } = await sql<{ n: number }>`select count(*) as n from devices where lease = ${dead}`.execute(trx);
      left.push(rows[0]?.n ?? 0);
    }
    expect(left).toEqual([1500, 500, 0]);
    expect((await sql`select from server_processes where id = ${dead}`.execute(trx)).rows).toEqual([]);
  });
  const { rows } = await sql<{ n: number }>`select count(*) as n from presence_changes c
    join devices d on d.id = c.device_id where d.owner_id = ${boss.user.id} and not c.online`.execute(db);
  expect(rows).toEqual([{ n: DEVICES }]);
  expect(dataOf(await boss.calls.home.summary()).devices.online).toBe(0);
});

test('a hundred heartbeats send not one statement', async () => {
  const { device, id } = await watched();
  const channel = await openAt(device, server.url);
  const seen = statements(id);
  channel.status(done);
  // The last effect of its first message.
  await vi.waitFor(() => expect(seen.at(-1)).toContain("r.rollout = 'running'"));
  seen.length = 0;
  let pings = 0;
  channel.socket.on('ping', () => {
    pings += 1;
    channel.status({ ...done, clockMs: pings });
  });
  await vi.waitFor(() => expect(pings).toBeGreaterThan(50));
  for (let beat = 0; beat < 50; beat += 1) channel.socket.pong();
  expect(seen).toEqual([]);
  await channel.close();
});

test('a device that answers is pinged once a period; one that does not is asked again sooner, and then disconnected', async () => {
  const { device } = await watched();
  const channel = await openAt(device, server.url);
  const pings: number[] = [];
  channel.socket.on('ping', () => pings.push(performance.now()));
  const [FEW, MANY] = [2, 12];
  await vi.waitFor(() => expect(pings.length).toBeGreaterThan(MANY));
  const [first = 0, last = 0] = [pings.at(FEW), pings.at(MANY)];
  // A timer of the server is late at times, never early.
  expect((last - first) / (MANY - FEW)).toBeGreaterThan(0.9 * PACE.pingMs);

  channel.socket.pong = () => undefined;
  const lost = once(channel.socket, 'close');
  pings.length = 0;
  await lost;
  expect(pings.length).toBeLessThanOrEqual(3);
});

test('a flapping network writes nothing if the device returns in time', async () => {
  const { device, online, id } = await watched();
  let channel = await openAt(device, server.url);
  channel.status(done);
  const versionOf = async () => {
    const { rows } = await sql<{ xmin: string }>`select xmin::text from devices where id = ${id}`.execute(
      server.deps.db,
    );
    return rows[0]?.xmin;
  };
  await sleep(300);
  const before = await versionOf();
  for (let flap = 0; flap < 20; flap += 1) {
    await channel.close();
    channel = await openAt(device, server.url);
    channel.status(done);
  }
  await sleep(1100);
  expect(await versionOf()).toBe(before);
  expect(await changesOf(id)).toEqual([true]);
  expect(await online()).toBe(true);
  await channel.close();
});

test('lists that keep every connection busy make no device look offline', async () => {
  const { device, boss, id } = await watched();
  const channel = await openAt(device, server.url);
  const key = new pg.Client(server.connection);
  await key.connect();
  await key.query('select pg_advisory_lock(1)');
  // Those that wait for a connection may give up before the end: nobody asks for their answer.
  const slow = Promise.allSettled(
    Array.from({ length: 20 }, () => sql`select pg_advisory_xact_lock(1)`.execute(server.deps.db)),
  );
  const beatAt = async () => {
    const { rows } = await key.query<{ at: string }>('select max(beat_at) as at from server_processes where id = $1', [
      server.deps.processId,
    ]);
    return rows[0]?.at;
  };
  const before = await beatAt();
  await vi.waitFor(async () => expect(await beatAt()).not.toEqual(before), { interval: 200 });
  await key.end();
  await slow;
  expect(dataOf(await boss.calls.devices.get({ params: { id } })).online).toBe(true);
  await channel.close();
});

test('a lease that could not be given back, with the database away, is given back later', async () => {
  const { device, becomes } = await watched();
  const channel = await openAt(device, server.url);
  await becomes(true);
  const query = pg.Client.prototype.query;
  let failed = 0;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...call: unknown[]) {
    if (!JSON.stringify(call[0]).includes('set lease = null')) return Reflect.apply(query, this, call);
    failed += 1;
    throw new Error('the database is away');
  });
  await channel.close();
  await vi.waitFor(() => expect(failed).toBeGreaterThan(0));
  spy.mockRestore();
  await becomes(false);
});

test('the state of a connected but silent device is marked as old', async () => {
  const { device, boss, id, online } = await watched();
  const playing = async () => dataOf(await boss.calls.devices.get({ params: { id } })).playing;
  const channel = await openAt(device, server.url);
  expect((await playing()).live).toBe(false);
  const saidFrom = Date.now();
  channel.status({ ...done, playing: { main: { releaseId: null, sha256: 'a'.repeat(64) } } });
  await vi.waitFor(async () => expect((await playing()).live).toBe(true));
  const heardBy = Date.now();
  await vi.waitFor(async () => expect((await playing()).live).toBe(false));
  expect(await online()).toBe(true);
  const { at } = await playing();
  expect(Date.parse(at ?? '')).toBeGreaterThan(saidFrom - 1000);
  expect(Date.parse(at ?? '')).toBeLessThan(heardBy + 1000);
  // The same report again counts as news now.
  channel.status({ ...done, playing: { main: { releaseId: null, sha256: 'a'.repeat(64) } } });
  await vi.waitFor(async () => expect((await playing()).live).toBe(true));
  await channel.close();
});

test('a silent device that could not be marked, with the database away, is marked later', async () => {
  const { device, boss, id } = await watched();
  const isLive = async () => dataOf(await boss.calls.devices.get({ params: { id } })).playing.live;
  const channel = await openAt(device, server.url);
  channel.status(done);
  await vi.waitFor(async () => expect(await isLive()).toBe(true));
  const query = pg.Client.prototype.query;
  let failed = 0;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...call: unknown[]) {
    if (!JSON.stringify(call[0]).includes('set silent = true')) return Reflect.apply(query, this, call);
    failed += 1;
    throw new Error('the database is away');
  });
  await vi.waitFor(() => expect(failed).toBeGreaterThan(0));
  spy.mockRestore();
  await vi.waitFor(async () => expect(await isLive()).toBe(false));
  await channel.close();
});

test('the history shows a week by the device’s own days, from one row for each change', async () => {
  const { device, boss, id } = await watched();
  const history = async () => dataOf(await boss.calls.devices.history({ params: { id } }));
  const empty = await history();
  expect(empty).toMatchObject({ uptime: null, timeZone: 'Asia/Shanghai', stretches: [{ state: 'unknown' }] });
  const hours = (n: number) => new Date(Date.now() - n * 3_600_000);
  const put = (at: Date, online: boolean) =>
    server.deps.db.insertInto('presence_changes').values({ device_id: id, at, online }).execute();
  for (const [ago, online] of [
    [400, true],
    [300, false],
    [250, true],
    [10, false],
    [5, true],
  ] as const) {
    await put(hours(ago), online);
  }
  const told = await history();
  expect(told.from).toBe(empty.from);
  expect(told.stretches.map((each) => each.state)).toEqual(['online', 'offline', 'online']);
  const length = Date.parse(told.to) - Date.parse(told.from);
  expect(told.uptime).toBeCloseTo(1 - (5 * 3_600_000) / length, 3);
  // Midnight in Shanghai, seven calendar days with today.
  expect(told.from).toMatch(/T16:00:00.000Z$/);
  expect(length).toBeGreaterThan(6 * 86_400_000);
  expect(length).toBeLessThanOrEqual(7 * 86_400_000);

  await forgetPresence(server.deps.db);
  expect(await changesOf(id)).toHaveLength(3);
  expect((await history()).stretches).toEqual(
    told.stretches.map((each) => expect.objectContaining({ state: each.state })),
  );
  const stranger = await server.createUser('leading');
  expect(await stranger.calls.devices.history({ params: { id } })).toMatchObject({ code: 404 });
  // An hour of changes every second is summarized by the minute.
  await sql`
    insert into presence_changes (device_id, at, online)
    select ${id}, date_trunc('minute', now()) - interval '3 hours' + make_interval(secs => n), n % 2 = 0
    from generate_series(1, 3600) n`.execute(server.deps.db);
  expect((await history()).stretches.length).toBeLessThan(130);
  expect(device.device.id).toBe(id);
});
