import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { makeDatabase } from '../../../test/server.ts';
import { makeDb, makePool } from '../database/database.ts';
import { addTask, Jobs, releaseJobs } from './jobs.ts';

const PROCESS = '01900000-0000-7000-8000-000000000001';
const log = pino({ level: 'silent' });

test('a process that was taken for dead and lives leaves no job locked when it dies', async () => {
  const { url: _, ...connection } = await makeDatabase();
  const pool = makePool(connection, log);
  const db = makeDb(pool);
  await sql`create table job_workers (worker_id text primary key, process_id uuid not null)`.execute(db);
  const jobs = new Jobs(pool, PROCESS, log);
  await jobs.migrate();
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
