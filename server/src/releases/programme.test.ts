import type { Ad, Release } from '@ams/contract';
import { beforeAll, expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
let owner: Session;
let ad: Ad;

beforeAll(async () => {
  owner = await server.createUser('member');
  ad = await addPictureAd(server, owner);
});

test('why is this on screen: now, in the past and in the future', async () => {
  // Its device is in Shanghai.
  const { device } = await pairedDevice(server, owner);
  const release = async (over: object = {}): Promise<Release> =>
    dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] }, ...over } }));
  const why = async (at?: string) => {
    const { screens } = dataOf(await owner.calls.releases.programme({ params: { id: device.id }, query: { at } }));
    return screens.main.map(({ id, verdict }) => [id, verdict]);
  };
  const always = await release();
  const evening = await release({ schedule: { from: '2099-01-01', hours: [{ from: '18:00', to: '20:00' }] } });
  const urgent = await release({ priority: 'urgent', schedule: { from: '2099-02-01', to: '2099-02-01' } });
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
