import { type Ad, addDays, type CreateReleaseBody, type Release } from '@ams/contract';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { tasksOf } from '../features.ts';

/** Releases whose schedule is over. */
const server = await startTestServer();
await stopCrontab(server.deps.db);
let owner: Session;
let ad: Ad;

const inDays = (days: number): string => addDays(new Date().toISOString().slice(0, 10), days);

beforeAll(async () => {
  owner = await server.createUser('leading');
  const video = await addFile(server, owner, await makeMp4(1, 2), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  ad = await addAd(owner, 'Winter sale', video.id);
});

const release = async (body: CreateReleaseBody): Promise<Release> =>
  dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body }));
const get = async ({ id }: Release): Promise<Release> => dataOf(await owner.calls.releases.get({ params: { id } }));

const endOver = async (): Promise<void> => {
  const task = tasksOf(server.deps).releases_end;
  if (typeof task !== 'function') throw new Error('it has a lane');
  await task({}, server.deps.stopping, true);
};

test('a release ends by itself when its schedule is over everywhere; its files leave the devices', async () => {
  const player = await pairedDevice(server, owner);
  const devices = { ids: [player.device.id] };
  const made = await release({ devices, schedule: { from: inDays(-9), to: inDays(-3) } });
  expect((await player.manifest()).files).toHaveLength(1);
  await endOver();
  expect(await get(made)).toMatchObject({ withdrawnAt: expect.any(String), withdrawnBy: null });
  expect(await player.manifest()).toMatchObject({ screens: { main: [] }, files: [] });
});

test('a standing release whose schedule is over gets no more devices', async () => {
  const tags = { all: ['over'] };
  const made = await release({
    devices: { filter: { tags } },
    standing: true,
    schedule: { from: null, to: inDays(-3) },
  });
  await endOver();
  expect((await get(made)).withdrawnAt).not.toBeNull();
  const late = await pairedDevice(server, owner);
  dataOf(await owner.calls.devices.update({ params: { id: late.device.id }, body: { tags: tags.all } }));
  expect((await late.manifest()).screens.main).toEqual([]);
});

test('what may still play somewhere, or has no last day, does not end', async () => {
  const player = await pairedDevice(server, owner);
  const devices = { ids: [player.device.id] };
  // West of Greenwich, the hours that begin on the last day may end more than a day later.
  const hours = [{ from: '22:00', to: '06:00' }];
  const live = [
    await release({ devices, replace: false, schedule: { from: inDays(-9), to: inDays(-2), hours } }),
    await release({ devices, replace: false, schedule: { from: inDays(-9) } }),
    await release({ devices, replace: false }),
  ];
  await endOver();
  for (const each of live) expect((await get(each)).withdrawnAt).toBeNull();
});
