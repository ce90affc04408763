import type { DeviceChoice, GroupFilter } from '@ams/contract';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer({ AMS_CAPTCHA: 'off' });
const boss = await server.createUser('leading');
const member = await server.createUser('member', boss);
const stranger = await server.createUser('leading');
let made = 0;
const addDevice = async (owner: Session, tags: string[], area?: string): Promise<string> => {
  made += 1;
  const mac = `0e${made.toString(16).padStart(10, '0')}`;
  const adder = owner.user.role === 'leading' ? owner : boss;
  return dataOf(await adder.calls.devices.create({ body: { mac, ownerId: owner.user.id, tags, area } })).id;
};
const addGroup = async (owner: Session, filter: GroupFilter, bookable = false) =>
  dataOf(await owner.calls.groups.create({ body: { name: 'Group', filter, bookable } }));
const SPOT = { name: 'spot.mp4', orientation: 'vertical', kind: 2 } as const;
const newAd = async () => addAd(boss, 'Ad', (await addFile(server, boss, await makeMp4(), SPOT)).id);
const idsIn = async (session: Session, group: string) =>
  dataOf(await session.calls.devices.list({ query: { group, limit: 100 } }))
    .items.map(({ id }) => id)
    .toSorted();

test('the devices that match the filter are in the group, also those that match later', async () => {
  const group = await addGroup(boss, { tags: { all: ['Lyon'] } });
  expect(group).toMatchObject({ filter: { tags: { all: ['lyon'] } }, devices: 0, areas: [], bookable: false });
  const first = await addDevice(boss, ['lyon'], 'Lyon 2e');
  const second = await addDevice(member, [], 'Lyon 3e');
  const foreign = await addDevice(stranger, ['lyon']);
  expect(await idsIn(boss, group.id)).toEqual([first]);
  await member.calls.devices.update({ params: { id: second }, body: { tags: ['LYON'] } });
  expect(await idsIn(boss, group.id)).toEqual([first, second].toSorted());
  expect(await idsIn(boss, group.id)).not.toContain(foreign);
  expect(dataOf(await boss.calls.groups.get({ params: { id: group.id } }))).toMatchObject({
    devices: 2,
    areas: ['Lyon 2e', 'Lyon 3e'],
  });
});

test('a group has the devices of its owner, whoever uses it', async () => {
  const own = await addDevice(member, ['own']);
  await addDevice(boss, ['own']);
  const group = await addGroup(member, { tags: { all: ['own'] } });
  expect(await idsIn(boss, group.id)).toEqual([own]);
  const batch = await boss.calls.batches.start({ body: { group: group.id, action: 'tag', add: ['seen'] } });
  expect(dataOf(batch)).toMatchObject({ done: 1, failed: [] });
  const other = await member.calls.devices.list({ query: { group: group.id, q: 'nothing' } });
  expect(dataOf(other).items).toEqual([]);
});

test('a release goes to the devices of a group; an empty group is refused', async () => {
  const id = await addDevice(boss, ['release']);
  const ad = await newAd();
  const group = await addGroup(boss, { tags: { all: ['release'] } });
  const body = { devices: { group: group.id } };
  expect(dataOf(await boss.calls.ads.release({ params: { id: ad.id }, body })).counts.total).toBe(1);
  expect(dataOf(await boss.calls.devices.list({ query: { ad: ad.id } })).items.map((device) => device.id)).toEqual([
    id,
  ]);
  const empty = await addGroup(boss, { tags: { all: ['nowhere'] } });
  expect(await boss.calls.ads.release({ params: { id: ad.id }, body: { devices: { group: empty.id } } })).toMatchObject(
    {
      error: 'NO_DEVICES',
    },
  );
});

test('a release to devices that are chosen in two ways, or by an unknown name, is refused: it would reach more than meant', async () => {
  await addDevice(boss, ['meant']);
  const group = await addGroup(boss, { tags: { all: ['meant'] } });
  const { id } = await newAd();
  const choices = [
    { filter: { tag: ['meant'] } },
    { filter: { ownr: member.user.id } },
    { filter: {}, group: group.id },
    { filter: {}, ids: [] },
  ];
  // As callers send them that have no types.
  for (const devices of choices as unknown as DeviceChoice[]) {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await boss.calls.ads.release({ params: { id }, body: { devices } })).toMatchObject({ error: 'INVALID' });
    expect(await boss.calls.takeovers.create({ body: { adId: id, devices, until } })).toMatchObject({
      error: 'INVALID',
    });
  }
  expect(dataOf(await boss.calls.devices.list({ query: { ad: id } })).items).toEqual([]);
});

test('a group without conditions has every device of its owner, and a release to it goes to all that are there', async () => {
  const owner = await server.createUser('leading');
  const group = await addGroup(owner, {});
  expect(dataOf(await owner.calls.groups.get({ params: { id: group.id } })).devices).toBe(0);
  const add = async (mac: string) => dataOf(await owner.calls.devices.create({ body: { mac } })).id;
  const ids = [await add('0e0100000001'), await add('0e0100000002')];
  expect(await idsIn(owner, group.id)).toEqual(ids.toSorted());
  const ad = await addAd(owner, 'Ad', (await addFile(server, owner, await makeMp4(), SPOT)).id);
  const release = (standing: boolean) =>
    owner.calls.ads.release({ params: { id: ad.id }, body: { devices: { group: group.id }, standing } });
  expect(dataOf(await release(false)).counts.total).toBe(2);
  const { id } = dataOf(await release(true));
  await add('0e0100000003');
  expect(dataOf(await owner.calls.releases.get({ params: { id } })).counts.total).toBe(3);
});

test('groups of others cannot be seen, used, changed or deleted', async () => {
  const group = await addGroup(stranger, {});
  const params = { id: group.id };
  const ad = await newAd();
  const calls = [
    boss.calls.groups.get({ params }),
    boss.calls.groups.update({ params, body: { name: 'Mine' } }),
    boss.calls.groups.delete({ params }),
    boss.calls.devices.list({ query: { group: group.id } }),
    boss.calls.batches.start({ body: { group: group.id, action: 'restart' } }),
    boss.calls.batches.start({ body: { filter: { group: group.id }, action: 'restart' } }),
    boss.calls.ads.release({ params: { id: ad.id }, body: { devices: { group: group.id } } }),
  ];
  for (const answer of await Promise.all(calls)) expect(answer).toMatchObject({ code: 404, error: 'NOT_FOUND' });
  const names = dataOf(await boss.calls.groups.list({ query: { limit: 100 } })).items.map(({ id }) => id);
  expect(names).not.toContain(group.id);
});

test('users below see a bookable group with its size and areas, without its filter and devices', async () => {
  await addDevice(boss, ['book'], 'Nantes');
  const group = await addGroup(boss, { tags: { all: ['book'] } }, true);
  const seen = dataOf(await member.calls.groups.get({ params: { id: group.id } }));
  expect(seen).toMatchObject({ name: 'Group', filter: null, devices: 1, areas: ['Nantes'] });
  expect(await member.calls.devices.list({ query: { group: group.id } })).toMatchObject({ code: 404 });
  expect(await member.calls.groups.update({ params: { id: group.id }, body: { bookable: false } })).toMatchObject({
    code: 404,
  });
  expect(await stranger.calls.groups.get({ params: { id: group.id } })).toMatchObject({ code: 404 });
  dataOf(await boss.calls.groups.update({ params: { id: group.id }, body: { bookable: false } }));
  expect(await member.calls.groups.get({ params: { id: group.id } })).toMatchObject({ code: 404 });
});

test('name and filter are changed and found; a group refers to no other group', async () => {
  const group = await addGroup(boss, { tags: { any: ['a', 'b'], none: ['c'] } });
  const params = { id: group.id };
  const changed = await boss.calls.groups.update({
    params,
    body: { name: ' Shop windows ', filter: { online: false } },
  });
  expect(dataOf(changed)).toMatchObject({ name: 'Shop windows', filter: { online: false } });
  const found = dataOf(await boss.calls.groups.list({ query: { q: 'shop win' } })).items;
  expect(found.map(({ id }) => id)).toEqual([group.id]);
  const body: unknown = { name: 'Nested', filter: { group: group.id } };
  const nested = await fetch(`${server.url}/api/groups`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${boss.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(nested.status).toBe(400);
  expect(await boss.calls.groups.create({ body: { name: ' ', filter: {} } })).toMatchObject({
    details: { fields: [{ path: 'name', rule: 'name.required' }] },
  });
  expect(dataOf(await boss.calls.groups.delete({ params }))).toBeNull();
  expect(await boss.calls.groups.delete({ params })).toMatchObject({ code: 404 });
});

test('the filter of a group that somebody else changed since it was read stays as it is', async () => {
  const read = await addGroup(boss, { area: 'North', tags: { all: ['seen'] } });
  const params = { id: read.id };
  const seen = read.filter ?? {};
  const change = (filter: GroupFilter) => boss.calls.groups.update({ params, body: { filter, seen } });
  expect(dataOf(await change({ area: 'South' })).filter).toEqual({ area: 'South' });
  expect(await change({ area: 'East' })).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
  // The same once more, because the first answer was lost.
  expect(dataOf(await change({ area: 'South' })).filter).toEqual({ area: 'South' });
  expect(dataOf(await boss.calls.groups.update({ params, body: { filter: { area: 'West' } } })).filter).toEqual({
    area: 'West',
  });
});
