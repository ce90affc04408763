import { randomUUID } from 'node:crypto';
import { type Release, RELEASE_DEVICES_MAX } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { crossing } from '../../test/meanwhile.ts';
import { type Bystanders, gatherBystanders, holds, Scene } from '../../test/scene.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { sendingTasks } from './sending.service.ts';

/** Releases to so many devices that a job brings them there. */
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

const run = ({ id }: Release): Promise<void> =>
  sendingTasks(db).releases_send({ id }, new AbortController().signal, true);

/** A release to the devices of the scene that no device has yet. */
async function unsent(order: object = {}): Promise<Release> {
  const release = await scene.release(order);
  await scene.keepBack(release);
  return release;
}

test('a release to 12,001 devices is answered with all of them, and reaches each once, whoever repeats the request', async () => {
  const boss = scene.actor;
  const ad = await scene.ad();
  await scene.addCrowd(12_001);
  const order = { params: { id: ad.id }, body: { devices: { filter: {} } } };
  const repeated = server.as(boss.token, { 'idempotency-key': 'to all of them' });
  const answers = await Promise.all([repeated.ads.release(order), repeated.ads.release(order)]);
  const [release, again] = answers.map(dataOf);
  expect(again).toEqual(release);
  expect(release?.counts).toMatchObject({ total: 12_001, waiting: 12_001 });
  const got = async () => dataOf(await boss.calls.releases.get({ params: { id: release?.id ?? '' } }));
  await vi.waitFor(async () => expect((await got()).sending).toBeNull(), { timeout: 60_000, interval: 200 });
  expect((await got()).counts).toMatchObject({ total: 12_001, waiting: 12_001 });
  const { rows } = await sql`
    select d.revision, count(*) as devices, count(distinct rd.release_id) as releases
    from devices_now d join release_devices rd on rd.device_id = d.id
    where d.owner_id = ${boss.user.id} group by 1`.execute(db);
  expect(rows).toEqual([{ revision: 2, devices: 12_001, releases: 1 }]);
});

test('a standing release to 12,001 devices is answered with all of them, and reaches each once', async () => {
  const boss = scene.actor;
  const ad = await scene.ad();
  await scene.addCrowd(12_001);
  const order = { params: { id: ad.id }, body: { devices: { filter: {} }, standing: true } };
  const release = dataOf(await boss.calls.ads.release(order));
  expect(release).toMatchObject({ standing: true, counts: { total: 12_001, waiting: 12_001 } });
  const arrived = async () => expect(await scene.read(release)).toMatchObject({ sending: null });
  await vi.waitFor(arrived, { timeout: 60_000, interval: 200 });
  expect(await scene.read(release)).toMatchObject({ withdrawnAt: null, counts: { total: 12_001, waiting: 12_001 } });
  const { rows } = await sql`
    select d.revision, d.operator_id as "operatorId", count(*) as devices
    from devices_now d join release_devices rd on rd.device_id = d.id and rd.release_id = ${release.id}
    where d.owner_id = ${boss.user.id} group by 1, 2`.execute(db);
  expect(rows).toEqual([{ revision: 2, operatorId: boss.user.id, devices: 12_001 }]);
});

test('a standing release on its way reaches the devices that match it by then, once, and stays without any', async () => {
  const { actor } = scene;
  const devices = await scene.devices();
  const [ids, revisions] = [await scene.deviceIds(), () => scene.revisions()];
  const tag = async (id: string, ...tags: string[]) =>
    dataOf(await actor.calls.devices.update({ params: { id }, body: { tags } }));
  for (const id of ids) await tag(id, 'window');
  const release = await unsent({ devices: { filter: { tags: { all: ['window'] } } }, standing: true });
  for (const id of ids) await tag(id);
  await run(release);
  expect(await scene.holders(release)).toEqual([]);
  expect(await scene.read(release)).toMatchObject({ sending: null, withdrawnAt: null, counts: { total: 0 } });

  const [first = '', second = ''] = ids;
  await tag(second, 'window');
  await scene.keepBack(release);
  const before = await revisions();
  await tag(first, 'window');
  await Promise.all([run(release), run(release)]);
  expect(await scene.holders(release)).toEqual(devices);
  expect(await revisions()).toEqual(before.map((revision) => revision + 1));
  expect(await scene.read(release)).toMatchObject({ sending: null, counts: { total: 2 } });
});

test('until it reaches them, its devices count as waiting', async () => {
  const release = await unsent();
  expect(await scene.read(release)).toMatchObject({
    sending: { reached: 0, total: 2 },
    counts: { total: 2, waiting: 2, done: 0 },
  });
  await run(release);
  expect(await scene.read(release)).toMatchObject({ sending: null, counts: { total: 2, waiting: 2 } });
  expect(await scene.holders(release)).toHaveLength(2);
});

test('two processes that bring a release at once change each device once', async () => {
  const release = await unsent();
  const before = await scene.revisions();
  await Promise.all([run(release), run(release), run(release)]);
  expect(await scene.revisions()).toEqual(before.map((revision) => revision + 1));
});

test('a release that is withdrawn on its way goes no further, until that is undone', async () => {
  const release = await unsent();
  const { calls } = scene.actor;
  expect(dataOf(await calls.releases.withdraw({ params: { id: release.id } })).counts.total).toBe(0);
  await run(release);
  expect(await scene.holders(release)).toEqual([]);
  dataOf(await calls.releases.restore({ params: { id: release.id } }));
  await vi.waitFor(async () => expect(await scene.holders(release)).toHaveLength(2));
  expect(await scene.read(release)).toMatchObject({ sending: null, withdrawnAt: null });
});

test('a device that is cleared while a release is on its way to it stays without it', async () => {
  const release = await unsent();
  const [cleared, other] = await scene.devices();
  if (!cleared || !other) throw new Error('the scene has two devices');
  dataOf(await scene.actor.calls.batches.start({ body: { ids: [cleared.device.id], action: 'clear' } }));
  expect(await scene.read(release)).toMatchObject({ counts: { total: 1 }, withdrawnAt: null });
  await run(release);
  expect(await holds(cleared, release.id)).toBe(false);
  expect(await holds(other, release.id)).toBe(true);
  expect(await scene.read(release)).toMatchObject({ sending: null, counts: { total: 1 } });
});

test('a release whose devices are all cleared or deleted while it is on its way ends', async () => {
  const release = await unsent();
  const [cleared, deleted] = await scene.deviceIds();
  dataOf(await scene.actor.calls.batches.start({ body: { ids: [cleared ?? ''], action: 'clear' } }));
  dataOf(await scene.actor.calls.devices.delete({ params: { id: deleted ?? '' } }));
  await run(release);
  expect((await scene.read(release)).withdrawnAt).not.toBeNull();
});

test('a release whose sender may not send it any more ends while it is withdrawn', async () => {
  const release = await unsent();
  await sql`update users set disabled = true, remark = 'left' where id = ${scene.actor.user.id}`.execute(db);
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from releases where id = ${release.id} for update`,
    first: () => run(release),
    second: () => bystanders.root.calls.releases.withdraw({ params: { id: release.id } }),
  });
  expect([answers[1].code, deadlocks]).toEqual([200, 0]);
});

test('a release that has reached no device when its sender is deleted ends, and its files are free', async () => {
  const release = await unsent();
  const { id } = scene.actor.user;
  const { root } = bystanders;
  dataOf(await root.calls.users.delete({ params: { id } }));
  expect(dataOf(await root.calls.releases.get({ params: { id: release.id } })).withdrawnAt).not.toBeNull();
  expect(await scene.holders(release)).toEqual([]);
});

test('a customer that updates an ad on its way to devices of others makes no release without devices', async () => {
  const { actor, customer } = scene;
  const file = await addFile(server, customer, await makeMp4(1, 2), {
    ...{ name: 'spot.mp4', orientation: 'vertical', kind: 2 },
  });
  const ad = await addAd(customer, 'Ours', file.id);
  const own = await scene.ownDevice();
  const body = { devices: { ids: [own.device.id] } };
  const release = dataOf(await actor.calls.ads.release({ params: { id: ad.id }, body }));
  await scene.keepBack(release);
  const { name, orientation, split, updatedAt } = ad;
  const full = [{ kind: 'file' as const, fileId: file.id }];
  dataOf(
    await customer.calls.ads.update({
      params: { id: ad.id },
      body: { name: `${name} again`, orientation, split, regions: { full }, updatedAt },
    }),
  );
  expect(dataOf(await customer.calls.ads.updateDevices({ params: { id: ad.id }, body: {} }))).toEqual({
    devices: 0,
    releases: [],
  });
  await run(release);
  expect(await holds(own, release.id)).toBe(true);
});

test('a device gets the new version of an ad only, whose earlier one was on its way', async () => {
  const release = await unsent();
  const { calls } = scene.actor;
  const ad = await scene.ad();
  const { name, orientation, split, regions, updatedAt } = ad;
  const full = (regions.full ?? []).map(({ fileId }) => ({ kind: 'file' as const, fileId, seconds: 7 }));
  dataOf(
    await calls.ads.update({ params: { id: ad.id }, body: { name, orientation, split, regions: { full }, updatedAt } }),
  );
  const { releases, devices } = dataOf(await calls.ads.updateDevices({ params: { id: ad.id }, body: {} }));
  expect(devices).toBe(2);
  await run(release);
  expect(await scene.holders(release)).toEqual([]);
  const [renewed] = releases;
  expect(renewed && (await scene.holders(renewed))).toHaveLength(2);
});

test('more devices by id than a release may have are refused with what to do', async () => {
  const { id } = await scene.ad();
  const release = (count: number) => {
    const ids = Array.from({ length: count }, () => randomUUID());
    return scene.actor.calls.ads.release({ params: { id }, body: { devices: { ids } } });
  };
  // Devices that nobody has.
  expect((await release(RELEASE_DEVICES_MAX)).code).toBe(404);
  const fields = [
    { path: 'devices.ids', rule: 'release.ids', message: 'At most 25,000 devices by ID. Use a filter for more' },
  ];
  for (const count of [RELEASE_DEVICES_MAX + 1, 4 * RELEASE_DEVICES_MAX]) {
    expect(await release(count)).toMatchObject({ code: 400, error: 'INVALID', details: { fields } });
  }
});

test('a restored release does not continue to a device that another person cleared meanwhile', async () => {
  const release = await unsent();
  const { calls } = scene.actor;
  const params = { id: release.id };
  const [cleared = '', ...others] = await scene.deviceIds();
  dataOf(await calls.releases.withdraw({ params }));
  const admin = await server.login();
  dataOf(await admin.calls.batches.start({ body: { ids: [cleared], action: 'clear' } }));
  dataOf(await calls.releases.restore({ params }));
  await run(release);
  expect((await scene.read(release)).counts.total).toBe(others.length);
});
