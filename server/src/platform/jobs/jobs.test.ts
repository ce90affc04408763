import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { makeDatabase } from '../../../test/server.ts';
import { makeDb, makePool } from '../database/database.ts';
import { cleanFailedJobs, countJobs } from './counts.ts';
import { addTask, Jobs, releaseJobs } from './jobs.ts';

const PROCESS = '01900000-0000-7000-8000-000000000001';
const log = pino({ level: 'silent' });

/** A database with the queue alone. */
async function makeQueue(wall?: () => number) {
  const { url: _, ...connection } = await makeDatabase();
  const pool = makePool(connection, log);
  const db = makeDb(pool);
  await sql`create table job_workers (worker_id text primary key, process_id uuid not null)`.execute(db);
  const jobs = new Jobs(pool, PROCESS, log, wall);
  await jobs.migrate();
  return { db, jobs };
}

test('jobs that failed for good are deleted after a week, whether they have a key or not', async () => {
  const { db, jobs } = await makeQueue();
  for (const name of ['old', 'new', 'waiting', 'keyed']) await addTask(db, name, {});
  await sql`
    update graphile_worker._private_jobs j set attempts = j.max_attempts from graphile_worker.jobs v
    where v.id = j.id and v.task_identifier <> 'waiting'`.execute(db);
  await sql`
    update graphile_worker._private_jobs j set updated_at = now() - interval '8 days',
      key = case when v.task_identifier = 'keyed' then 'key' end
    from graphile_worker.jobs v where v.id = j.id and v.task_identifier <> 'new'`.execute(db);
  await cleanFailedJobs(db);
  expect(await countJobs(db)).toEqual({ waiting: 1, running: 0, failed: 1 });
  await jobs.stop();
  await db.destroy();
});

test('a process that was taken for dead and lives leaves no job locked when it dies', async () => {
  const { db, jobs } = await makeQueue();
  const held = Promise.withResolvers<void>();
  await jobs.start({ held: () => held.promise }, '');
  const countLocked = async (): Promise<number> => {
    const { rows } = await sql`select from graphile_worker.jobs where locked_at is not null`.execute(db);
    return rows.length;
  };

  // Another process: this one gave no sign of life for 15 s.
  await releaseJobs(db, [PROCESS]);
  await jobs.freeLostJobs();
  await addTask(db, 'held', {});
  await vi.waitFor(async () => expect(await countLocked()).toBe(1));
  await releaseJobs(db, [PROCESS]);
  expect(await countLocked()).toBe(0);

  held.resolve();
  await jobs.stop();
  await db.destroy();
});

test('a job that takes hours stays with its worker, and so does its queue', async () => {
  const { db, jobs } = await makeQueue();
  const held = Promise.withResolvers<void>();
  await jobs.start({ held: () => held.promise }, '');
  await addTask(db, 'held', {}, { queue: 'one at a time' });
  const lockedFor = async (): Promise<(number | null)[]> => {
    const { rows } = await sql<{ hours: number | null }>`
      select round(extract(epoch from now() - at) / 3600)::int as hours from (
        select locked_at as at from graphile_worker._private_jobs
        union all select locked_at from graphile_worker._private_job_queues) locks`.execute(db);
    return rows.map(({ hours }) => hours);
  };
  await vi.waitFor(async () => expect(await lockedFor()).toEqual([0, 0]));
  for (const table of ['jobs', 'job_queues']) {
    await sql`
      update ${sql.table(`graphile_worker._private_${table}`)} set locked_at = locked_at - interval '3 hours'`.execute(
      db,
    );
  }
  expect(await lockedFor()).toEqual([3, 3]);
  await jobs.freeLostJobs();
  expect(await lockedFor()).toEqual([0, 0]);

  held.resolve();
  await jobs.stop();
  await db.destroy();
});

test('a job whose process died before its workers were noted is run by another one', async () => {
  const { db, jobs } = await makeQueue();
  const done = Promise.withResolvers<void>();
  await addTask(db, 'left', {}, { queue: 'one at a time' });
  for (const table of ['jobs', 'job_queues']) {
    await sql`
      update ${sql.table(`graphile_worker._private_${table}`)}
      set locked_at = now() - interval '2 minutes', locked_by = 'worker of nobody'`.execute(db);
  }
  await jobs.start({ left: async () => done.resolve() }, '');
  await jobs.freeLostJobs();
  await done.promise;
  await jobs.stop();
  await db.destroy();
});

test('a timed task that lasts longer than its period keeps no hand from other work, and is not piled up', async () => {
  const { db, jobs } = await makeQueue();
  const held = Promise.withResolvers<void>();
  let [running, most] = [0, 0];
  const slow = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await held.promise;
    running -= 1;
  };
  const done: unknown[] = [];
  const other = async (payload: unknown): Promise<void> => void done.push(payload);
  // Ten minutes went by since the crontab was read last.
  await sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('slow', now() - interval '1 hour', now() - interval '10 minutes')`.execute(db);
  await jobs.start({ slow, other }, '* * * * * slow ?fill=10m');
  await vi.waitFor(() => expect(running).toBeGreaterThan(0));
  await addTask(db, 'other', { n: 1 });
  await vi.waitFor(() => expect(done).toEqual([{ n: 1 }]));
  expect(most).toBe(1);
  const { rows } = await sql`select from graphile_worker.jobs where task_identifier = 'slow'`.execute(db);
  expect(rows.length).toBeLessThanOrEqual(2);
  held.resolve();
  await jobs.stop();
  await db.destroy();
});

test('a timed task that fails each time leaves one job to try again, however often it was due', async () => {
  const { db, jobs } = await makeQueue();
  let runs = 0;
  const broken = (): Promise<void> => {
    runs += 1;
    return Promise.reject(new Error('broken'));
  };
  await sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('broken', now() - interval '1 hour', now() - interval '10 minutes')`.execute(db);
  await jobs.start({ broken }, '* * * * * broken ?fill=10m');
  await vi.waitFor(() => expect(runs).toBeGreaterThan(0));
  await jobs.stop();
  const { rows } = await sql<{ tries: number }>`
    select max_attempts as tries from graphile_worker.jobs
    where task_identifier = 'broken' and attempts < max_attempts`.execute(db);
  expect(rows).toEqual([{ tries: 5 }]);
  await db.destroy();
});

test('the next run of a timed task leaves those that failed for good on record', async () => {
  const { db, jobs } = await makeQueue();
  await sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('broken', now() - interval '1 hour', now() - interval '10 minutes')`.execute(db);
  await jobs.start({ broken: () => Promise.reject(new Error('broken')) }, '* * * * * broken ?max=1&fill=10m');
  const failed = async () => {
    const { rows } = await sql<{ key: string | null }>`
      select key from graphile_worker.jobs where attempts = max_attempts and locked_at is null`.execute(db);
    return rows.map(({ key }) => key);
  };
  await vi.waitFor(async () => expect(await failed()).toContain(null));
  await vi.waitFor(async () => expect(await failed()).not.toContain('broken'));
  await jobs.stop();
  await db.destroy();
});

test('a queue that is ending already takes a changed clock and the end of its process', async () => {
  let wall = Date.now();
  const { db, jobs } = await makeQueue(() => wall);
  const held = Promise.withResolvers<void>();
  let begun = 0;
  const work = (): Promise<void> => {
    begun += 1;
    return held.promise;
  };
  await jobs.start({ held: work }, '');
  await addTask(db, 'held', {});
  await vi.waitFor(() => expect(begun).toBe(1));
  const warn = vi.spyOn(log, 'warn');
  wall += 3_600_000;
  const ends = jobs.followClock();
  await vi.waitFor(() => expect(warn).toHaveBeenCalled());

  wall += 3_600_000;
  await jobs.followClock();
  const stopped = jobs.stop();
  held.resolve();
  await Promise.all([ends, stopped]);
  await db.destroy();
});
