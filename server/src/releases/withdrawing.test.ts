import type { Release } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { crossing } from '../../test/meanwhile.ts';
import { type Bystanders, gatherBystanders, Scene } from '../../test/scene.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { withdrawingTasks } from './withdrawing.service.ts';

/** Withdrawals from so many devices that a job notifies them. */
const server = await startTestServer();
const { db } = server.deps;

let bystanders: Bystanders;
let scene: Scene;
beforeAll(async () => {
  bystanders = await gatherBystanders(server);
});
beforeEach(async () => {
  scene = await Scene.begin(server, bystanders);
});

const run = (id: string): Promise<void> =>
  withdrawingTasks(db).releases_withdraw({ id }, new AbortController().signal, true);

/** A withdrawn release of the scene, as it is right after the answer if its devices are many. */
async function onItsWay(): Promise<{ release: Release; withdrawal: string }> {
  const release = await scene.release();
  dataOf(await scene.actor.calls.releases.withdraw({ params: { id: release.id } }));
  await sql`update release_devices set missed = false where release_id = ${release.id}`.execute(db);
  const { rows } = await sql<{ id: string }>`
    insert into release_withdrawals (release_ids, operator_id, device_ids, total)
    select array[${release.id}::uuid], ${scene.actor.user.id}::uuid, array_agg(device_id), count(*)
    from release_devices where release_id = ${release.id} returning id`.execute(db);
  return { release, withdrawal: rows[0]?.id ?? '' };
}

const left = async (): Promise<number> => (await db.selectFrom('release_withdrawals').select('id').execute()).length;

test('a withdrawal from 12,001 devices is answered first, and each device is notified once', async () => {
  const boss = scene.actor;
  const ad = await scene.ad();
  await scene.addCrowd(12_001);
  const body = { devices: { filter: {} } };
  const { id } = dataOf(await boss.calls.ads.release({ params: { id: ad.id }, body }));
  const got = async () => dataOf(await boss.calls.releases.get({ params: { id } }));
  const patience = { timeout: 60_000, interval: 200 };
  await vi.waitFor(async () => expect((await got()).sending).toBeNull(), patience);
  // One of them has the release.
  await sql`
    update device_revisions set done_revision = revision where device_id = (
      select id from devices where owner_id = ${boss.user.id} order by id limit 1)`.execute(db);
  const answers = await Promise.all([1, 2].map(() => boss.calls.releases.withdraw({ params: { id } })));
  for (const answer of answers) expect(dataOf(answer).withdrawnAt).not.toBeNull();
  await vi.waitFor(async () => expect(await left()).toBe(0), patience);
  expect((await got()).counts).toMatchObject({ total: 12_001, done: 1, missed: 12_000, waiting: 0 });
  const { rows } = await sql`
    select d.revision, d.operator_id as "operatorId", count(*) as devices from devices_now d
    where d.owner_id = ${boss.user.id} group by 1, 2`.execute(db);
  expect(rows).toEqual([{ revision: 3, operatorId: boss.user.id, devices: 12_001 }]);
});

test('a device that reports a release before it is notified of its withdrawal has received it', async () => {
  const { release, withdrawal } = await onItsWay();
  const [device] = await scene.deviceIds();
  await sql`update device_revisions set done_revision = revision where device_id = ${device}`.execute(db);
  await run(withdrawal);
  expect((await scene.read(release)).counts).toMatchObject({ total: 2, done: 1, missed: 1 });
});

test('two processes that bring a withdrawal at once change each device once', async () => {
  const { release, withdrawal } = await onItsWay();
  const before = await scene.revisions();
  await Promise.all([run(withdrawal), run(withdrawal), run(withdrawal)]);
  expect(await scene.revisions()).toEqual(before.map((revision) => revision + 1));
  expect((await scene.read(release)).counts).toMatchObject({ total: 2, missed: 2 });
});

test('a withdrawal that was undone reaches no further device', async () => {
  const { release, withdrawal } = await onItsWay();
  dataOf(await scene.actor.calls.releases.restore({ params: { id: release.id } }));
  const before = await scene.revisions();
  await run(withdrawal);
  expect(await scene.revisions()).toEqual(before);
  expect((await scene.read(release)).counts).toMatchObject({ total: 2, waiting: 2, missed: 0 });
  expect(await left()).toBe(0);
});

test('a withdrawal that is undone while it reaches its devices leaves them with the release', async () => {
  const { release, withdrawal } = await onItsWay();
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from release_withdrawals where id = ${withdrawal} for update`,
    first: () => run(withdrawal),
    second: () => scene.actor.calls.releases.restore({ params: { id: release.id } }),
  });
  expect([answers[1].code, deadlocks]).toEqual([200, 0]);
  expect((await scene.read(release)).counts).toMatchObject({ total: 2, waiting: 2, missed: 0 });
  expect(await scene.holders(release)).toHaveLength(2);
  expect(await left()).toBe(0);
});

test('a withdrawal reaches its devices although one of them, or its operator, is deleted meanwhile', async () => {
  const { release, withdrawal } = await onItsWay();
  const [deleted = '', ...others] = await scene.deviceIds();
  const { root } = bystanders;
  dataOf(await root.calls.devices.delete({ params: { id: deleted } }));
  dataOf(await root.calls.users.delete({ params: { id: scene.actor.user.id } }));
  await run(withdrawal);
  const { counts } = dataOf(await root.calls.releases.get({ params: { id: release.id } }));
  expect(counts).toMatchObject({ total: others.length, missed: others.length });
});

test('a withdrawal whose job was lost is queued again', async () => {
  const { release } = await onItsWay();
  await withdrawingTasks(db).releases_withdraw_all({}, new AbortController().signal, true);
  await vi.waitFor(async () => expect(await left()).toBe(0), { timeout: 20_000, interval: 100 });
  expect((await scene.read(release)).counts).toMatchObject({ total: 2, missed: 2 });
});
