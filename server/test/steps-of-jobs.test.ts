import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { tasksOf } from '../src/features.ts';
import type { Task } from '../src/platform/jobs/jobs.ts';
import { pairedDevice } from './device.ts';
import { addPictureAd } from './media.ts';
import { dataOf, startTestServer } from './server.ts';
import { stopCrontab } from './crontab.ts';

const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);

const STOPPING = new AbortController().signal;
const tasks = tasksOf(server.deps);
const run = (name: 'session_clean' | 'devices_forget' | 'releases_advance_all'): Promise<void> => {
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

test('releases in steps continue, also after one that cannot', async () => {
  const admin = await server.login();
  const ad = await addPictureAd(server, admin);
  for (let n = 0; n < 2; n += 1) {
    const { device } = await pairedDevice(server, admin);
    const body = { devices: { ids: [device.id] }, stages: [{ percent: 50 }, { percent: 100 }], goOnAt: 100 };
    dataOf(await admin.calls.ads.release({ params: { id: ad.id }, body }));
  }
  // Nobody is left who could begin their next step: that pauses them.
  await sql`update releases set operator_id = null`.execute(db);
  const states = async () => {
    const { rows } = await sql<{ id: string; rollout: string }>`select id, rollout from releases`.execute(db);
    return Object.fromEntries(rows.map(({ id, rollout }) => [id, rollout]));
  };
  const { rows } = await sql<{ id: string }>`select id from releases where rollout = 'running'`.execute(db);
  const [broken, other] = rows.map(({ id }) => id);
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''refused''; end'`.execute(
    db,
  );
  await sql`
    create trigger refuse before update on releases for each row when (old.id = ${sql.lit(broken)})
    execute function refuse()`.execute(db);
  await expect(run('releases_advance_all')).rejects.toThrow('refused');
  expect(await states()).toEqual({ [broken ?? '']: 'running', [other ?? '']: 'paused' });
});
