import type { Release } from '@ams/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Bystanders, gatherBystanders, holds, report, Scene } from '../../test/scene.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Data that are removed when devices get another owner. */
const server = await startTestServer();

let bystanders: Bystanders;
let scene: Scene;
beforeAll(async () => {
  bystanders = await gatherBystanders(server);
});
beforeEach(async () => {
  scene = await Scene.begin(server, bystanders);
});

/** Gives the first device of the scene to a customer of another dealer; answers it. */
type HandOver = (id: string) => Promise<void>;
const HAND_OVERS: Record<string, HandOver> = {
  'a change of its owner': async (id) => {
    const body = { ownerId: bystanders.buyer.user.id };
    dataOf(await bystanders.root.calls.devices.update({ params: { id }, body }));
  },
  'a batch': async (id) => {
    const body = { ids: [id], action: 'reassign' as const, ownerId: bystanders.buyer.user.id };
    expect(dataOf(await bystanders.root.calls.batches.start({ body })).done).toBe(1);
  },
};

/** The same ad as somebody above the new owner sends it. */
const releaseFromAbove = async (ids: string[]): Promise<Release> => {
  const { name, orientation, split, regions } = await scene.ad();
  const { calls, user } = bystanders.root;
  const items = (regions.full ?? []).map(({ fileId }) => ({ kind: 'file' as const, fileId }));
  const body = { name, orientation, split, regions: { full: items }, ownerId: user.id };
  const ad = dataOf(await calls.ads.create({ body }));
  return dataOf(await calls.ads.release({ params: { id: ad.id }, body: { devices: { ids }, replace: false } }));
};

describe.each(Object.entries(HAND_OVERS))('a device that gets another owner by %s', (_, handOver) => {
  test('stops playing releases of former users and continues those of users above both', async () => {
    const [moved, kept] = await scene.devices();
    if (!moved || !kept) throw new Error('the scene has two devices');
    const theirs = await scene.release();
    const above = await releaseFromAbove([moved.device.id]);
    await handOver(moved.device.id);
    expect(await holds(moved, theirs.id)).toBe(false);
    expect(await holds(moved, above.id)).toBe(true);
    expect(await holds(kept, theirs.id)).toBe(true);
  });

  test('is not shown to the former people any more, by any list', async () => {
    const [moved] = await scene.devices();
    if (!moved) throw new Error('the scene has devices');
    const { id } = await scene.release();
    await handOver(moved.device.id);
    const { calls } = scene.actor;
    const shown = dataOf(await calls.releases.listDevices({ params: { id } })).items.map((device) => device.mac);
    expect(shown).toHaveLength(1);
    expect(shown).not.toContain(moved.mac);
    expect(dataOf(await calls.releases.get({ params: { id } })).counts.total).toBe(1);
    expect(dataOf(await calls.releases.list({ query: { device: moved.device.id } })).items).toEqual([]);
    expect(dataOf(await calls.ads.list()).items[0]?.devices).toBe(1);
    // Nor once the release is history.
    dataOf(await calls.releases.withdraw({ params: { id } }));
    expect(dataOf(await calls.releases.get({ params: { id } })).counts.total).toBe(1);
    const left = dataOf(await calls.releases.listDevices({ params: { id } })).items;
    expect(left.map((device) => device.mac)).not.toContain(moved.mac);
  });

  test('does not name what it still shows of the time before', async () => {
    const [moved] = await scene.devices();
    if (!moved) throw new Error('the scene has devices');
    const { id } = moved.device;
    const release = await scene.release();
    const { version, files } = await moved.manifest();
    const main = { releaseId: release.id, sha256: files[0]?.sha256 };
    const download = { state: 'done' as const, doneBytes: 1, totalBytes: 1 };
    const reportShown = () =>
      moved.calls.player.status({ body: { manifestVersion: version, download, playing: { main } } });
    dataOf(await reportShown());
    const shownTo = async ({ calls }: Session) => dataOf(await calls.devices.get({ params: { id } })).playing.main;
    const ad = { id: release.ad.id, name: release.ad.name };
    expect(await shownTo(scene.customer)).toMatchObject({ ad, poster: expect.any(String) });
    await handOver(id);
    // Before it has learnt that the release was withdrawn.
    dataOf(await reportShown());
    expect(await shownTo(bystanders.buyer)).toMatchObject({ ad: null, poster: null });
  });

  test('brings neither pictures nor commands of the time before', async () => {
    const [moved] = await scene.devices();
    const id = moved?.device.id ?? '';
    const { db } = server.deps;
    dataOf(await scene.actor.calls.batches.start({ body: { ids: [id], action: 'restart' } }));
    await db
      .insertInto('screenshots')
      .values({ device_id: id, screen: 'main', picture: Buffer.from('x'), taken_at: new Date() })
      .execute();
    await handOver(id);
    expect(await db.selectFrom('device_commands').selectAll().where('device_id', '=', id).execute()).toEqual([]);
    expect(dataOf(await bystanders.buyer.calls.devices.get({ params: { id } })).screenshotAt).toEqual({});
  });
});

test('a release that loses its last device is withdrawn', async () => {
  const { id } = await scene.release();
  for (const { device } of await scene.devices()) await HAND_OVERS['a batch']?.(device.id);
  expect(dataOf(await scene.actor.calls.releases.get({ params: { id } })).withdrawnAt).not.toBeNull();
});

test('devices of a deleted user keep playing the releases that the superior inherits', async () => {
  const release = await scene.release();
  dataOf(await bystanders.root.calls.users.delete({ params: { id: scene.actor.user.id } }));
  dataOf(await bystanders.root.calls.users.delete({ params: { id: scene.customer.user.id } }));
  expect(await scene.holders(release)).toHaveLength(2);
  const left = dataOf(await bystanders.root.calls.releases.get({ params: { id: release.id } }));
  expect(left).toMatchObject({ withdrawnAt: null, operator: { id: bystanders.root.user.id }, counts: { total: 2 } });
});

const LOSSES = {
  operatorDisabled: (id: string) =>
    bystanders.root.calls.users.update({ params: { id }, body: { disabled: true, remark: 'left' } }),
  operatorDemoted: (id: string) => bystanders.root.calls.users.update({ params: { id }, body: { role: 'member' } }),
  operatorDeleted: (id: string) => bystanders.root.calls.users.delete({ params: { id } }),
};

describe.each(Object.entries(LOSSES))('a rollout pauses with the reason %s', (reason, lose) => {
  test('until a user that has all its devices in scope resumes it and becomes responsible', async () => {
    const sent = await scene.release({ stages: [{ percent: 50 }, { percent: 100 }] });
    const params = { id: sent.id };
    const { calls } = bystanders.root;
    await lose(scene.actor.user.id);
    expect(dataOf(await calls.releases.get({ params })).rollout).toMatchObject({ state: 'paused', reason, stage: 0 });
    for (const device of await scene.holders(sent)) await report(device, 'done');
    const { items } = dataOf(await calls.users.listAudit({ query: { limit: 5 } }));
    expect(items).toContainEqual(
      expect.objectContaining({ action: 'releases.pause', targetId: sent.id, details: { reason } }),
    );
    const on = dataOf(await calls.releases.resume({ params, body: { stage: 0 } }));
    expect(on).toMatchObject({ operator: { id: bystanders.root.user.id }, rollout: { reason: null, stage: 1 } });
    expect(await scene.holders(sent)).toHaveLength(2);
  });
});

test('a user without all devices of a rollout in scope cannot resume it', async () => {
  const { calls } = bystanders.root;
  const { name, orientation, split, regions } = await scene.ad();
  const items = (regions.full ?? []).map(({ fileId }) => ({ kind: 'file' as const, fileId }));
  const ad = dataOf(
    await calls.ads.create({
      body: { name, orientation, split, regions: { full: items }, ownerId: bystanders.buyer.user.id },
    }),
  );
  const devices = { ids: await scene.deviceIds() };
  const body = { devices, stages: [{ percent: 50 }, { percent: 100 }] };
  const { id } = dataOf(await calls.ads.release({ params: { id: ad.id }, body }));
  const theirs = bystanders.buyer.calls.releases;
  expect(dataOf(await theirs.get({ params: { id } })).counts.total).toBe(0);
  expect(dataOf(await theirs.listDevices({ params: { id } })).items).toEqual([]);
  dataOf(await theirs.pause({ params: { id } }));
  expect(await theirs.resume({ params: { id }, body: { stage: 0 } })).toMatchObject({ error: 'NOT_FOUND' });
});
