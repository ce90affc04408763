import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { dataOf, makeCaller } from '@ams/fleet/calls';
import { lockFile } from '../server/src/platform/postgres/lock.ts';
import { type Program, processesOf, start } from '../server/test/programs.ts';
import { DEALER, PASSWORD } from './cast.ts';
import { readSettings } from './setting.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'ams-demo-test-'));
const data = path.join(folder, 'data');
const { PATH, HOME } = process.env;

let program: Program | undefined;
const begin = (settings: NodeJS.ProcessEnv = {}): Program => {
  const env = { PATH, HOME, PORT: '0', AMS_DATA: data, LOG_LEVEL: 'error', ...settings };
  program = start(process.execPath, ['demo/main.ts'], { env });
  return program;
};

afterAll(async () => {
  program?.child.kill('SIGTERM');
  await program?.ended;
  rmSync(folder, { recursive: true, force: true });
});

async function dealerAt(running: Program) {
  const { calls } = makeCaller(/Address:\s+(\S+)\//.exec(running.output())?.[1] ?? '');
  dataOf(await calls.session.login({ body: { username: DEALER.username, password: PASSWORD } }), 'login');
  return calls;
}

test('a newcomer sees a living system, at the second start too', { timeout: 300_000 }, async () => {
  const first = begin();
  await first.says(/Ctrl-C/);
  const calls = await dealerAt(first);

  const { devices, users, ads, history } = dataOf(await calls.home.summary(), 'home');
  expect(devices).toMatchObject({ total: 38, expired: 2, expiring: 3 });
  expect(devices.online).toBeGreaterThan(25);
  expect(devices.waiting).toBeGreaterThan(3);
  expect(users.total).toBe(3);
  expect(ads).toEqual({ total: 8, released: 8 });
  expect(history.online.filter(([, count]) => count > 5).length).toBeGreaterThan(20);
  expect(history.plays).toHaveLength(14);
  // Today, the last, has just begun where it is a few minutes past midnight.
  for (const [, count] of history.plays.slice(0, -1)) expect(count).toBeGreaterThan(1000);

  // A device that retries reports meanwhile that it downloads.
  const reasons = async () =>
    dataOf(await calls.devices.list({ query: { limit: 100 } }), 'devices').items.map(({ download }) => download.reason);
  for (const reason of ['checksum', 'diskFull']) {
    await vi.waitFor(async () => expect(await reasons()).toContain(reason), { timeout: 30_000, interval: 300 });
  }
  const releases = dataOf(await calls.releases.list({ query: { limit: 100 } }), 'releases').items;
  expect(releases.map(({ priority }) => priority)).toContain('urgent');
  expect(releases.some(({ schedule }) => schedule?.hours)).toBe(true);
  expect(releases.some(({ rollout }) => rollout)).toBe(true);

  const made = dataOf(await calls.ads.list({ query: { limit: 100 } }), 'ads').items;
  expect(made.filter(({ changedSinceRelease }) => changedSinceRelease)).toEqual([]);

  const campaigns = dataOf(await calls.campaigns.list({ query: {} }), 'campaigns').items;
  const standing = (name: string) => campaigns.find((campaign) => campaign.name === name);
  const [ahead, behind] = [standing('Autumn sale'), standing('Flat white week')];
  expect(ahead?.progress?.delivered).toBeGreaterThan(ahead?.progress?.due ?? Infinity);
  expect(behind?.progress?.delivered).toBeLessThan(behind?.progress?.due ?? 0);
  expect(behind?.progress?.forecast).toBeGreaterThanOrEqual(behind?.ordered ?? Infinity);
  expect(standing('Terrace season')?.state).toBe('requested');
  const { makeGoods } = dataOf(await calls.campaigns.delivery({ params: { id: behind?.id ?? '' } }), 'delivery');
  expect(makeGoods).toBeGreaterThan(0);

  const groups = dataOf(await calls.groups.list({ query: {} }), 'groups').items;
  expect(groups.map(({ name, bookable }) => [name, bookable])).toEqual([
    ['Café windows', true],
    ['Harbour portrait', false],
    ['Doors and lifts', false],
  ]);
  // Devices that were switched on have reported their orientation.
  for (const { devices: matching } of groups) expect(matching).toBeGreaterThan(3);

  first.child.kill('SIGINT');
  expect(await first.ended).toBe(0);
  expect(processesOf(data)).toEqual([]);

  const second = begin();
  await second.says(/Ctrl-C/);
  expect(second.output()).not.toContain('Drawing');
  const again = dataOf(await (await dealerAt(second)).home.summary(), 'home');
  expect(again.devices.total).toBe(38);
});

test('without ffmpeg, or in a folder with other data, it stops with one line', async () => {
  const without = begin({ AMS_DATA: path.join(folder, 'none'), AMS_FFMPEG: '/nowhere/ffmpeg' });
  expect(await without.ended).toBe(1);
  expect(without.output()).toMatch(/^The demo creates its videos with ffmpeg[^\n]+\n$/);
  const elsewhere = begin({ AMS_DATA: folder });
  expect(await elsewhere.ended).toBe(1);
  expect(elsewhere.output()).toMatch(/contains other data than the demo[^\n]+\n$/);
});

test('a demo that another process is setting up is left alone', async () => {
  const begun = path.join(folder, 'begun');
  mkdirSync(begun);
  writeFileSync(path.join(begun, 'demo.json'), '{"demo":"begun"}');
  const lock = lockFile(path.join(begun, 'postgres.lock'));
  const second = begin({ AMS_DATA: begun, AMS_FFMPEG: '/bin/true' });
  expect(await second.ended).toBe(1);
  expect(second.output()).toBe(`Another server already uses the data folder ${begun} (process ${process.pid})\n`);
  expect(existsSync(path.join(begun, 'demo.json'))).toBe(true);
  if (lock.held) lock.release();
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'ads.example'])(
  'the demo does not listen on %s unless it is configured to',
  async (HOST) => {
    const refused = begin({ AMS_DATA: path.join(folder, 'public'), HOST });
    expect(await refused.ended).toBe(1);
    expect(refused.output()).toMatch(/^Setting HOST=\S+: [^\n]*AMS_DEMO_PUBLIC=on[^\n]*\n$/);
  },
);

test('listens on a network address if configured', () => {
  expect(readSettings({ HOST: '0.0.0.0', AMS_DEMO_PUBLIC: 'on' }).host).toBe('0.0.0.0');
  for (const HOST of ['', '127.0.0.1', '127.8.9.1', '::1', 'localhost'])
    expect(() => readSettings({ HOST })).not.toThrow();
});

test('uses no bucket that is set for a server', () => {
  const credentials = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
  expect(readSettings({ S3_BUCKET: 'media', ...credentials }).s3).toBeUndefined();
});
