import { randomUUID } from 'node:crypto';
import type { DeviceFilter, GroupFilter } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { makeDevice, pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const boss = await server.createUser('leading');
const member = await server.createUser('member', boss);
const other = await server.createUser('member', boss);
const SPOT = { name: 'spot.mp4', orientation: 'vertical', kind: 2 } as const;
const file = await addFile(server, boss, await makeMp4(), SPOT);
const newAd = (name = 'Ad') => addAd(boss, name, file.id);

let made = 0;
const addDevice = async (owner: Session, tags: string[] = [], area?: string): Promise<string> => {
  made += 1;
  const mac = `0a${made.toString(16).padStart(10, '0')}`;
  return dataOf(await boss.calls.devices.create({ body: { mac, ownerId: owner.user.id, tags, area } })).id;
};
const addGroup = async (filter: GroupFilter, owner = boss) =>
  dataOf(await owner.calls.groups.create({ body: { name: 'Group', filter } }));
const stand = async (devices: { filter: DeviceFilter } | { group: string }, by = boss, ad?: string) =>
  dataOf(await by.calls.ads.release({ params: { id: ad ?? (await newAd()).id }, body: { devices, standing: true } }));
const tag = async (id: string, ...tags: string[]) =>
  dataOf(await boss.calls.devices.update({ params: { id }, body: { tags } }));
/** The releases that a device should play, as its manifest has them. */
const heldBy = async (id: string): Promise<string[]> =>
  dataOf(await boss.calls.releases.list({ query: { device: id, active: 'true', limit: 100 } })).items.map(
    (release) => release.id,
  );
const devicesOf = async (id: string): Promise<string[]> =>
  dataOf(await boss.calls.releases.listDevices({ params: { id }, query: { limit: 100 } }))
    .items.map((device) => device.id)
    .toSorted();

test('a device that begins to match gets a standing release, one that no longer matches loses it', async () => {
  const first = await addDevice(boss, ['lyon']);
  const second = await addDevice(member);
  const release = await stand({ filter: { tags: { all: ['lyon'] } } });
  expect(release).toMatchObject({
    standing: true,
    target: { group: null, filter: { tags: { all: ['lyon'] } } },
    counts: { total: 1 },
  });
  await tag(second, 'LYON');
  expect(await devicesOf(release.id)).toEqual([first, second].toSorted());
  await tag(first);
  expect(await devicesOf(release.id)).toEqual([second]);
  await tag(second);
  const empty = dataOf(await boss.calls.releases.get({ params: { id: release.id } }));
  expect(empty).toMatchObject({ withdrawnAt: null, standing: true, counts: { total: 0 } });
  await tag(first, 'lyon');
  expect(await heldBy(first)).toEqual([release.id]);
});

test('the manifest has it at once, and what played before comes back', async () => {
  const player = makeDevice(server);
  const { code } = await player.enrol();
  const { id } = dataOf(await boss.calls.devices.pair({ body: { mac: player.mac, code } }));
  const usual = dataOf(
    await boss.calls.ads.release({ params: { id: (await newAd()).id }, body: { devices: { ids: [id] } } }),
  );
  const release = await stand({ filter: { tags: { any: ['manifest'] } } });
  const held = async () => (await player.manifest()).screens.main.map(({ releaseId }) => releaseId);
  expect(await held()).toEqual([usual.id]);
  await tag(id, 'manifest');
  expect(await held()).toContain(release.id);
  await tag(id);
  expect(await held()).toEqual([usual.id]);
  expect((await player.manifest()).withdrawn).toContain(release.id);
});

test('plays before a device lost a standing release count also if they are reported after it got it back', async () => {
  const { device, calls } = await pairedDevice(server, boss);
  await tag(device.id, 'late');
  const { id: releaseId } = await stand({ filter: { tags: { any: ['late'] } } });
  await sql`
    update release_devices set started_at = now() - interval '3 hours' where release_id = ${releaseId}`.execute(
    server.deps.db,
  );
  await tag(device.id);
  await tag(device.id, 'late');
  const at = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const body = {
    batch: randomUUID(),
    plays: [{ releaseId, sha256: file.sha256, at, durationMs: 1000, screen: 'main' as const }],
  };
  expect(dataOf(await calls.player.plays({ body }))).toMatchObject({ accepted: 1, rejected: 0 });
});

test('a standing release may have no devices yet; ids and passing conditions are refused', async () => {
  const { id } = await newAd();
  const release = (body: object) =>
    fetch(`${server.url}/api/ads/${id}/release`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${boss.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then(async (response): Promise<unknown> => response.json());
  expect(await release({ devices: { ids: [await addDevice(boss)] }, standing: true })).toMatchObject({
    code: 400,
    details: { fields: [{ path: 'standing', rule: 'standing.ids' }] },
  });
  for (const filter of [
    { online: true },
    { download: 'failed' },
    { expiry: 'expired' },
    { ad: id },
    { releasedAd: id },
  ]) {
    expect(await release({ devices: { filter }, standing: true })).toMatchObject({
      error: 'STANDING_FILTER',
      details: { conditions: Object.keys(filter) },
    });
  }
  const group = await addGroup({ online: true });
  expect(await release({ devices: { group: group.id }, standing: true })).toMatchObject({ error: 'STANDING_FILTER' });
  const nowhere = await addGroup({ tags: { all: ['nowhere'] } });
  expect(await release({ devices: { group: nowhere.id } })).toMatchObject({ error: 'NO_DEVICES' });
  const standing = await stand({ group: nowhere.id }, boss, id);
  expect(standing).toMatchObject({ counts: { total: 0 }, target: { group: { id: nowhere.id, name: 'Group' } } });
});

test('a group in use follows its filter and cannot be deleted', async () => {
  const paris = await addDevice(boss, [], 'Paris');
  const nice = await addDevice(boss, [], 'Nice');
  const group = await addGroup({ area: 'paris' });
  const params = { id: group.id };
  const release = await stand({ group: group.id });
  expect(await devicesOf(release.id)).toEqual([paris]);
  dataOf(await boss.calls.groups.update({ params, body: { filter: { area: 'NICE' } } }));
  expect(await devicesOf(release.id)).toEqual([nice]);
  expect(await boss.calls.groups.update({ params, body: { filter: { online: false } } })).toMatchObject({
    error: 'STANDING_FILTER',
  });
  expect(await boss.calls.groups.delete({ params })).toMatchObject({
    code: 409,
    error: 'GROUP_IN_USE',
    details: { releases: ['Ad'] },
  });
  dataOf(await boss.calls.releases.withdraw({ params: { id: release.id } }));
  expect(dataOf(await boss.calls.groups.delete({ params }))).toBeNull();
});

test('a group that is deleted while a release is made standing on it keeps the release, or there is none', async () => {
  const { id: ad } = await newAd();
  for (let round = 0; round < 8; round += 1) {
    const { id } = await addGroup({ tags: { all: ['race'] } });
    const [released, deleted] = await Promise.all([
      boss.calls.ads.release({ params: { id: ad }, body: { devices: { group: id }, standing: true } }),
      boss.calls.groups.delete({ params: { id } }),
    ]);
    const standing = dataOf(await boss.calls.releases.list({ query: { group: id, limit: 100 } })).items;
    if (released.error === undefined) {
      expect(deleted).toMatchObject({ code: 409, error: 'GROUP_IN_USE' });
      expect(standing.map((release) => release.id)).toEqual([released.data.id]);
    } else {
      expect(released).toMatchObject({ code: 404 });
      expect([deleted.code, standing]).toEqual([200, []]);
    }
  }
});

test('a group with further conditions stands on both, follows the group and survives a new version of the ad', async () => {
  const both = await addDevice(boss, ['shop'], 'Bordeaux');
  const ofGroup = await addDevice(boss, [], 'Bordeaux');
  const tagged = await addDevice(boss, ['shop'], 'Lille');
  const group = await addGroup({ area: 'bordeaux' });
  const ad = await newAd();
  const filter = { group: group.id, tags: { all: ['shop'] } };
  const release = await stand({ filter }, boss, ad.id);
  expect(release).toMatchObject({
    counts: { total: 1 },
    target: { group: { id: group.id }, filter: { area: 'bordeaux' }, further: { tags: { all: ['shop'] } } },
  });
  expect(await devicesOf(release.id)).toEqual([both]);
  await tag(ofGroup, 'shop');
  await tag(both);
  expect(await devicesOf(release.id)).toEqual([ofGroup]);
  dataOf(await boss.calls.groups.update({ params: { id: group.id }, body: { filter: { area: 'lille' } } }));
  expect(await devicesOf(release.id)).toEqual([tagged]);
  const body = { filter: { ...filter, online: true } };
  expect(
    await boss.calls.ads.release({ params: { id: ad.id }, body: { devices: body, standing: true } }),
  ).toMatchObject({ error: 'STANDING_FILTER', details: { conditions: ['online'] } });
  expect(await boss.calls.groups.delete({ params: { id: group.id } })).toMatchObject({ error: 'GROUP_IN_USE' });

  const params = { id: ad.id };
  const { id: _id, owner: _owner, ...content } = ad;
  dataOf(await boss.calls.ads.update({ params, body: { ...content, name: 'Newer' } }));
  const [renewed] = dataOf(await boss.calls.ads.updateDevices({ params, body: {} })).releases;
  await tag(both, 'shop');
  dataOf(await boss.calls.groups.update({ params: { id: group.id }, body: { filter: { area: 'bordeaux' } } }));
  expect(await devicesOf(renewed?.id ?? '')).toEqual([both, ofGroup].toSorted());
  await tag(both);
  expect(await devicesOf(renewed?.id ?? '')).toEqual([ofGroup]);
});

test('withdrawing ends it, restoring resumes it with the devices that match then', async () => {
  const first = await addDevice(boss, ['back']);
  const second = await addDevice(boss);
  const release = await stand({ filter: { tags: { all: ['back'] } } });
  const params = { id: release.id };
  dataOf(await boss.calls.releases.withdraw({ params }));
  await tag(first);
  await tag(second, 'back');
  expect(await heldBy(second)).toEqual([]);
  expect(dataOf(await boss.calls.releases.restore({ params })).counts.total).toBe(1);
  expect(await devicesOf(release.id)).toEqual([second]);
  await tag(first, 'back');
  expect(await devicesOf(release.id)).toEqual([first, second].toSorted());
});

test('a release that is restored after its group got a passing condition is back on its devices, and on no others', async () => {
  const [had, later] = [await addDevice(boss, ['passing']), await addDevice(boss)];
  const group = await addGroup({ tags: { all: ['passing'] } });
  const release = await stand({ group: group.id });
  const params = { id: release.id };
  dataOf(await boss.calls.releases.withdraw({ params }));
  dataOf(await boss.calls.groups.update({ params: { id: group.id }, body: { filter: { online: true } } }));
  expect(dataOf(await boss.calls.releases.restore({ params }))).toMatchObject({ standing: false, target: null });
  expect(await devicesOf(release.id)).toEqual([had]);
  await tag(later, 'passing');
  expect(await devicesOf(release.id)).toEqual([had]);
  dataOf(await boss.calls.groups.update({ params: { id: group.id }, body: { filter: { online: false } } }));
});

test('a device that changes its owner loses the release of the one and gets that of the other', async () => {
  const id = await addDevice(member, ['moves']);
  const filter = { tags: { all: ['moves'] } };
  const ads = await Promise.all(
    [member, other].map(async (owner) => {
      const own = await addFile(server, owner, await makeMp4(), SPOT);
      return addAd(owner, 'Own', own.id);
    }),
  );
  const [mine, theirs] = [await stand({ filter }, member, ads[0]?.id), await stand({ filter }, other, ads[1]?.id)];
  expect(await heldBy(id)).toEqual([mine.id]);
  dataOf(await boss.calls.devices.update({ params: { id }, body: { ownerId: other.user.id } }));
  expect(await heldBy(id)).toEqual([theirs.id]);
  const batch = dataOf(
    await boss.calls.batches.start({ body: { ids: [id], action: 'reassign', ownerId: member.user.id } }),
  );
  expect(await heldBy(id)).toEqual([mine.id]);
  dataOf(await boss.calls.batches.undo({ body: { undo: batch.undo ?? '' } }));
  expect(await heldBy(id)).toEqual([theirs.id]);
});

test('a device that was cleared gets the release again only after it ceased to match', async () => {
  const id = await addDevice(boss, ['clear']);
  const release = await stand({ filter: { tags: { all: ['clear'] } } });
  dataOf(await boss.calls.devices.clear({ params: { id } }));
  await tag(id, 'clear', 'more');
  expect(await heldBy(id)).toEqual([]);
  await tag(id);
  await tag(id, 'clear');
  expect(await heldBy(id)).toEqual([release.id]);
});

test('adding, batches and their undoing change what devices have', async () => {
  const release = await stand({ filter: { tags: { all: ['batch'], none: ['never'] } } });
  const ids = [await addDevice(member), await addDevice(other), await addDevice(boss, ['never'])];
  const batch = dataOf(await boss.calls.batches.start({ body: { ids, action: 'tag', add: ['batch'] } }));
  expect(await devicesOf(release.id)).toEqual(ids.slice(0, 2).toSorted());
  const added = await addDevice(boss, ['batch']);
  expect(await heldBy(added)).toEqual([release.id]);
  dataOf(await boss.calls.batches.undo({ body: { undo: batch.undo ?? '' } }));
  expect(await devicesOf(release.id)).toEqual([added]);
});

test('a disabled user gives its releases to no further device until it is enabled', async () => {
  const user = await server.createUser('member', boss);
  const own = await addFile(server, user, await makeMp4(), SPOT);
  const release = await stand({ filter: { tags: { all: ['idle'] } } }, user, (await addAd(user, 'Own', own.id)).id);
  const first = await addDevice(user, ['idle']);
  const params = { id: user.user.id };
  dataOf(await boss.calls.users.update({ params, body: { disabled: true, remark: 'away' } }));
  const second = await addDevice(user, ['idle']);
  await tag(first, 'idle', 'more');
  expect(await devicesOf(release.id)).toEqual([first]);
  dataOf(await boss.calls.users.update({ params, body: { disabled: false } }));
  expect(await devicesOf(release.id)).toEqual([first, second].toSorted());
  dataOf(await boss.calls.users.delete({ params }));
  expect(dataOf(await boss.calls.releases.get({ params: { id: release.id } }))).toMatchObject({
    standing: false,
    counts: { total: 2 },
  });
});

test('devices of a release in steps that match later get it at once', async () => {
  const ids = await Promise.all(Array.from({ length: 4 }, () => addDevice(boss, ['steps'])));
  const { id: ad } = await newAd();
  const body = {
    devices: { filter: { tags: { all: ['steps'] } } },
    standing: true,
    stages: [{ percent: 25 }, { percent: 100 }],
  };
  const release = dataOf(await boss.calls.ads.release({ params: { id: ad }, body }));
  expect(release.counts).toMatchObject({ total: 4, planned: 3 });
  const late = await addDevice(boss, ['steps']);
  const after = dataOf(await boss.calls.releases.get({ params: { id: release.id } }));
  expect(after.counts).toMatchObject({ total: 5, planned: 3, waiting: 2 });
  expect(after.rollout?.stages.map(({ total }) => total)).toEqual([1, 3]);
  await Promise.all([late, ...ids].map((id) => tag(id)));
  expect(await devicesOf(release.id)).toEqual([]);
});

test('the new version of an ad takes over the devices of its standing release', async () => {
  const first = await addDevice(boss, ['version']);
  const cleared = await addDevice(boss, ['version']);
  const ad = await newAd();
  const old = await stand({ filter: { tags: { all: ['version'] } } }, boss, ad.id);
  dataOf(await boss.calls.devices.clear({ params: { id: cleared } }));
  const { id: _id, owner: _owner, ...content } = ad;
  dataOf(await boss.calls.ads.update({ params: { id: ad.id }, body: { ...content, name: 'Newer' } }));
  const [renewed] = dataOf(await boss.calls.ads.updateDevices({ params: { id: ad.id }, body: {} })).releases;
  expect(renewed).toMatchObject({ standing: true });
  const second = await addDevice(boss, ['version']);
  await tag(cleared, 'version', 'more');
  expect(await devicesOf(renewed?.id ?? '')).toEqual([first, second].toSorted());
  expect(dataOf(await boss.calls.releases.get({ params: { id: old.id } }))).toMatchObject({ standing: false });
  expect(dataOf(await boss.calls.releases.get({ params: { id: old.id } })).withdrawnAt).not.toBeNull();
});

test('two operators who tag the same devices at once leave them with what they match', async () => {
  const release = await stand({ filter: { tags: { all: ['one', 'two'] } } });
  const ids = await Promise.all(Array.from({ length: 20 }, () => addDevice(member)));
  const add = (by: Session, ...tags: string[]) =>
    by.calls.batches.start({ body: { ids, action: 'tag', add: tags } }).then(dataOf);
  await Promise.all([add(boss, 'one'), add(member, 'two'), stand({ filter: { tags: { all: ['two'] } } })]);
  expect(await devicesOf(release.id)).toEqual(ids.toSorted());
  for (const id of ids) expect(await heldBy(id)).toHaveLength(2);
});
