import type { Ad, MediaFile, Release } from '@ams/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import pg from 'pg';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { addFile } from '../../test/media.ts';
import { report, type SceneDevice } from '../../test/scene.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
let dealer: Session;
let customer: Session;
let red: MediaFile;
let blue: MediaFile;

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 540, height: 960, channels: 3, background } })
    .jpeg()
    .toBuffer();

beforeAll(async () => {
  dealer = await server.createUser('leading');
  customer = await server.createUser('member', dealer);
  const kind = { orientation: 'vertical', kind: 1 } as const;
  red = await addFile(server, customer, await picture('red'), { name: 'red.jpg', ...kind });
  blue = await addFile(server, customer, await picture('blue'), { name: 'blue.jpg', ...kind });
});

const content = (name: string, file: MediaFile) => ({
  name,
  orientation: 'vertical' as const,
  split: 'full' as const,
  regions: { full: [{ kind: 'file' as const, fileId: file.id }] },
});

const makeAd = async (name: string): Promise<Ad> =>
  dataOf(await customer.calls.ads.create({ body: content(name, red) }));

const getAd = async (id: string, who = customer): Promise<Ad> => dataOf(await who.calls.ads.get({ params: { id } }));

async function edit({ id }: Ad, file = blue): Promise<Ad> {
  const { name, updatedAt } = await getAd(id);
  return dataOf(await customer.calls.ads.update({ params: { id }, body: { ...content(name, file), updatedAt } }));
}

const release = async (ad: Ad, devices: SceneDevice[], body: object = {}, who = customer): Promise<Release> => {
  const ids = devices.map((device) => device.device.id);
  return dataOf(await who.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids }, ...body } }));
};

const update = async (ad: Ad, who = customer) =>
  dataOf(await who.calls.ads.updateDevices({ params: { id: ad.id }, body: {} }));

const programmes = async (device: SceneDevice) => (await device.manifest()).screens.main;
const contentsOn = async (device: SceneDevice) =>
  (await programmes(device)).map(({ name, regions }) => [name, regions.full?.[0]?.sha256]);

test('an ad that was changed after its release is marked with its number of devices', async () => {
  const devices = [await pairedDevice(server, customer), await pairedDevice(server, customer)];
  const ad = await makeAd('Autumn');
  expect(ad).toMatchObject({ changedSinceRelease: false, outdatedDevices: 0 });
  await edit(ad);
  expect(await getAd(ad.id)).toMatchObject({ changedSinceRelease: false });
  const sent = await release(ad, devices);
  expect(await getAd(ad.id)).toMatchObject({ changedSinceRelease: false, outdatedDevices: 0, devices: 2 });
  expect(await edit(ad, red)).toMatchObject({ changedSinceRelease: true, outdatedDevices: 2, devices: 2 });
  dataOf(await customer.calls.releases.withdraw({ params: { id: sent.id } }));
  expect(await getAd(ad.id)).toMatchObject({ changedSinceRelease: false, outdatedDevices: 0 });
});

test('updating sends the new version to exactly those devices, with the options of each release', async () => {
  const [first, second, other] = await Promise.all([1, 2, 3].map(() => pairedDevice(server, customer)));
  if (!first || !second || !other) throw new Error('three devices');
  const ad = await makeAd('Options');
  const schedule = { from: '2026-01-01', weekdays: [1, 2, 3, 4, 5, 6, 7], hours: [{ from: '00:00', to: '23:59' }] };
  const plain = await release(ad, [first]);
  const special = await release(ad, [second], { priority: 'urgent', replace: false, schedule });
  const changed = await edit(ad);

  const { devices, releases } = await update(changed);
  expect(devices).toBe(2);
  expect(releases.map(({ replace, priority, counts }) => ({ replace, priority, total: counts.total }))).toEqual([
    { replace: true, priority: 'normal', total: 1 },
    { replace: false, priority: 'urgent', total: 1 },
  ]);
  expect(releases[1]?.schedule).toEqual(special.schedule);
  expect(await contentsOn(first)).toEqual([['Options', blue.sha256]]);
  expect(await contentsOn(second)).toEqual([['Options', blue.sha256]]);
  expect(await programmes(other)).toEqual([]);
  const old = dataOf(await customer.calls.releases.get({ params: { id: plain.id } }));
  expect(old).toMatchObject({ withdrawnBy: { username: customer.user.username } });
  expect(await getAd(ad.id)).toMatchObject({ changedSinceRelease: false, devices: 2 });
  expect(await update(changed)).toEqual({ devices: 0, releases: [] });
});

test('an ad that a newer one replaced stays replaced when it is updated', async () => {
  const device = await pairedDevice(server, customer);
  const below = await makeAd('Below');
  await release(below, [device]);
  await release(await makeAd('Above'), [device]);
  await update(await edit(below));
  await report(device, 'done');
  expect(await contentsOn(device)).toEqual([['Above', red.sha256]]);
  const { screens } = dataOf(await customer.calls.releases.programme({ params: { id: device.device.id }, query: {} }));
  expect(screens.main.map(({ ad, verdict }) => [ad.name, verdict.kind])).toEqual([
    ['Above', 'plays'],
    ['Below', 'outranked'],
  ]);
});

test('a rollout continues where it was: begun devices get the new version, later steps wait for them', async () => {
  const devices = await Promise.all([1, 2].map(() => pairedDevice(server, customer)));
  const ad = await makeAd('Steps');
  await release(ad, devices, { stages: [{ percent: 50 }, { percent: 100 }] });
  const { releases } = await update(await edit(ad));
  expect(releases).toMatchObject([
    { rollout: { state: 'running', stage: 0 }, counts: { total: 2, planned: 1, waiting: 1 } },
  ]);
  const held = await Promise.all(devices.map(contentsOn));
  expect(held.flat()).toEqual([['Steps', blue.sha256]]);
  const begun = devices[held.findIndex((contents) => contents.length > 0)];
  if (!begun) throw new Error('one has begun');
  await report(begun, 'done');
  await expect.poll(async () => (await Promise.all(devices.map(contentsOn))).flat().length).toBe(2);
});

test('devices out of scope keep what they have until somebody with them in scope updates them', async () => {
  const [own, dealers] = [await pairedDevice(server, customer), await pairedDevice(server, dealer)];
  const ad = await makeAd('Both');
  await release(ad, [own, dealers], {}, dealer);
  await edit(ad);
  expect(await getAd(ad.id)).toMatchObject({ outdatedDevices: 1 });
  expect(await update(ad)).toMatchObject({ devices: 1 });
  expect(await contentsOn(own)).toEqual([['Both', blue.sha256]]);
  expect(await contentsOn(dealers)).toEqual([['Both', red.sha256]]);
  expect(await getAd(ad.id)).toMatchObject({ changedSinceRelease: false });
  expect(await getAd(ad.id, dealer)).toMatchObject({ changedSinceRelease: true, outdatedDevices: 1 });
  expect(await update(ad, dealer)).toMatchObject({ devices: 1 });
  expect(await contentsOn(dealers)).toEqual([['Both', blue.sha256]]);
});

test('what an update leaves as it is does not ask for one: takeovers, and standing releases of a user above', async () => {
  const device = await pairedDevice(server, customer);
  const taking = await makeAd('Taking over');
  const devices = { ids: [device.device.id] };
  dataOf(await dealer.calls.takeovers.create({ body: { adId: taking.id, devices, minutes: 5 } }));
  expect(await edit(taking)).toMatchObject({ changedSinceRelease: false, outdatedDevices: 0, devices: 1 });
  expect(await update(taking)).toEqual({ devices: 0, releases: [] });

  const standing = await makeAd('Standing');
  const order = { devices: { filter: { owner: customer.user.id } }, standing: true };
  dataOf(await dealer.calls.ads.release({ params: { id: standing.id }, body: order }));
  expect(await edit(standing)).toMatchObject({ changedSinceRelease: false, outdatedDevices: 0 });
  expect(await update(standing)).toEqual({ devices: 0, releases: [] });
  expect((await getAd(standing.id, dealer)).outdatedDevices).toBeGreaterThan(0);
  expect((await update(standing, dealer)).devices).toBeGreaterThan(0);
  expect((await getAd(standing.id, dealer)).outdatedDevices).toBe(0);
});

test('a version that the operator has not seen is not sent', async () => {
  const ad = await makeAd('Unseen');
  await release(ad, [await pairedDevice(server, customer)]);
  await edit(ad);
  const refused = await customer.calls.ads.updateDevices({ params: { id: ad.id }, body: { updatedAt: ad.updatedAt } });
  expect(refused).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
});

test('devices are found by an ad that they have, and by the orientation that they fit', async () => {
  const [upright, wide, unknown] = await Promise.all([1, 2, 3].map(() => pairedDevice(server, customer)));
  if (!upright || !wide || !unknown) throw new Error('three devices');
  const hang = (device: SceneDevice, width: number, height: number) =>
    sql`update devices set screens = ${JSON.stringify([{ width, height }])}::jsonb where id = ${device.device.id}`.execute(
      server.deps.db,
    );
  await hang(upright, 1080, 1920);
  await hang(wide, 1920, 1080);
  await sql`update devices set screens = '[]' where id = ${unknown.device.id}`.execute(server.deps.db);
  const ad = await makeAd('Found');
  const sent = await release(ad, [upright, wide, unknown]);
  const found = async (filter: object) =>
    dataOf(await customer.calls.devices.list({ query: { ...filter, limit: 100 } })).items.map(({ id }) => id);
  const ids = [upright, wide, unknown].map(({ device }) => device.id);
  expect((await found({ ad: ad.id })).toSorted()).toEqual(ids.toSorted());
  expect((await found({ ad: ad.id, fits: 'vertical' })).toSorted()).toEqual(
    [upright.device.id, unknown.device.id].toSorted(),
  );
  expect(await found({ ad: ad.id, orientation: 'horizontal' })).toEqual([wide.device.id]);
  dataOf(await customer.calls.releases.withdraw({ params: { id: sent.id } }));
  expect(await found({ ad: ad.id })).toEqual([]);
});

test('an ad with many releases is updated by as many statements as one with a single release', async () => {
  const count = async (releases: number): Promise<number> => {
    const ad = await makeAd('Often');
    const sent: string[] = [];
    for (let n = 0; n < releases; n += 1) sent.push((await release(ad, [await pairedDevice(server, customer)])).id);
    await edit(ad);
    const query = pg.Client.prototype.query;
    let statements = 0;
    const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...call: unknown[]
    ) {
      if (/release_files|from \\"releases\\" as/.test(JSON.stringify(call))) statements += 1;
      return Reflect.apply(query, this, call);
    });
    onTestFinished(() => spy.mockRestore());
    const updated = await update(ad);
    spy.mockRestore();
    expect(updated).toMatchObject({ devices: releases });
    expect(updated.releases).toHaveLength(releases);
    return statements;
  };
  expect(await count(3)).toBe(await count(1));
});
