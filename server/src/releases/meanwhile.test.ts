import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { meanwhile, untilWaiting } from '../../test/meanwhile.ts';
import { type Bystanders, gatherBystanders, holds, Scene } from '../../test/scene.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Releases while somebody gives their devices to another customer of the dealer, or deletes their ad. */
const server = await startTestServer();
const { db } = server.deps;

let bystanders: Bystanders | undefined;
let scene: Scene;
let other: Session;
beforeEach(async () => {
  bystanders ??= await gatherBystanders(server);
  scene = await Scene.begin(server, bystanders);
  other = await server.createUser('member', scene.actor);
  await scene.ad();
});

/** What a call answers during which the first device is given to the other customer. */
async function whileMoving<T>(call: () => Promise<T>): Promise<T> {
  const [id] = await scene.deviceIds();
  return meanwhile(db, {
    hold: sql`select from devices where id = ${id} for update`,
    call,
    change: sql`update devices set owner_id = ${other.user.id} where id = ${id}`,
  });
}

test.each(['ids', 'filter'] as const)('a release to devices by %s reaches one that moves meanwhile', async (by) => {
  const ids = await scene.deviceIds();
  const devices = by === 'ids' ? { ids } : { filter: {} };
  const release = await whileMoving(() => scene.release({ devices }));
  expect(release.counts.total).toBe(ids.length);
  expect(await scene.holders(release)).toHaveLength(ids.length);
});

test('a newer version of an ad reaches a device that moves meanwhile', async () => {
  await scene.release();
  const { calls } = scene.actor;
  const { id, name, orientation, split, regions, updatedAt } = await scene.ad();
  const fileId = regions.full?.[0]?.fileId ?? '';
  const body = { name, orientation, split, regions: { full: [{ kind: 'file' as const, fileId, seconds: 20 }] } };
  dataOf(await calls.ads.update({ params: { id }, body: { ...body, updatedAt } }));
  const { devices, releases } = dataOf(await whileMoving(() => calls.ads.updateDevices({ params: { id }, body: {} })));
  expect(devices).toBe(2);
  for (const device of await scene.devices()) expect(await holds(device, releases[0]?.id ?? '')).toBe(true);
});

const deleteAd = async () => scene.actor.calls.ads.delete({ params: { id: (await scene.ad()).id } }).then(dataOf);

test('a release whose ad was deleted is not restored', async () => {
  const { id } = await scene.release();
  const { calls } = scene.actor;
  dataOf(await calls.releases.withdraw({ params: { id } }));
  await deleteAd();
  expect(await calls.releases.restore({ params: { id } })).toMatchObject({ error: 'UNDO_OVER' });
});

test('a release whose ad is deleted meanwhile is not restored', async () => {
  const { id, ad } = await scene.release();
  const { calls } = scene.actor;
  dataOf(await calls.releases.withdraw({ params: { id } }));
  const answer = await meanwhile(db, {
    hold: sql`select from ads where id = ${ad.id} for update`,
    call: () => calls.releases.restore({ params: { id } }),
    change: sql`delete from ads where id = ${ad.id}`,
  });
  expect(answer).toMatchObject({ error: 'UNDO_OVER' });
});

test('undoing a clear does not bring back a release whose ad was deleted', async () => {
  const release = await scene.release();
  const ids = await scene.deviceIds();
  const { calls } = scene.actor;
  const { undo = '' } = dataOf(await calls.batches.start({ body: { ids, action: 'clear' } }));
  await deleteAd();
  expect(dataOf(await calls.batches.undo({ body: { undo } })).done).toBe(0);
  expect(await scene.holders(release)).toEqual([]);
});

test('releases that end together are held in the order of their ids', async () => {
  const [first, second] = [await scene.release(), await scene.release()];
  await meanwhile(db, {
    hold: sql`select from releases where id = ${first.id} for update`,
    call: deleteAd,
    change: sql`
      with free as (select from releases where id = ${second.id} for update skip locked)
      update releases set ad_name = 'free' where id = ${first.id} and exists (select from free)`,
  });
  const row = db.selectFrom('releases').select('ad_name').where('id', '=', first.id);
  expect(await row.executeTakeFirst()).toEqual({ ad_name: 'free' });
});

/** Orders for all devices of the dealer. */
const ORDERS: Record<string, () => Promise<{ counts: { total: number } }>> = {
  'a release in steps': () => scene.release({ devices: { filter: {} }, stages: [{ percent: 1 }, { percent: 100 }] }),
  'a takeover': async () => {
    const body = { adId: (await scene.ad()).id, devices: { filter: {} }, minutes: 5 };
    return dataOf(await scene.actor.calls.takeovers.create({ body }));
  },
};

test.each(Object.entries(ORDERS))('%s reaches the other devices when one is deleted meanwhile', async (_what, call) => {
  const [first, second] = await scene.devices();
  // The first step has the one that is online.
  await sql`update devices set lease = (select id from server_processes) where id = ${first?.device.id}`.execute(db);
  const id = second?.device.id;
  const { counts } = await meanwhile(db, {
    hold: sql`select from devices where id = ${id} for update`,
    call,
    change: sql`delete from devices where id = ${id}`,
  });
  expect(counts.total).toBe(1);
});

test('a group gets another filter while a device that matches it is deleted', async () => {
  const [id] = await scene.deviceIds();
  const { calls } = scene.actor;
  const filter = { tags: { any: ['nowhere'] } };
  const { id: group } = dataOf(await calls.groups.create({ body: { name: 'Halls', filter } }));
  const release = await scene.release({ devices: { group }, standing: true });
  const answer = await meanwhile(db, {
    hold: sql`select from devices where id = ${id} for update`,
    call: () => calls.groups.update({ params: { id: group }, body: { filter: {} } }),
    change: sql`delete from devices where id = ${id}`,
  });
  expect(answer.code).toBe(200);
  const [, second] = await scene.devices();
  expect(second && (await holds(second, release.id))).toBe(true);
});

test('a release that comes while its devices are cleared one by one ends with the last of them', async () => {
  const { id } = await scene.release();
  const ids = await scene.deviceIds();
  const clear = (device: string) => scene.actor.calls.devices.clear({ params: { id: device } }).then(dataOf);
  const { rows: had } = await sql<{ device_id: string; revision: number }>`
    delete from release_devices where release_id = ${id} returning device_id, revision`.execute(db);
  const { cleared } = await db.transaction().execute(async (last) => {
    // Both have taken the release back before either of them is done.
    await sql`select from device_revisions where device_id = any(${ids}::uuid[]) for update`.execute(last);
    const begun = await db.transaction().execute(async (trx) => {
      await sql`select from devices where id = any(${ids}::uuid[]) for no key update`.execute(trx);
      const both = Promise.all(ids.map(clear));
      await untilWaiting(db, 2);
      for (const { device_id: device, revision } of had) {
        await sql`
          insert into release_devices (release_id, device_id, revision) values (${id}, ${device}, ${revision})`.execute(
          trx,
        );
      }
      return { both };
    });
    await untilWaiting(db, 2);
    return { cleared: begun.both };
  });
  await cleared;
  expect(dataOf(await scene.actor.calls.releases.get({ params: { id } })).withdrawnAt).not.toBeNull();
});

test('a release in steps holds the devices of all steps in the order of their ids', async () => {
  const [first, second] = (await scene.deviceIds()).toSorted();
  await sql`update devices set lease = (select id from server_processes) where id = ${second}`.execute(db);
  await meanwhile(db, {
    hold: sql`select from devices where id = ${first} for update`,
    call: () => scene.release({ stages: [{ percent: 1 }, { percent: 100 }] }),
    change: sql`
      with free as (select from devices where id = ${second} for update skip locked)
      update devices set name = 'free' where id = ${first} and exists (select from free)`,
  });
  const row = db
    .selectFrom('devices')
    .select('name')
    .where('id', '=', first ?? '');
  expect(await row.executeTakeFirst()).toEqual({ name: 'free' });
});
