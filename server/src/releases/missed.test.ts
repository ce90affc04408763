import type { Release } from '@ams/contract';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { report } from '../../test/scene.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const dealer = await server.createUser('leading');
const owner = await server.createUser('member', dealer);
const file = await addFile(server, owner, await makeMp4(), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
const ad = await addAd(owner, 'Spot', file.id);

type Player = Awaited<ReturnType<typeof pairedDevice>>;

const release = async (players: readonly Player[], stages?: readonly number[]): Promise<Release> => {
  const ids = players.map(({ device }) => device.id);
  const body = { devices: { ids }, ...(stages && { stages: stages.map((percent) => ({ percent })), goOnAt: 100 }) };
  return dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body }));
};

const countsOf = async ({ id }: Release, viewer: Session = owner) =>
  dataOf(await viewer.calls.releases.get({ params: { id } })).counts;

const statesOf = async ({ id }: Release) => {
  const { items } = dataOf(await owner.calls.releases.listDevices({ params: { id } }));
  return new Map(items.map(({ mac, state }) => [mac, state]));
};

const withdraw = async ({ id }: Release) => dataOf(await owner.calls.releases.withdraw({ params: { id } }));

test('a device that reports after a withdrawal does not count as one that had the release', async () => {
  const [one, other] = [await pairedDevice(server, owner), await pairedDevice(server, owner)];
  const sent = await release([one, other]);
  await report(one, 'done');
  const ended = await withdraw(sent);
  expect(ended.counts).toMatchObject({ total: 2, done: 1, missed: 1, waiting: 0 });
  await report(one, 'done');
  await report(other, 'done');
  expect(await countsOf(sent)).toMatchObject({ total: 2, done: 1, missed: 1, waiting: 0 });
  expect(await statesOf(sent)).toEqual(
    new Map([
      [one.mac, 'done'],
      [other.mac, 'missed'],
    ]),
  );
});

test('a step that never began is missed when its release is withdrawn', async () => {
  const players = [await pairedDevice(server, owner), await pairedDevice(server, owner)];
  const sent = await release(players, [50, 100]);
  expect(sent.counts).toMatchObject({ total: 2, waiting: 1, planned: 1 });
  expect((await withdraw(sent)).counts).toMatchObject({ total: 2, planned: 0, waiting: 0, missed: 2 });
  const back = dataOf(await owner.calls.releases.restore({ params: { id: sent.id } }));
  expect(back.counts).toMatchObject({ total: 2, waiting: 1, planned: 1, missed: 0 });
});

test('after an undone withdrawal, a device is done when it reports that it has the release again', async () => {
  const player = await pairedDevice(server, owner);
  const sent = await release([player]);
  await report(player, 'done');
  await withdraw(sent);
  await report(player, 'done');
  const back = dataOf(await owner.calls.releases.restore({ params: { id: sent.id } }));
  expect(back.counts).toMatchObject({ total: 1, done: 0, waiting: 1, missed: 0 });
  await report(player, 'done');
  expect(await countsOf(sent)).toMatchObject({ done: 1, waiting: 0 });
});

test('after an undone clearing, a device is done when it reports that it has the release again', async () => {
  const players = [await pairedDevice(server, owner), await pairedDevice(server, owner)];
  const [one, other] = players;
  if (!one || !other) throw new Error('there are two devices');
  const sent = await release(players, [50, 100]);
  const first = (await statesOf(sent)).get(one.mac) === 'waiting' ? one : other;
  const clear = dataOf(await owner.calls.batches.start({ body: { ids: [first.device.id], action: 'clear' } }));
  await report(first, 'done');
  dataOf(await owner.calls.batches.undo({ body: { undo: clear.undo ?? '' } }));
  // Otherwise the next step would begin without a device of this one that has it.
  expect(await countsOf(sent)).toMatchObject({ total: 2, done: 0, waiting: 1, planned: 1 });
  await report(first, 'done');
  await expect.poll(() => countsOf(sent)).toMatchObject({ done: 1, waiting: 1, planned: 0 });
});

test('a device from which a release was taken counts as one that had it only if it reported it before', async () => {
  const players = [await pairedDevice(server, owner), await pairedDevice(server, owner)];
  const [one, other] = players;
  const sent = await release(players);
  if (!one || !other) throw new Error('there are two devices');
  await report(one, 'done');
  for (const { device } of players) dataOf(await owner.calls.devices.clear({ params: { id: device.id } }));
  for (const player of players) await report(player, 'done');
  expect(await countsOf(sent)).toMatchObject({ total: 2, done: 1, missed: 1 });
});

test('a takeover that ended counts as ready the devices that were', async () => {
  const [one, other] = [await pairedDevice(server, owner), await pairedDevice(server, owner)];
  const body = { adId: ad.id, devices: { ids: [one.device.id, other.device.id] }, prepare: true };
  const { id } = dataOf(await dealer.calls.takeovers.create({ body }));
  const counts = async () => dataOf(await dealer.calls.takeovers.get({ params: { id } })).counts;
  await report(one, 'done');
  expect(await counts()).toMatchObject({ total: 2, ready: 1 });
  dataOf(await dealer.calls.takeovers.end({ params: { id } }));
  await report(one, 'done');
  await report(other, 'done');
  expect(await counts()).toMatchObject({ total: 2, ready: 1 });
});

test('a device that was cleared before a withdrawal was undone has still missed the release', async () => {
  const player = await pairedDevice(server, owner);
  const sent = await release([player, await pairedDevice(server, owner)]);
  await withdraw(sent);
  dataOf(await dealer.calls.devices.clear({ params: { id: player.device.id } }));
  await report(player, 'done');
  const back = dataOf(await owner.calls.releases.restore({ params: { id: sent.id } }));
  expect(back.counts).toMatchObject({ total: 1, waiting: 1 });
  await withdraw(sent);
  expect((await statesOf(sent)).get(player.mac)).toBe('missed');
});
