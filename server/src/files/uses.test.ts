import { beforeAll, expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
let dealer: Session;
let customer: Session;
let file: string;

beforeAll(async () => {
  dealer = await server.createUser('leading');
  customer = await server.createUser('member', dealer);
  const place = { name: 'spot.mp4', orientation: 'vertical', kind: 2 } as const;
  file = (await addFile(server, customer, await makeMp4(1, 2), place)).id;
});

const makeAd = async (name: string) => {
  const regions = { full: [{ kind: 'file' as const, fileId: file }] };
  return dataOf(await customer.calls.ads.create({ body: { name, orientation: 'vertical', split: 'full', regions } }));
};

test('a file shows its ads, live releases and devices, an ad its devices with their state', async () => {
  const unused = await makeAd('Draft');
  const live = await makeAd('Live');
  const players = [await pairedDevice(server, customer), await pairedDevice(server, customer)];
  const ids = players.map(({ device }) => device.id);
  const release = (devices: string[], over: object = {}) =>
    customer.calls.ads.release({ params: { id: live.id }, body: { devices: { ids: devices }, ...over } });
  const first = dataOf(await release(ids));
  const second = dataOf(await release(ids.slice(0, 1), { replace: false }));

  const uses = async (viewer: Session, query: object = {}) =>
    dataOf(await viewer.calls.files.uses({ params: { id: file }, query }));
  const all = [
    { ad: { id: live.id, name: 'Live' }, listed: true, releases: 2, devices: 2 },
    { ad: { id: unused.id, name: 'Draft' }, listed: true, releases: 0, devices: 0 },
  ];
  expect((await uses(dealer)).items).toEqual(all);
  const page = await uses(customer, { limit: 1 });
  expect(page.items).toEqual(all.slice(0, 1));
  expect(await uses(customer, { limit: 1, cursor: page.next ?? '' })).toEqual({ items: all.slice(1), next: null });

  const { items } = dataOf(await customer.calls.ads.listDevices({ params: { id: live.id }, query: {} }));
  expect(items.map(({ id, releaseId, state, onScreen }) => [id, releaseId, state, onScreen])).toEqual(
    players
      .toSorted((a, b) => (a.mac < b.mac ? -1 : 1))
      .map(({ device }) => [device.id, device.id === ids[0] ? second.id : first.id, 'waiting', false]),
  );

  // Without its release, the ad still has the file; without the playlist, only the release has it.
  dataOf(await customer.calls.releases.withdraw({ params: { id: second.id } }));
  expect((await uses(customer)).items[0]).toMatchObject({ releases: 1, devices: 2 });
});

test('a device that somebody else owns now is not counted', async () => {
  const ad = await makeAd('Handed over');
  const { device } = await pairedDevice(server, customer);
  dataOf(await dealer.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }));
  dataOf(await dealer.calls.devices.update({ params: { id: device.id }, body: { ownerId: dealer.user.id } }));
  const { items } = dataOf(await customer.calls.files.uses({ params: { id: file }, query: {} }));
  expect(items.find((each) => each.ad.id === ad.id)?.devices).toBe(0);
  expect(dataOf(await customer.calls.ads.listDevices({ params: { id: ad.id }, query: {} })).items).toEqual([]);
});
