import { DOWNLOAD_FAILURES } from '@ams/contract';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { makeDevice, pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { PLAYER_LINKS } from '../features.ts';
import { hashToken } from '../platform/auth/auth.ts';
import { takeStatus } from '../player/status.service.ts';

const server = await startTestServer();
const admin = await server.login();

async function setUp() {
  const device = await pairedDevice(server, admin);
  const { id } = device.device;
  const secretHash = hashToken(device.secret).toString('hex');
  const file = await addFile(server, admin, await makeMp4(), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const ad = await addAd(admin, 'ad', file.id);
  return {
    device,
    id,
    ad,
    release: async () =>
      dataOf(await admin.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [id] } } })),
    /** Reports as over its WebSocket; over HTTP so many reports a second would be refused. */
    report: (manifestVersion: string, state: 'done' | 'failed' | 'downloading', reason?: string) =>
      takeStatus(
        server.deps.db,
        PLAYER_LINKS,
        { id, secretHash },
        {
          type: 'status',
          manifestVersion,
          download: { state, doneBytes: 30, totalBytes: 100, reason },
        },
      ),
    /** The state in the device's detail, after checking that the list has the same. */
    download: async () => {
      const { download } = dataOf(await admin.calls.devices.get({ params: { id } }));
      const listed = dataOf(await admin.calls.devices.list({ query: { q: device.mac } })).items[0]?.download;
      expect(listed).toEqual(download);
      const filtered = await admin.calls.devices.list({ query: { q: device.mac, download: download.state } });
      expect(dataOf(filtered).items).toHaveLength(1);
      return download;
    },
  };
}

test("every change of a device's content makes it waiting at once, until it reports the new version", async () => {
  const { device, id, ad, release, report, download } = await setUp();
  let old = (await device.manifest()).version;
  await report(old, 'done');
  expect((await download()).state).toBe('done');
  let sent = await release();
  for (const change of [
    async () => undefined,
    async () => dataOf(await admin.calls.devices.update({ params: { id }, body: { name: 'Hall' } })),
    async () => dataOf(await admin.calls.devices.update({ params: { id }, body: { timeZone: 'UTC' } })),
    async () => dataOf(await admin.calls.devices.update({ params: { id }, body: { expiresAt: '2020-01-01' } })),
    async () => dataOf(await admin.calls.devices.update({ params: { id }, body: { expiresAt: '2099-01-01' } })),
    async () => dataOf(await admin.calls.releases.withdraw({ params: { id: sent.id } })),
    async () => {
      sent = await release();
    },
    async () => dataOf(await admin.calls.ads.delete({ params: { id: ad.id } })),
  ]) {
    await change();
    expect(await download()).toMatchObject({ state: 'waiting', doneBytes: 0, totalBytes: 0 });
    // An earlier version, an unknown version and no version are all not the current one.
    for (const lie of [old, 'made-up', '']) await report(lie, 'done');
    expect((await download()).state).toBe('waiting');
    const { version } = await device.manifest();
    await report(old === version ? 'made-up' : old, 'done');
    expect((await download()).state).toBe('waiting');
    await report(version, 'downloading');
    expect(await download()).toMatchObject({ state: 'waiting', doneBytes: 30, totalBytes: 100 });
    await report(version, 'done');
    expect(await download()).toMatchObject({ state: 'done', doneBytes: 100, totalBytes: 100 });
    old = version;
  }
});

test.each([...DOWNLOAD_FAILURES])('a device that fails (%s) says so in list, detail and release', async (reason) => {
  const { device, release, report, download } = await setUp();
  const sent = await release();
  const { version } = await device.manifest();
  await report(version, 'failed', reason);
  expect(await download()).toMatchObject({ state: 'waiting', reason });
  expect(dataOf(await admin.calls.releases.get({ params: { id: sent.id } })).counts).toMatchObject({ failed: 1 });
  expect(dataOf(await admin.calls.releases.listDevices({ params: { id: sent.id } })).items[0]).toMatchObject({
    state: 'failed',
    reason,
  });
});

test('a device that replaces another one has nothing of its content until it reports that itself', async () => {
  const { device, id, release } = await setUp();
  const sent = await release();
  const reportAs = async (player: typeof device, state: 'done' | 'downloading') => {
    const { version } = await player.manifest();
    const playing = state === 'done' ? { main: { releaseId: sent.id } } : {};
    dataOf(await player.calls.player.status({ body: { manifestVersion: version, download: { state }, playing } }));
  };
  const shown = async () => {
    const { download, playing } = dataOf(await admin.calls.devices.get({ params: { id } }));
    const { counts } = dataOf(await admin.calls.releases.get({ params: { id: sent.id } }));
    return { download: download.state, main: playing.main?.releaseId ?? null, done: counts.done };
  };
  const whole = { download: 'done', main: sent.id, done: 1 };
  await reportAs(device, 'done');
  expect(await shown()).toEqual(whole);

  const other = makeDevice(server, device.mac);
  const { code } = await other.enrol();
  dataOf(await admin.calls.devices.pair({ body: { code } }));
  await other.manifest();
  const nothing = { download: 'waiting', main: null, done: 0 };
  expect(await shown()).toEqual(nothing);
  await reportAs({ ...other, device: device.device }, 'downloading');
  expect(await shown()).toEqual(nothing);
  await reportAs({ ...other, device: device.device }, 'done');
  expect(await shown()).toEqual(whole);
});
