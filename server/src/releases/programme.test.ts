import type { Ad, Release, StatusMessage } from '@ams/contract';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { pairedDevice, type TestDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
let owner: Session;
let ad: Ad;

beforeAll(async () => {
  owner = await server.createUser('member');
  ad = await addPictureAd(server, owner);
});

type Report = Partial<Omit<StatusMessage, 'type'>>;

/** Reports that everything of the newest manifest is there, or what is given instead. */
async function report({ calls, manifest }: TestDevice, over: Report = {}): Promise<void> {
  const { version } = await manifest();
  const download = { state: 'done' as const, doneBytes: 1, totalBytes: 1 };
  await calls.player.status({ body: { manifestVersion: version, download, ...over } });
}

test('why is this on screen: now, in the past and in the future', async () => {
  // Its device is in Shanghai.
  const player = await pairedDevice(server, owner);
  const { device } = player;
  const release = async (over: object = {}): Promise<Release> =>
    dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] }, ...over } }));
  const why = async (at?: string) => {
    const { screens } = dataOf(await owner.calls.releases.programme({ params: { id: device.id }, query: { at } }));
    return screens.main.map(({ id, verdict }) => [id, verdict]);
  };
  const always = await release();
  const evening = await release({ schedule: { from: '2099-01-01', hours: [{ from: '18:00', to: '20:00' }] } });
  const urgent = await release({ priority: 'urgent', schedule: { from: '2099-02-01', to: '2099-02-01' } });
  await report(player);
  const plays = { kind: 'plays' };
  const notScheduled = { kind: 'notScheduled' };
  expect(await why()).toEqual([
    [urgent.id, notScheduled],
    [evening.id, notScheduled],
    [always.id, plays],
  ]);
  // 18:30 in Shanghai.
  expect(await why('2099-01-15T10:30:00Z')).toEqual([
    [urgent.id, notScheduled],
    [evening.id, plays],
    [always.id, { kind: 'outranked', why: 'replaced', by: evening.id }],
  ]);
  expect(await why('2099-02-01T18:30:00+08:00')).toEqual([
    [urgent.id, plays],
    [evening.id, { kind: 'outranked', why: 'urgent', by: urgent.id }],
    [always.id, { kind: 'outranked', why: 'urgent', by: urgent.id }],
  ]);

  const whileItPlayed = new Date().toISOString();
  const { withdrawnAt } = dataOf(await owner.calls.releases.withdraw({ params: { id: always.id } }));
  expect((await why()).map(([id]) => id)).toEqual([urgent.id, evening.id]);
  // Withdrawn since, it still was on screen then.
  expect((await why(whileItPlayed)).at(-1)).toEqual([always.id, plays]);
  expect((await why(withdrawnAt ?? '')).map(([id]) => id)).not.toContain(always.id);
  expect(await why('2020-01-01T00:00:00Z')).toEqual([]);
  const later = dataOf(
    await owner.calls.releases.programme({ params: { id: device.id }, query: { at: '2099-01-01T00:00:00Z' } }),
  );
  expect(later).toMatchObject({ expired: true, timeZone: 'Asia/Shanghai' });
});

test('each screen has its own answer, and a device of somebody else none', async () => {
  const { device } = await pairedDevice(server, owner);
  const dual = dataOf(await owner.calls.ads.copy({ params: { id: ad.id }, body: { name: 'Autumn on both' } }));
  const { id: _id, owner: _owner, videos: _v, images: _i, devices: _d, releasedAt: _r, createdAt: _c, ...body } = dual;
  dataOf(await owner.calls.ads.update({ params: { id: dual.id }, body: { ...body, dual: true } }));
  const devices = { ids: [device.id] };
  const sent = dataOf(
    await owner.calls.ads.release({ params: { id: dual.id }, body: { devices, screen: 'secondary' } }),
  );
  const { screens } = dataOf(await owner.calls.releases.programme({ params: { id: device.id } }));
  expect(screens.main).toEqual([]);
  expect(screens.secondary).toMatchObject([{ id: sent.id, ad: { name: 'Autumn on both' }, open: true }]);
  const stranger = await server.createUser('member');
  expect(await stranger.calls.releases.programme({ params: { id: device.id } })).toMatchObject({ code: 404 });
});

/** A connected device, its releases, and the answers about it. */
async function watched() {
  const player = await pairedDevice(server, owner);
  const { id } = player.device;
  const channel = await player.open();
  onTestFinished(() => channel.close());
  const programme = async (at?: string) =>
    dataOf(await owner.calls.releases.programme({ params: { id }, query: { at } }));
  await expect.poll(async () => (await programme()).verdict.kind).not.toBe('offline');
  return {
    player,
    programme,
    release: async (over: object = {}, adId = ad.id) =>
      dataOf(await owner.calls.ads.release({ params: { id: adId }, body: { devices: { ids: [id] }, ...over } })),
    why: async () => (await programme()).screens.main.map((entry) => [entry.id, entry.verdict.kind]),
    /** The same on the device's page and in the list. */
    verdict: async () => {
      const { verdict } = await programme();
      expect(dataOf(await owner.calls.devices.get({ params: { id } })).verdict).toEqual(verdict);
      const { items } = dataOf(await owner.calls.devices.list({ query: { q: player.mac } }));
      expect(items[0]?.verdict).toEqual(verdict);
      return verdict;
    },
  };
}

test('one verdict names first what keeps a device from playing', async () => {
  const { player, release, verdict, why } = await watched();
  expect(await verdict()).toEqual({ kind: 'nothing', reason: null, until: null });
  const later = await release({ schedule: { from: '2099-01-01' } });
  await report(player);
  expect(await verdict()).toMatchObject({ kind: 'later' });
  const { id } = await release();
  expect(await verdict()).toMatchObject({ kind: 'downloading' });
  expect(await why()).toEqual([
    [id, 'incomplete'],
    [later.id, 'notScheduled'],
  ]);
  await report(player, { download: { state: 'failed', doneBytes: 0, totalBytes: 1, reason: 'diskFull' } });
  expect(await verdict()).toEqual({ kind: 'failed', reason: 'diskFull', until: null });
  await report(player);
  expect(await verdict()).toMatchObject({ kind: 'plays' });
  expect(await why()).toContainEqual([id, 'plays']);
});

test('a release that is not whole leaves the screen to what is', async () => {
  const { player, release, verdict, why } = await watched();
  const first = await release();
  await report(player);
  const second = await release();
  expect(await why()).toEqual([
    [second.id, 'incomplete'],
    [first.id, 'plays'],
  ]);
  expect(await verdict()).toMatchObject({ kind: 'plays' });
  await report(player);
  expect(await why()).toEqual([
    [second.id, 'plays'],
    [first.id, 'outranked'],
  ]);
});

/** The id of an ad that plays once. */
async function onceAd(): Promise<string> {
  const { id: copyId } = dataOf(await owner.calls.ads.copy({ params: { id: ad.id }, body: { name: 'Once' } }));
  const {
    id: _id,
    owner: _owner,
    videos: _v,
    images: _i,
    devices: _d,
    ...body
  } = dataOf(await owner.calls.ads.get({ params: { id: copyId } }));
  dataOf(await owner.calls.ads.update({ params: { id: copyId }, body: { ...body, playMode: 'once' } }));
  return copyId;
}

test('a release that plays once does not play any more once it has', async () => {
  const { player, release, verdict, why } = await watched();
  const copyId = await onceAd();
  const { id } = await release({}, copyId);
  await report(player);
  expect(await why()).toEqual([[id, 'plays']]);
  const sha256 = (await player.manifest()).files[0]?.sha256 ?? '';
  const play = { releaseId: id, sha256, at: new Date().toISOString(), durationMs: 0, screen: 'main' as const };
  const batch = crypto.randomUUID();
  expect(dataOf(await player.calls.player.plays({ body: { batch, plays: [play] } })).accepted).toBe(1);
  expect(await why()).toEqual([[id, 'finished']]);
  // The other screen has not shown it.
  expect(await verdict()).toMatchObject({ kind: 'plays' });
});

// An answer that blocks the process runs into the limit.
test(
  'what has played once is looked up thousands of years ahead without a long search',
  { timeout: 20_000 },
  async () => {
    const { player, release, programme } = await watched();
    const { id } = await release({ schedule: { from: '2026-01-01' } }, await onceAd());
    await report(player);
    const sha256 = (await player.manifest()).files[0]?.sha256 ?? '';
    const play = { releaseId: id, sha256, at: new Date().toISOString(), durationMs: 0, screen: 'main' as const };
    dataOf(await player.calls.player.plays({ body: { batch: crypto.randomUUID(), plays: [play] } }));
    const { screens } = await programme('9000-01-01T00:00:00Z');
    expect(screens.main).toMatchObject([{ id, verdict: { kind: 'finished' } }]);
  },
);

test('an instant that is in no year from 1 to 9999 in UTC is refused', async () => {
  const { device } = await pairedDevice(server, owner);
  const ask = (at: string) => owner.calls.releases.programme({ params: { id: device.id }, query: { at } });
  for (const at of ['9999-12-31T23:59:59-14:00', '0001-01-01T00:00:00+14:00', '0000-12-31T23:59:59-14:00']) {
    expect(await ask(at)).toMatchObject({ code: 400, details: { fields: [{ path: 'at' }] } });
  }
  expect(await ask('9999-12-31T23:59:59+14:00')).toMatchObject({ code: 200 });
});

test('if the report of a device differs from the rules, the answer has both with the reason', async () => {
  const { player, release, programme } = await watched();
  const first = await release();
  const shows = (releaseId: string | null) => ({ playing: { main: { releaseId } } });
  await report(player, shows(first.id));
  expect((await programme()).differences).toEqual({ main: null, secondary: null });
  expect((await programme()).screens.main).toMatchObject([{ id: first.id, reported: true }]);
  const second = await release();
  await report(player, shows(first.id));
  expect((await programme()).differences.main).toEqual({
    reported: { id: first.ad.id, name: first.ad.name },
    because: 'unknown',
  });
  await owner.calls.releases.withdraw({ params: { id: second.id } });
  await owner.calls.releases.withdraw({ params: { id: first.id } });
  expect((await programme()).differences.main).toMatchObject({ because: 'switching' });
  await report(player, shows(null));
  expect((await programme()).differences.main).toBeNull();
});
