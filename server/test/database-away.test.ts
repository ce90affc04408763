import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, inject, test, vi } from 'vitest';
import { readConfig } from '../src/config.ts';
import { addTask, Jobs } from '../src/platform/jobs/jobs.ts';
import { type Db, makeDb, makePool } from '../src/platform/database/database.ts';
import { startServer } from '../src/lifecycle.ts';
import { pairedDevice } from './device.ts';
import { readMetric } from './metrics.ts';
import { addFile, makeMp4 } from './media.ts';
import { startRelay } from './relay.ts';
import { ADMIN, callersAt, dataOf, makeDatabase } from './server.ts';
import { tusAt } from './tus.ts';

const AWAY_MS = 3000;

const folder = await mkdtemp(path.join(tmpdir(), 'ams-away-'));
const { host, port } = inject('postgres');
const relay = await startRelay({ path: `${host}/.s.PGSQL.${port}` });
const { url: _, ...own } = await makeDatabase();
const connection = { ...own, host: '127.0.0.1', port: relay.port };
const config = readConfig({
  AMS_DATA: folder,
  AMS_CAPTCHA: 'off',
  AMS_ADMIN_PASSWORD: ADMIN.password,
  LOG_LEVEL: 'silent',
});
const log = pino({ level: 'silent' });
const running = await startServer(config, connection, log);
const server = {
  ...running,
  config,
  connection,
  ...callersAt(await running.listen({ port: 0, host: '127.0.0.1' })),
};
const admin = await server.login();
afterAll(async () => {
  await server.stop();
  relay.close();
  await rm(folder, { recursive: true, force: true });
});

const isReady = (): Promise<void> =>
  vi.waitFor(async () => expect((await fetch(`${server.url}/ready`)).status).toBe(200));

test('while the database is unavailable, calls answer 503 and connections stay; then everything resumes without a restart', async () => {
  const player = await pairedDevice(server, admin);
  const channel = await player.open();
  await channel.next();
  const file = await addFile(server, admin, await makeMp4(1), { name: 'a.mp4', orientation: 'vertical', kind: 2 });

  const uploads = tusAt(server.url, admin);
  const clip = await makeMp4(3);
  const place = await uploads.create(clip.length, { name: 'c.mp4', orientation: 'vertical', kind: 2 });
  const begun = uploads.hang(place, 0, clip.subarray(0, 100), clip.length);
  await vi.waitFor(async () =>
    expect(await server.deps.db.selectFrom('upload_locks').select('id').execute()).toHaveLength(1),
  );

  relay.cut();
  begun.answer.catch(() => undefined);
  begun.end();
  const headers = { 'authorization': `Bearer ${admin.token}`, 'content-type': 'application/json' };
  const refused = await Promise.all([
    fetch(`${server.url}/api/devices`, { headers }),
    fetch(`${server.url}/api/login`, { method: 'POST', headers, body: JSON.stringify(ADMIN) }),
    fetch(`${server.url}/ready`),
    fetch(`${server.url}/api/player/manifest`, { headers: { authorization: `Bearer ${player.secret}` } }),
  ]);
  for (const reply of refused) expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await fetch(`${server.url}/health`)).status).toBe(200);
  expect(await (await fetch(`${server.url}/metrics`)).text()).toContain('ams_channels 1\n');
  channel.status({ download: { state: 'waiting', doneBytes: 1, totalBytes: 2 } });
  await sleep(AWAY_MS);
  relay.mend();
  await isReady();

  expect(channel.socket.readyState).toBe(channel.socket.OPEN);
  // The aborted request released its upload, although it could not announce it.
  await vi.waitFor(
    async () => {
      const stands = await uploads.request('HEAD', place, {});
      const offset = Number(stands.headers.get('upload-offset'));
      const rest = await uploads.patch(place, offset, clip.subarray(offset));
      expect(rest.headers.get('file-id')).toBe(path.basename(place));
    },
    { interval: 200 },
  );
  await vi.waitFor(async () => {
    const device = dataOf(await admin.calls.devices.get({ params: { id: player.device.id } }));
    expect(device.online).toBe(true);
  });
  // Jobs: another file is processed. Events: the device is notified of its release.
  const later = await addFile(server, admin, await makeMp4(2), { name: 'b.mp4', orientation: 'vertical', kind: 2 });
  const regions = {
    full: [
      { kind: 'file' as const, fileId: file.id },
      { kind: 'file' as const, fileId: later.id },
    ],
  };
  const ad = dataOf(
    await admin.calls.ads.create({ body: { name: 'Later', orientation: 'vertical', split: 'full', regions } }),
  );
  dataOf(await admin.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [player.device.id] } } }));
  const { version } = await player.manifest();
  await vi.waitFor(async () => expect(await channel.next()).toMatchObject({ type: 'manifest', version }));

  // A computer that loses power closes no connections: they are dead without notice.
  const closed = vi.fn();
  channel.socket.on('close', closed);
  relay.swallow();
  relay.mend();
  // This connection notices before the others and has all devices told what is current, by one of those.
  await server.deps.events.heardAll();
  await vi.waitFor(
    async () => {
      const signal = AbortSignal.timeout(1000);
      expect((await fetch(`${server.url}/api/devices`, { headers, signal })).status).toBe(200);
    },
    { timeout: 30_000 },
  );
  await vi.waitFor(async () => expect(await channel.next()).toMatchObject({ type: 'manifest', version }));
  expect(closed).not.toHaveBeenCalled();
  await channel.close();
});

test('a request waits for a database that comes back within three seconds; readiness does not', async () => {
  relay.mend();
  await isReady();
  const headers = { authorization: `Bearer ${admin.token}` };
  relay.cut();
  // The connections that were open are known to be broken.
  await vi.waitFor(async () =>
    expect(await readMetric(server.url, /ams_database_connections\{state="idle"\}/)).toBe(0),
  );
  const waiting = Promise.all([1, 2, 3].map(() => fetch(`${server.url}/api/devices`, { headers })));
  expect((await fetch(`${server.url}/ready`)).status).toBe(503);
  await sleep(1000);
  relay.mend();
  expect((await waiting).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('a batch that has begun when the database goes away is answered, and runs once', async () => {
  relay.mend();
  await isReady();
  const { device } = await pairedDevice(server, admin);
  const direct = makeDb(makePool(own, log));
  const held = await direct.startTransaction().execute();
  await sql`select from devices where id = ${device.id} for update`.execute(held);
  const keyed = server.as(admin.token, { 'idempotency-key': randomUUID() });
  const start = () => keyed.batches.start({ body: { ids: [device.id], action: 'extend', months: 1 } });
  const answer = start();
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(direct);
    expect(rows).toHaveLength(1);
  });
  relay.cut();
  const { job } = dataOf(await answer);
  expect(job).toMatchObject({ action: 'extend', state: 'running', done: 0, failed: 0, total: 1 });
  relay.mend();
  await held.rollback().execute();
  await vi.waitFor(async () => expect(dataOf(await start()).job).toEqual(job), { interval: 200 });

  await sql`update batches set moved_at = now() - interval '1 hour' where id = ${job?.id}`.execute(direct);
  await addTask(direct, 'devices_batches', {});
  const result = async () => dataOf(await admin.calls.batches.get({ params: { id: job?.id ?? '' } })).job;
  await vi.waitFor(async () => expect(await result()).toMatchObject({ state: 'done', done: 1 }), { interval: 200 });
  const { rows } = await sql`select from batches where task ->> 'action' = 'extend'`.execute(direct);
  expect(rows).toHaveLength(1);
  await direct.destroy();
});

test('a server starts on a database that is too busy to answer for six seconds', async () => {
  relay.mend();
  const { url: __, ...empty } = await makeDatabase();
  relay.delay(6000);
  const data = path.join(folder, 'busy');
  const started = await startServer(
    { ...config, data },
    { ...empty, host: '127.0.0.1', port: relay.port, max: 10 },
    log,
  );
  await started.stop();
});

test('the queue comes back from every cut, and a job that ran meanwhile is done in the end', async () => {
  relay.mend();
  const { url: __, ...empty } = await makeDatabase();
  const pool = makePool({ ...empty, host: '127.0.0.1', port: relay.port }, log);
  const db = makeDb(pool);
  await sql`create table job_workers (worker_id text primary key, process_id uuid not null)`.execute(db);
  const jobs = new Jobs(pool, '01900000-0000-7000-8000-000000000001', log);
  await jobs.migrate();
  const done: string[] = [];
  const held = Promise.withResolvers<void>();
  let begun = 0;
  await jobs.start(
    {
      quick: async () => void done.push('quick'),
      held: async () => {
        begun += 1;
        await held.promise;
        done.push('held');
      },
    },
    '* * * * * quick',
  );
  await addTask(db, 'held', {});
  await vi.waitFor(() => expect(begun).toBe(1));
  for (let cut = 0; cut < 3; cut += 1) {
    relay.cut();
    if (cut === 2) held.resolve();
    await sleep(AWAY_MS);
    relay.mend();
    await sleep(500);
  }
  await vi.waitFor(() => addTask(db, 'quick', {}), { interval: 500 });
  await vi.waitFor(() => expect(done).toContain('quick'));
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from graphile_worker.jobs`.execute(db);
      expect(rows[0]?.n).toBe(0);
    },
    { timeout: 30_000 },
  );
  await jobs.stop();
  await db.destroy();
});

/** Jobs of a new database behind the relay, and a connection to it beside the relay. */
async function openJobs(wall?: () => number): Promise<{ jobs: Jobs; pool: pg.Pool; direct: Db }> {
  relay.mend();
  const { url: __, ...empty } = await makeDatabase();
  const direct = makeDb(makePool(empty, log));
  const pool = makePool({ ...empty, host: '127.0.0.1', port: relay.port }, log);
  await sql`create table job_workers (worker_id text primary key, process_id uuid not null)`.execute(direct);
  const jobs = new Jobs(pool, '01900000-0000-7000-8000-000000000001', log, wall);
  await jobs.migrate();
  return { jobs, pool, direct };
}

test('all lanes wait for new jobs on one connection, also after each cut, and after one of them began again', async () => {
  let wall = Date.now();
  const { jobs, pool, direct } = await openJobs(() => wall);
  const done: string[] = [];
  const lanes = { quick: 'quick', pictures: 'pictures', videos: 'videos' } as const;
  const note = (lane: string) => async (): Promise<void> => void done.push(lane);
  await jobs.start(
    {
      [lanes.quick]: note('quick'),
      [lanes.pictures]: { lane: lanes.pictures, run: note('pictures') },
      [lanes.videos]: { lane: lanes.videos, run: note('videos') },
    },
    '',
  );
  const listening = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from pg_stat_activity
      where datname = current_database() and query like 'LISTEN "jobs:insert"%'`.execute(direct);
    return rows[0]?.n ?? 0;
  };
  const expectOneForAll = async (): Promise<void> => {
    await vi.waitFor(async () => expect(await listening()).toBe(1), { timeout: 20_000 });
    done.length = 0;
    for (const lane of Object.values(lanes)) await addTask(direct, lane, {});
    // One whose end could not be noted is done once more.
    await vi.waitFor(() => expect(new Set(done)).toEqual(new Set(Object.values(lanes))), { timeout: 20_000 });
  };
  await expectOneForAll();
  for (let cut = 0; cut < 2; cut += 1) {
    relay.cut();
    await vi.waitFor(async () => expect(await listening()).toBe(0));
    relay.mend();
    await expectOneForAll();
  }
  // The runner of the crontab begins again by a new clock.
  wall += 3_600_000;
  await jobs.followClock();
  await expectOneForAll();
  await jobs.stop();
  // PostgreSQL notices the end of a connection some time after the pool has closed it.
  await vi.waitFor(async () => expect(await listening()).toBe(0));
  await pool.end();
  await direct.destroy();
});

test('workers that look for jobs at one moment share two connections', async () => {
  const { jobs, pool, direct } = await openJobs();
  let done = 0;
  const count = async (): Promise<void> => void (done += 1);
  const lanes = ['pictures', 'videos', 'short', 'long', 'checks'] as const;
  const others = lanes.map((lane) => [lane, { lane, run: count }] as const);
  await jobs.start({ quick: count, ...Object.fromEntries(others) }, '');
  await direct.transaction().execute(async (tx) => {
    for (let n = 0; n < 5; n += 1) for (const name of ['quick', ...lanes]) await addTask(tx, name, {});
  });
  await vi.waitFor(() => expect(done).toBe(30));
  // Idle ones stay for ten seconds. One waits for new jobs; the start took another one or two.
  expect(pool.totalCount).toBeLessThan(7);
  await jobs.stop();
  await pool.end();
  await direct.destroy();
});

test('a job whose worker lost its connection while it locked the job is run by the same process, or by another', async () => {
  const { jobs, pool, direct } = await openJobs();
  const done: unknown[] = [];
  await jobs.start({ quick: async (payload) => void done.push(payload) }, '');
  const lockedJobs = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from graphile_worker.jobs where locked_at is not null`.execute(direct);
    return rows[0]?.n ?? 0;
  };
  const loseJob = async (n: number): Promise<void> => {
    // The end of the job before is noted.
    await vi.waitFor(async () => expect(await lockedJobs()).toBe(0));
    await direct.transaction().execute(async (tx) => {
      await addTask(tx, 'quick', { n });
      await sql`lock table graphile_worker._private_jobs in exclusive mode`.execute(tx);
      await vi.waitFor(async () => {
        // A worker that asks for a job.
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like '%attempts = jobs.attempts + 1%'`.execute(direct);
        expect(rows).not.toEqual([]);
      });
      // Its request has arrived; the answer will not.
      relay.cut();
    });
    await vi.waitFor(async () => expect(await lockedJobs()).toBe(1));
    relay.mend();
  };

  // Workers ask for jobs.
  await addTask(direct, 'quick', { n: 0 });
  await vi.waitFor(() => expect(done).toEqual([{ n: 0 }]));

  await loseJob(1);
  await vi.waitFor(() => jobs.freeLostJobs(), { interval: 500 });
  expect(await lockedJobs()).toBe(1);
  await jobs.freeLostJobs();
  await vi.waitFor(() => expect(done).toEqual([{ n: 0 }, { n: 1 }]));

  await loseJob(2);
  await vi.waitFor(() => jobs.stop(), { interval: 500 });
  expect(await lockedJobs()).toBe(0);
  await pool.end();
  await direct.destroy();
});

test('a lane works on after the ends of several jobs could not be noted', async () => {
  const { jobs, pool, direct } = await openJobs();
  const done: string[] = [];
  const ends: (() => void)[] = [];
  let isAgain = false;
  await jobs.start(
    {
      quick: async () => void done.push('quick'),
      // One whose end could not be noted is done once more.
      held: async () => (isAgain ? undefined : new Promise<void>((resolve) => void ends.push(resolve))),
    },
    '',
  );
  for (const n of [1, 2, 3, 4]) await addTask(direct, 'held', { n });
  await vi.waitFor(() => expect(ends).toHaveLength(4));
  const last = ends.pop();
  await direct.transaction().execute(async (tx) => {
    await sql`select from graphile_worker._private_jobs for update`.execute(tx);
    for (const [index, end] of ends.entries()) {
      end();
      await vi.waitFor(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query like 'delete%'`.execute(direct);
        // Further ones wait until one of two connections is free.
        expect(rows).toHaveLength(Math.min(index + 1, 2));
      });
    }
    relay.cut();
    // All of them learn of it while one job still runs.
    await sleep(500);
  });
  isAgain = true;
  relay.mend();
  last?.();
  await addTask(direct, 'quick', {});
  await vi.waitFor(() => expect(done).toEqual(['quick']));
  await jobs.stop();
  await pool.end();
  await direct.destroy();
});

test('workers that could not be noted stop, so that nobody works whose jobs would stay locked', async () => {
  const { jobs, pool, direct } = await openJobs();
  await sql`alter table job_workers rename to away`.execute(direct);
  await expect(jobs.start({ quick: async () => undefined }, '')).rejects.toThrow('job_workers');
  const listeners = async (): Promise<unknown[]> =>
    (
      await sql`
        select from pg_stat_activity where datname = current_database() and query ilike 'listen%'`.execute(direct)
    ).rows;
  await vi.waitFor(async () => expect(await listeners()).toEqual([]));
  await jobs.stop().catch(() => undefined);
  await pool.end();
  await direct.destroy();
});
