import { randomUUID } from 'node:crypto';
import { addDays, type Campaign, type CampaignDelivery, type MediaFile, type Play } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { findDays } from './delivery.queries.ts';
import { replanCampaigns } from './replan.service.ts';

const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);
let dealer: Session;
let video: MediaFile;

type Paired = Awaited<ReturnType<typeof pairedDevice>>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const today = (): string => new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  dealer = await server.createUser('leading');
  video = await addFile(server, dealer, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
});

/** A booked campaign of 20 days from today on some devices, which were all seen a moment ago. */
async function booked(count: number, perHour = 6): Promise<{ campaign: Campaign; players: Paired[] }> {
  const players: Paired[] = [];
  for (let each = 0; each < count; each += 1) players.push(await pairedDevice(server, dealer));
  const ids = players.map(({ device }) => device.id);
  await sql`update devices set time_zone = 'UTC', last_seen_at = now() where id = any(${ids}::uuid[])`.execute(db);
  const ad = await addAd(dealer, 'creative', video.id);
  const made = dataOf(
    await dealer.calls.campaigns.create({
      body: {
        name: 'Spring',
        adIds: [ad.id],
        devices: { ids },
        schedule: { from: today(), to: addDays(today(), 19) },
        goal: { kind: 'perHour', value: perHour },
        price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
      },
    }),
  );
  return { campaign: dataOf(await dealer.calls.campaigns.book({ params: { id: made.id } })), players };
}

const deliveryOf = async ({ id }: Campaign): Promise<CampaignDelivery> =>
  dataOf(await dealer.calls.campaigns.delivery({ params: { id } }));

const paceOn = async (player: Paired) => dataOf(await player.calls.player.manifest()).screens.main[0]?.pace;

/** The campaign began some hours ago, and each device has played what was due. */
async function begin({ id }: Campaign, hours: number): Promise<void> {
  const from = new Date(Date.now() - hours * HOUR_MS);
  await sql`
    update campaigns set decided_at = ${from}, schedule = jsonb_set(schedule, '{from}', to_jsonb(${from.toISOString().slice(0, 10)}::text))
    where id = ${id}`.execute(db);
  await sql`update campaign_devices set paced_from = ${from} where campaign_id = ${id}`.execute(db);
  await sql`
    insert into campaign_hours (campaign_id, device_id, hour, release_id, spots, duration_ms)
    select cd.campaign_id, cd.device_id, date_trunc('hour', ${from}::timestamptz) + n * interval '1 hour', r.id, 6, 12000
    from campaign_devices cd join releases r on r.campaign_id = cd.campaign_id, generate_series(0, ${hours - 1}::int) n
    where cd.campaign_id = ${id}`.execute(db);
}

test('a device with two screens plays a campaign on its main screen only', async () => {
  const { campaign, players } = await booked(1);
  const manifest = players[0] && dataOf(await players[0].calls.player.manifest());
  const releases = campaign.creatives.map(({ releaseId }) => releaseId);
  expect(manifest?.screens.main.map(({ releaseId }) => releaseId)).toEqual(releases);
  expect(manifest?.screens.secondary).toEqual([]);
});

test('plays of a campaign on a screen that does not show it count for nothing', async () => {
  const { campaign, players } = await booked(1);
  const releaseId = campaign.creatives[0]?.releaseId ?? '';
  const at = new Date().toISOString();
  const plays = (['main', 'secondary'] as const).map((screen): Play => ({
    releaseId,
    sha256: video.sha256,
    at,
    durationMs: 2000,
    screen,
  }));
  const taken = await players[0]?.calls.player.plays({ body: { batch: randomUUID(), plays } });
  expect(taken && dataOf(taken)).toEqual({ accepted: 1, rejected: 1, reasons: [{ index: 1, reason: 'unknown' }] });
  expect((await deliveryOf(campaign)).delivered).toBe(1);
});

test('delivery counts reported plays at their hour, beside what is ordered and due', async () => {
  const { campaign, players } = await booked(2);
  const [player] = players;
  const releaseId = campaign.creatives[0]?.releaseId ?? '';
  const at = new Date();
  const play: Play = { releaseId, sha256: video.sha256, at: at.toISOString(), durationMs: 2000, screen: 'main' };
  if (!player) throw new Error('no device');
  dataOf(await player.calls.player.plays({ body: { batch: randomUUID(), plays: [play] } }));
  const delivery = await deliveryOf(campaign);
  expect(delivery).toMatchObject({ ordered: campaign.ordered, delivered: 1, makeGoods: 0, short: null });
  // Six an hour of all hours but those of today that were over.
  const day = Date.parse(addDays(today(), 1)) - Date.now();
  expect(delivery.ordered).toBeGreaterThan(2 * (19 * DAY_MS + day) * (6 / HOUR_MS) - 4);
  expect(delivery.ordered).toBeLessThanOrEqual(2 * 20 * 24 * 6);
  expect(delivery.hours).toMatchObject([{ delivered: 1 }]);
  const stranger = await server.createUser('leading');
  const refused = await stranger.calls.campaigns.delivery({ params: { id: campaign.id } });
  expect(refused.code).toBe(404);
});

test('the plays of a device that is silent for a day are spread over the others, whose manifests alone change', async () => {
  const { campaign, players } = await booked(3);
  await begin(campaign, 30);
  const [lost, ...others] = players;
  const lostId = lost?.device.id ?? '';
  // Plays in the hours before the booking are taken from those that are left first.
  await replanCampaigns(db, Date.now());
  const settled = await deliveryOf(campaign);
  const before = new Map(await Promise.all(players.map(async (each) => [each, await paceOn(each)] as const)));
  await replanCampaigns(db, Date.now());
  expect(await deliveryOf(campaign)).toMatchObject({ makeGoods: settled.makeGoods });

  await sql`update devices set last_seen_at = now() - interval '23 hours' where id = ${lostId}`.execute(db);
  await replanCampaigns(db, Date.now());
  expect(await deliveryOf(campaign)).toMatchObject({ makeGoods: settled.makeGoods });
  await sql`update devices set last_seen_at = now() - interval '25 hours' where id = ${lostId}`.execute(db);
  await replanCampaigns(db, Date.now());
  const after = await deliveryOf(campaign);
  expect(after.makeGoods - settled.makeGoods).toBeGreaterThan(2000);
  expect(after.short).toBeNull();
  for (const each of others) {
    const [old, now] = [before.get(each), await paceOn(each)];
    expect((old?.everyMs ?? 0) / (now?.everyMs ?? 1)).toBeGreaterThan(1.3);
  }
  expect(lost && (await paceOn(lost))).toEqual(lost && before.get(lost));
});

test('a campaign that nobody can deliver any more is announced, until somebody can', async () => {
  const { campaign, players } = await booked(2);
  await begin(campaign, 30);
  const ids = players.map(({ device }) => device.id);
  await sql`update devices set last_seen_at = now() - interval '2 days' where id = any(${ids}::uuid[])`.execute(db);
  await replanCampaigns(db, Date.now());
  const { short, ordered } = await deliveryOf(campaign);
  expect(short?.plays).toBeGreaterThan(ordered / 2);
  await replanCampaigns(db, Date.now() + 60_000);
  expect((await deliveryOf(campaign)).short?.since).toBe(short?.since);
  await sql`update devices set last_seen_at = now() where id = any(${ids}::uuid[])`.execute(db);
  await replanCampaigns(db, Date.now());
  expect((await deliveryOf(campaign)).short).toBeNull();
});

test('on the last evening west of UTC, devices take over no more than is free on them', async () => {
  const { campaign, players } = await booked(2, 1350);
  await begin(campaign, 30);
  const ids = players.map(({ device }) => device.id);
  // Each device is sold to 75 of 80 %. It is three o'clock by UTC, and the evening before by the clock of the devices.
  const now = Date.parse(`${today()}T03:00:00Z`);
  const last = addDays(today(), -1);
  await sql`
    update campaigns set ends_on = ${last}::date, schedule = jsonb_set(schedule, '{to}', to_jsonb(${last}::text))
    where id = ${campaign.id}`.execute(db);
  await sql`
    update devices set time_zone = 'America/Los_Angeles', last_seen_at = ${new Date(now)}
    where id = any(${ids}::uuid[])`.execute(db);
  await sql`update devices set last_seen_at = ${new Date(now - 2 * DAY_MS)} where id = ${ids[0]}`.execute(db);
  const before = players[1] && (await paceOn(players[1]));
  await replanCampaigns(db, now);
  const after = players[1] && (await paceOn(players[1]));
  const share = (pace: typeof before): number => 2000 / (pace?.everyMs ?? 1);
  expect(share(before)).toBeCloseTo(0.75, 3);
  expect(share(after)).toBeGreaterThan(0.75);
  expect(share(after)).toBeLessThanOrEqual(0.8);
});

test('nothing is planned for campaigns that are over or cancelled', async () => {
  const { campaign } = await booked(1);
  dataOf(await dealer.calls.campaigns.cancel({ params: { id: campaign.id } }));
  await replanCampaigns(db, Date.now() + 5 * DAY_MS);
  expect(await deliveryOf(campaign)).toMatchObject({ makeGoods: 0, short: null });
});

test('nothing becomes due any more once a campaign was cancelled', async () => {
  const { campaign } = await booked(1);
  await begin(campaign, 30);
  dataOf(await dealer.calls.campaigns.cancel({ params: { id: campaign.id } }));
  const ago = new Date(Date.now() - 20 * HOUR_MS);
  await sql`update campaigns set cancelled_at = ${ago} where id = ${campaign.id}`.execute(db);
  await sql`delete from campaign_hours where campaign_id = ${campaign.id} and hour > ${ago}`.execute(db);
  // Six an hour for ten hours, of those that the plan spreads over the whole flight.
  const { due, expected, days } = await deliveryOf(campaign);
  expect([due, expected]).toEqual([expect.closeTo(60, -1), expect.closeTo(60, -1)]);
  expect(days.at(-1)?.day).toBe(ago.toISOString().slice(0, 10));
});

test('plays of a device that is deleted stay on the day of its clock', async () => {
  const { campaign, players } = await booked(1);
  const [player] = players;
  const hour = new Date(`${addDays(today(), 3)}T20:00:00Z`);
  await sql`
    insert into campaign_hours (campaign_id, device_id, hour, release_id, spots, duration_ms)
    values (${campaign.id}, ${player?.device.id}, ${hour}, ${campaign.creatives[0]?.releaseId}, 5, 0)`.execute(db);
  dataOf(
    await dealer.calls.devices.update({ params: { id: player?.device.id ?? '' }, body: { timeZone: 'Asia/Tokyo' } }),
  );
  const playedOn = async () => (await findDays(db, campaign.id)).map(({ day }) => day);
  const before = await playedOn();
  expect(before).toEqual([addDays(today(), 4)]);
  dataOf(await dealer.calls.devices.delete({ params: { id: player?.device.id ?? '' } }));
  expect(await playedOn()).toEqual(before);
});

test('a release that replaces others does not replace a campaign, on the device and in its explanation', async () => {
  const { campaign, players } = await booked(1);
  const ids = players.map(({ device }) => device.id);
  const ad = await addAd(dealer, 'later', video.id);
  const later = dataOf(await dealer.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids } } }));
  const shown = dataOf(await dealer.calls.releases.programme({ params: { id: ids[0] ?? '' }, query: {} }));
  expect(shown.screens.main).toMatchObject([
    { id: later.id, campaignId: null },
    { id: campaign.creatives[0]?.releaseId, campaignId: campaign.id },
  ]);
  expect(shown.screens.main.filter(({ verdict }) => verdict.kind === 'outranked')).toEqual([]);
});
