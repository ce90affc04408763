import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, expect, test, vi } from 'vitest';
import { addFile } from '../../server/test/media.ts';
import { ADMIN, dataOf, startTestServer } from '../../server/test/server.ts';
import { type Fleet, startFleet } from '../src/fleet.ts';
import { type Options, readOptions } from '../src/options.ts';
import { macOf } from '../src/roster.ts';
import { releaseSpot } from './spot.ts';

const KEY = 'a key for the whole installation';
const DEVICES = 3;

const server = await startTestServer({ AMS_ENROLMENT_KEY: KEY });
const folder = await mkdtemp(path.join(tmpdir(), 'ams-fleet-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const optionsOf = (...flags: string[]): Options => {
  const options = readOptions(['--devices', String(DEVICES), '--server', server.url, ...flags], { AMS_DATA: folder });
  if (options === 'help') throw new Error('nobody asked for help');
  return options;
};
const byPassword = (...flags: string[]) => optionsOf('--user', ADMIN.username, '--password', ADMIN.password, ...flags);

const reaches = (fleet: Fleet, wanted: object) =>
  vi.waitFor(() => expect(fleet.counts()).toMatchObject(wanted), { timeout: 30_000, interval: 50 });

const admin = await server.login();
const summary = async () => dataOf(await admin.calls.home.summary());
const listed = async () => dataOf(await admin.calls.devices.list({ query: { limit: 100 } })).items;

const releaseVideo = (ids: string[]) => releaseSpot(server, admin, { ids });

test(
  'devices pair, fetch a released video over bad lines, and each play counts once',
  { timeout: 90_000 },
  async () => {
    // A slow connection that breaks every two seconds: everything is retried repeatedly.
    const fleet = await startFleet(byPassword('--flap', '2', '--slow', '20000'));
    await reaches(fleet, { paired: DEVICES, online: DEVICES });
    const devices = await listed();
    expect(devices.map(({ mac }) => mac).toSorted()).toEqual([macOf(1), macOf(2), macOf(3)]);

    const { video, release } = await releaseVideo(devices.map(({ id }) => id));
    const done = async () => dataOf(await admin.calls.releases.get({ params: { id: release.id } })).counts.done;
    await vi.waitFor(async () => expect(await done()).toBe(DEVICES), { timeout: 30_000, interval: 100 });
    expect(fleet.counts()).toMatchObject({ done: DEVICES, bytes: DEVICES * video.bytes });

    await vi.waitFor(() => expect(fleet.counts().plays).toBeGreaterThanOrEqual(2 * DEVICES), { timeout: 40_000 });
    await fleet.stop();
    expect(fleet.counts().online).toBe(0);
    expect((await summary()).resources.playsToday).toBe(fleet.counts().plays);
    await vi.waitFor(async () => expect((await summary()).devices.online).toBe(0));
  },
);

test('a restart uses the same fleet, and --keep keeps the downloaded files', async () => {
  const secrets = await readFile(path.join(folder, 'fleet.json'), 'utf8');
  // Neither operator nor key: only devices that are known already get in.
  const fleet = await startFleet(optionsOf('--keep'));
  await reaches(fleet, { paired: DEVICES, online: DEVICES, done: DEVICES });
  const { bytes } = fleet.counts();
  await fleet.stop();
  expect(bytes).toBeGreaterThan(0);
  expect(await readFile(path.join(folder, 'fleet.json'), 'utf8')).toBe(secrets);
  expect(await listed()).toHaveLength(DEVICES);
  expect(await readdir(path.join(folder, 'fleet-files'))).toHaveLength(DEVICES);

  const again = await startFleet(optionsOf('--keep'));
  await reaches(again, { done: DEVICES, bytes: 0 });
  await again.stop();
});

test('a device sends a picture of its screen on request', async () => {
  const red = await sharp({ create: { width: 360, height: 640, channels: 3, background: '#d00000' } })
    .png()
    .toBuffer();
  const [device] = await listed();
  const id = device?.id ?? '';
  const poster = await addFile(server, admin, red, { name: 'poster.png', orientation: 'vertical', kind: 1 });
  const regions = { full: [{ kind: 'file' as const, fileId: poster.id }] };
  const ad = dataOf(
    await admin.calls.ads.create({ body: { name: 'Poster', orientation: 'vertical', split: 'full', regions } }),
  );
  dataOf(await admin.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [id] }, replace: true } }));
  const fleet = await startFleet(optionsOf());
  await reaches(fleet, { online: DEVICES, done: DEVICES });

  const seen = async () => {
    dataOf(await admin.calls.devices.requestScreenshot({ params: { id } }));
    const headers = { authorization: `Bearer ${admin.token}` };
    const reply = await fetch(`${server.url}/api/devices/${id}/screenshot`, { headers });
    expect(reply.status).toBe(200);
    const { info, data } = await sharp(await reply.arrayBuffer())
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { size: [info.width, info.height], corner: [...data.subarray(0, 3)] };
  };
  await vi.waitFor(async () => expect(await seen()).toEqual({ size: [360, 640], corner: [208, 0, 0] }), {
    interval: 500,
  });
  await fleet.stop();
});

test('with the enrolment key the devices that the server knows pair by themselves', async () => {
  const state = path.join(folder, 'other.json');
  for (const { id } of await listed()) dataOf(await admin.calls.devices.delete({ params: { id } }));
  for (const number of [1, 2]) dataOf(await admin.calls.devices.create({ body: { mac: macOf(number) } }));
  const fleet = await startFleet(optionsOf('--key', KEY, '--state', state));
  await reaches(fleet, { paired: 2, online: 2 });
  await vi.waitFor(() =>
    expect(fleet.unpaired()).toMatchObject([{ mac: macOf(3), code: expect.stringMatching(/^\d{6}$/) }]),
  );
  await fleet.stop();
});

test('reports an invalid login before a device starts', async () => {
  await expect(startFleet(optionsOf('--user', ADMIN.username, '--password', 'wrong'))).rejects.toThrow(/cannot log in/);
  const asking = await startTestServer({ AMS_CAPTCHA: 'on' });
  await expect(startFleet(byPassword('--server', asking.url))).rejects.toThrow(/AMS_CAPTCHA=off/);
  await expect(startFleet(byPassword('--server', 'http://127.0.0.1:1'))).rejects.toThrow(/no answer from/);
});
