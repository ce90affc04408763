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
async function makeQueue() {
  const { url: _, ...connection } = await makeDatabase();
  const pool = makePool(connection, log);
  const db = makeDb(pool);
  await sql`create table job_workers (worker_id text primary key, process_id uuid not null)`.execute(db);
  const jobs = new Jobs(pool, PROCESS, log);
  await jobs.migrate();
  return { db, jobs };
}

test('jobs that failed for good are deleted after a week, but not those with a key', async () => {
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
  expect(await countJobs(db)).toEqual({ waiting: 1, running: 0, failed: 2 });
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
