import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { tasksOf } from '../src/features.ts';
import type { Task } from '../src/platform/jobs/jobs.ts';
import { pairedDevice } from './device.ts';
import { startTestServer } from './server.ts';
import { stopCrontab } from './crontab.ts';

const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);

const STOPPING = new AbortController().signal;
const tasks = tasksOf(server.deps);
const run = (name: 'session_clean' | 'devices_forget'): Promise<void> => {
  const task = tasks[name];
  const work: Task = typeof task === 'function' ? task : task.run;
  return work({}, STOPPING, false);
};

/** Steps that use a table fail until the test is over. */
async function breakTable(name: string): Promise<void> {
  await sql`alter table ${sql.table(name)} rename to broken`.execute(db);
  onTestFinished(async () => void (await sql`alter table broken rename to ${sql.id(name)}`.execute(db)));
}

test('what has run out is removed, also after a step of the job that cannot be done', async () => {
  await sql`insert into rate_limits (key, count, ends_at) values ('over', 1, now() - interval '1 hour')`.execute(db);
  await breakTable('challenges');
  await expect(run('session_clean')).rejects.toThrow('challenges');
  const { rows } = await sql`select from rate_limits where key = 'over'`.execute(db);
  expect(rows).toEqual([]);
});

test('past working hours are forgotten, also when changes of presence cannot be', async () => {
  const { device } = await pairedDevice(server, await server.login());
  await sql`
    insert into past_hours (device_id, until, hours)
    values (${device.id}, now() - interval '500 days', null)`.execute(db);
  await breakTable('presence_changes');
  await expect(run('devices_forget')).rejects.toThrow('presence_changes');
  const { rows } = await sql`select from past_hours`.execute(db);
  expect(rows).toEqual([]);
});
