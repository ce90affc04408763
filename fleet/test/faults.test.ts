import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ADMIN, dataOf, startTestServer } from '../../server/test/server.ts';
import { type Fleet, startFleet } from '../src/fleet.ts';
import { readOptions } from '../src/options.ts';
import { releaseSpot } from './spot.ts';

const DEVICES = 2;
const TIMEOUT = { timeout: 30_000, interval: 100 };

const server = await startTestServer();
const folder = await mkdtemp(path.join(tmpdir(), 'ams-fleet-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const admin = await server.login();

let fleet: Fleet | undefined;
afterEach(() => fleet?.stop());

/** The same devices as before, with these faults. Nothing of their downloads is left. */
async function start(...faults: string[]): Promise<Fleet> {
  const login = ['--user', ADMIN.username, '--password', ADMIN.password];
  const flags = ['--devices', String(DEVICES), '--server', server.url, ...login, ...faults];
  const options = readOptions(flags, { AMS_DATA: folder });
  if (options === 'help') throw new Error('nobody asked for help');
  fleet = await startFleet(options);
  return fleet;
}

const downloads = async () =>
  dataOf(await admin.calls.devices.list({ query: {} })).items.map(({ download }) => download);
const everybody = (download: object) =>
  vi.waitFor(async () => expect(await downloads()).toMatchObject(Array(DEVICES).fill(download)), TIMEOUT);
const counts = async () => {
  const [release] = dataOf(await admin.calls.releases.list({ query: {} })).items;
  return release?.counts;
};

beforeAll(async () => {
  const pairing = await start();
  await vi.waitUntil(() => pairing.counts().paired === DEVICES, TIMEOUT);
  await pairing.stop();
  await releaseSpot(server, admin, { filter: {} });
});

test('--corrupt: a file that comes wrong never counts as done, and is fetched again until it is right', async () => {
  const broken = await start('--corrupt', '100');
  await everybody({ state: 'waiting', reason: 'checksum' });
  expect(await counts()).toMatchObject({ done: 0, failed: DEVICES });
  expect(broken.counts()).toMatchObject({ online: DEVICES, done: 0, plays: 0 });
  await broken.stop();
  await start('--corrupt', '30');
  await everybody({ state: 'done' });
});

test('--diskfull: a full device reports it, and stores the file once there is space', async () => {
  await start('--diskfull', '16');
  await everybody({ state: 'waiting', reason: 'diskFull' });
  expect(await counts()).toMatchObject({ done: 0, failed: DEVICES });
  await fleet?.stop();
  await start('--diskfull', '17');
  await everybody({ state: 'done' });
});

test('--clock-skew: devices whose clocks are a day ahead and a day behind report plays of today', async () => {
  const today = async () => {
    const { resources, history } = dataOf(await admin.calls.home.summary());
    return { plays: resources.playsToday, charted: history.plays.at(-1)?.[1] ?? 0 };
  };
  // Devices of the tests above may have reported plays, too.
  const before = await today();
  const wrong = await start('--clock-skew', '86400');
  await everybody({ state: 'done' });
  await vi.waitFor(() => expect(wrong.counts().plays).toBeGreaterThan(DEVICES), { ...TIMEOUT, timeout: 45_000 });
  await wrong.stop();
  const after = await today();
  expect(after.plays - before.plays).toBe(wrong.counts().plays);
  expect(after.charted).toBe(after.plays);
});
