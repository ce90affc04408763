import { sql } from 'kysely';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { makePool } from '../src/platform/database/database.ts';
import { addTask, Jobs } from '../src/platform/jobs/jobs.ts';
import { startServer } from '../src/lifecycle.ts';
import { makeDevice, pairedDevice } from './device.ts';
import { addFile, makeMp4 } from './media.ts';
import { ADMIN, callersAt, dataOf, startTestServer } from './server.ts';
import { tusAt } from './tus.ts';

const log = pino({ level: 'silent' });
const server = await startTestServer();
const admin = await server.login();
const other = await startServer(server.config, server.connection, log);
const beside = { ...other, ...callersAt(await other.listen({ port: 0, host: '127.0.0.1' })) };
afterAll(() => beside.stop());

/** A clock that jumps ahead makes all that is on record so much older. */
const jump = (hours: number): Promise<unknown> =>
  sql`do $$ declare stamp record; begin
    for stamp in
      select a.attrelid::regclass as place, quote_ident(a.attname) as name
      from pg_attribute a join pg_class c on c.oid = a.attrelid
      where a.atttypid = 'timestamptz'::regtype and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and c.relkind in ('r', 'p') and not c.relispartition
        and c.relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)
    loop
      execute format('update %s set %s = %2$s - interval ''1 hour'' * ${sql.raw(String(hours))}', stamp.place, stamp.name);
    end loop;
  end $$`.execute(server.deps.db);

test('a device that nobody holds goes offline at once when the clock went back after a crash', async () => {
  const { device } = await pairedDevice(server, admin);
  const crashed = '01920000-0000-7000-8000-00000000c0de';
  await sql`insert into server_processes (id, beat_at) values (${crashed}, now() + interval '70 minutes')`.execute(
    server.deps.db,
  );
  await sql`update devices set lease = ${crashed} where id = ${device.id}`.execute(server.deps.db);
  const online = async (): Promise<string[]> =>
    dataOf(await admin.calls.devices.list({ query: { online: 'true' } })).items.map(({ id }) => id);
  expect(dataOf(await admin.calls.devices.get({ params: { id: device.id } })).online).toBe(false);
  expect(await online()).not.toContain(device.id);
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ lease: string | null; late: boolean }>`
        select lease, last_seen_at > now() as late from devices where id = ${device.id}`.execute(server.deps.db);
      expect(rows).toEqual([{ lease: null, late: false }]);
    },
    { timeout: 15_000, interval: 200 },
  );
}, 30_000);

test('an upload that a crashed process held is free when the clock went back', async () => {
  const upload = tusAt(server.url, admin);
  const bytes = await makeMp4(40);
  const place = await upload.create(bytes.length, { name: 'held.mp4', orientation: 'vertical', kind: 2 });
  const crashed = '01920000-0000-7000-8000-00000000c0df';
  await sql`insert into server_processes (id, beat_at) values (${crashed}, now() + interval '70 minutes')`.execute(
    server.deps.db,
  );
  await sql`insert into upload_locks (id, holder, process) values (${place.split('/').at(-1)}, ${crashed}, ${crashed})`.execute(
    server.deps.db,
  );
  expect((await upload.patch(place, 0, bytes)).headers.get('file-id')).toBeTruthy();
});

test('jobs and the crontab do not wait until a clock that went back has caught up', async () => {
  let wall = Date.now();
  const pool = makePool(server.connection, log);
  const jobs = new Jobs(pool, uuidv7(), log, () => wall);
  onTestFinished(async () => {
    await jobs.stop();
    await pool.end();
  });
  const done: unknown[] = [];
  const probe = async (payload: unknown): Promise<void> => void done.push(payload);
  await jobs.start({ clock_probe: probe }, '* * * * * clock_cron');
  const { db } = server.deps;
  await sql`update graphile_worker._private_known_crontabs set last_execution = now() + interval '70 minutes'`.execute(
    db,
  );
  await sql`select graphile_worker.add_job('clock_probe', '{"n": 1}'::json, run_at => now() + interval '70 minutes')`.execute(
    db,
  );
  wall -= 70 * 60_000;
  await jobs.followClock();
  await vi.waitFor(() => expect(done).toEqual([{ n: 1 }]), { timeout: 10_000 });
  const { rows } = await sql`
    select from graphile_worker._private_known_crontabs where last_execution > now() + interval '2 minutes'`.execute(
    db,
  );
  expect(rows).toEqual([]);
  // The queue that was begun anew works on.
  await addTask(db, 'clock_probe', { n: 2 });
  await vi.waitFor(() => expect(done).toEqual([{ n: 1 }, { n: 2 }]), { timeout: 10_000 });
}, 30_000);

test('a job that waits for an instant waits for it, also after the clock went back', async () => {
  const pool = makePool(server.connection, log);
  const jobs = new Jobs(pool, uuidv7(), log);
  onTestFinished(() => pool.end());
  const { db } = server.deps;
  const at = new Date(Date.now() + 3_600_000);
  await addTask(db, 'clock_instant', {}, { key: 'instant', at });
  await jobs.followClock();
  const { rows } = await sql<{ at: Date }>`
    select run_at as at from graphile_worker.jobs where key = 'instant'`.execute(db);
  expect(rows).toEqual([{ at }]);
});

test.each([
  ['ahead', 1],
  ['back', -1],
])(
  'the clock jumps an hour %s: people stay signed in, devices come back, work continues',
  async (_, hours) => {
    const [here, there] = [await pairedDevice(server, admin), await pairedDevice(server, admin)];
    const channels = [await here.open(), await makeDevice(beside, there.mac, there.secret).open()];
    for (const channel of channels) await channel.next();
    const upload = tusAt(server.url, admin);
    const bytes = await makeMp4(20 + hours);
    const place = await upload.create(bytes.length, { name: 'begun.mp4', orientation: 'vertical', kind: 2 });
    await upload.patch(place, 0, bytes.subarray(0, 1000));

    await jump(hours);

    /** Each process may take the other for dead until that beats. */
    const backOnline = (): Promise<void> =>
      vi.waitFor(
        async () => {
          for (const { device } of [here, there]) {
            expect(dataOf(await admin.calls.devices.get({ params: { id: device.id } })).online).toBe(true);
          }
        },
        { interval: 200 },
      );
    await backOnline();
    expect((await upload.patch(place, 1000, bytes.subarray(1000))).headers.get('file-id')).toBeTruthy();
    expect((await server.login(ADMIN.username, ADMIN.password)).token).not.toBe('');
    const file = await addFile(server, admin, await makeMp4(30 + hours), {
      name: 'later.mp4',
      orientation: 'vertical',
      kind: 2,
    });
    const regions = { full: [{ kind: 'file' as const, fileId: file.id }] };
    const ad = dataOf(
      await admin.calls.ads.create({ body: { name: 'Later', orientation: 'vertical', split: 'full', regions } }),
    );
    const devices = { ids: [here.device.id, there.device.id] };
    dataOf(await admin.calls.ads.release({ params: { id: ad.id }, body: { devices } }));
    for (const channel of channels) expect(await channel.next()).toMatchObject({ type: 'manifest' });
    await backOnline();
    for (const channel of channels) await channel.close();
  },
  60_000,
);
