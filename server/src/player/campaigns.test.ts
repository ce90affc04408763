import { randomUUID } from 'node:crypto';
import { type Manifest, type MediaFile, type Play } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice, type TestDevice } from '../../test/device.ts';
import { addFile, makeMedia, makeMp4, testPattern } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const { db } = server.deps;
let dealer: Session;
let video: MediaFile;
let second: MediaFile;

const HOUR = 3_600_000;

beforeAll(async () => {
  dealer = await server.createUser('leading');
  video = await addFile(server, dealer, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
  second = await addFile(server, dealer, await makeMp4(2, 2), { name: 'other.mp4', orientation: 'vertical', kind: 2 });
});

/** A device that has carried a campaign of two creatives for years, the first with two files and the second with one. */
async function carrying(timeZone = 'UTC') {
  const player = await pairedDevice(server, dealer);
  const { id: device } = player.device;
  dataOf(await dealer.calls.devices.update({ params: { id: device }, body: { timeZone } }));
  const campaign = randomUUID();
  await sql`
    insert into campaigns (id, name, customer_id, state, orientation, target, schedule, starts_on, ends_on, goal_kind,
      goal_value, price_kind, price_amount, price_currency)
    values (${campaign}, 'Spring', ${dealer.user.id}, 'booked', 'vertical', '{}', '{}', '2026-01-01', '2026-12-31', 'perHour', 6,
      'perPlay', 1, 'EUR')`.execute(db);
  await sql`
    insert into campaign_devices (campaign_id, device_id, every_ms, spot_ms, paced_from, due_before)
    values (${campaign}, ${device}, 600000, 2000, '2026-01-01T00:00:00Z', 8)`.execute(db);
  const send = async (...files: string[]) => {
    const ad = await addAd(dealer, 'creative', ...files);
    const body = { devices: { ids: [device] }, replace: false };
    return dataOf(await dealer.calls.ads.release({ params: { id: ad.id }, body })).id;
  };
  const releases = [await send(video.id, second.id), await send(video.id)] as const;
  await sql`update release_devices set started_at = '2020-01-01' where release_id = any(${releases})`.execute(db);
  await sql`update releases set campaign_id = ${campaign} where id = any(${releases})`.execute(db);
  await sql`update device_revisions set revision = revision + 1 where device_id = ${device}`.execute(db);
  return { player, device, campaign, releases };
}

const report = async (player: TestDevice, plays: Play[], batch: string = randomUUID()) =>
  dataOf(await player.calls.player.plays({ body: { batch, plays } }));

const manifestOf = async (player: TestDevice): Promise<Manifest> => dataOf(await player.calls.player.manifest());

const play = (releaseId: string, { sha256 }: MediaFile, at: string): Play => ({
  ...{ releaseId, sha256, at: new Date(at).toISOString(), durationMs: 2000, screen: 'main' },
});

const hoursOf = async (campaign: string) => {
  const { rows } = await sql<{ hour: Date; release_id: string; spots: number; duration_ms: number }>`
    select * from campaign_hours where campaign_id = ${campaign} order by hour, release_id`.execute(db);
  return rows.map((row) => [row.hour.toISOString(), row.release_id, row.spots, row.duration_ms]);
};

test('the manifest names the pace of each creative and the spots counted so far, which do not change its version', async () => {
  const { player, campaign, releases } = await carrying();
  const before = await manifestOf(player);
  const paces = before.screens.main.map(({ releaseId, pace }) => [releaseId, pace]);
  const pace = { everyMs: 1_200_000, from: '2026-01-01T00:00:00.000Z', dueBefore: 4, campaignId: campaign };
  expect(paces).toEqual(releases.map((id) => [id, pace]));
  expect(before.spots).toEqual([]);
  await report(player, [play(releases[1], video, '2026-02-01T10:00:00Z')]);
  const after = await manifestOf(player);
  expect(after.version).toBe(before.version);
  expect(after.spots).toEqual([{ releaseId: releases[1], screen: 'main', played: 1, lastAt: null }]);
});

test('a round counts as one spot in the hour of its device, once, however late and often it is reported', async () => {
  const { player, campaign, releases } = await carrying('Asia/Kolkata');
  const [pair, single] = releases;
  const plays = [
    play(pair, video, '2026-02-01T10:29:50Z'),
    play(pair, second, '2026-02-01T10:29:55Z'),
    play(single, video, '2026-02-01T10:30:05Z'),
    play(single, video, '2026-02-01T11:29:59Z'),
  ];
  const batch = randomUUID();
  await report(player, plays, batch);
  await report(player, plays, batch);
  await report(player, plays);
  // Hours begin at half past in India.
  expect(await hoursOf(campaign)).toEqual([
    ['2026-02-01T09:30:00.000Z', pair, 1, 4000],
    ['2026-02-01T10:30:00.000Z', single, 2, 4000],
  ]);
  await report(player, [play(single, video, new Date(Date.parse('2026-02-01T10:40:00Z')).toISOString())]);
  expect((await hoursOf(campaign)).at(-1)).toEqual(['2026-02-01T10:30:00.000Z', single, 3, 6000]);
});

test('an hour that the clock repeats is two hours', async () => {
  const { player, campaign, releases } = await carrying('Europe/Berlin');
  const at = Date.parse('2025-10-26T00:10:00Z');
  await report(
    player,
    [0, 1, 2].map((n) => play(releases[1], video, new Date(at + n * HOUR).toISOString())),
  );
  expect((await hoursOf(campaign)).map(([hour]) => hour)).toEqual([
    '2025-10-26T00:00:00.000Z',
    '2025-10-26T01:00:00.000Z',
    '2025-10-26T02:00:00.000Z',
  ]);
});

test('an ad that shows the same file in each region counts once a spot', async () => {
  const { player, campaign, device } = await carrying();
  const picture = await makeMedia('banner.png', ...testPattern('270x240', 1), '-frames:v', '1');
  const addPicture = (kind: 3 | 4) =>
    addFile(server, dealer, picture, { name: 'banner.png', orientation: 'vertical', kind });
  const [above, below] = [await addPicture(3), await addPicture(4)];
  expect(above.sha256).toBe(below.sha256);
  const regions = {
    top: [{ kind: 'file' as const, fileId: above.id }],
    bottom: [{ kind: 'file' as const, fileId: below.id }],
  };
  const body = { name: 'banners', orientation: 'vertical' as const, split: 'three' as const, regions };
  const ad = dataOf(await dealer.calls.ads.create({ body }));
  const order = { devices: { ids: [device] }, replace: false };
  const { id: release } = dataOf(await dealer.calls.ads.release({ params: { id: ad.id }, body: order }));
  await sql`update release_devices set started_at = '2020-01-01' where release_id = ${release}`.execute(db);
  await sql`update releases set campaign_id = ${campaign} where id = ${release}`.execute(db);
  const spots = ['2026-02-01T10:00:00Z', '2026-02-01T10:10:00Z', '2026-02-01T10:20:00Z'];
  const { accepted } = await report(
    player,
    spots.flatMap((at) => [play(release, above, at), play(release, below, at)]),
  );
  expect(accepted).toBe(6);
  expect((await hoursOf(campaign)).map(([, id, count]) => [id, count])).toEqual([[release, 3]]);
});
