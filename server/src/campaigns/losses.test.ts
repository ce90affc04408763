import { addDays, type Campaign, type StatusMessage, type MediaFile } from '@ams/contract';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addTagged, beginCampaign, countAnnounced, type Paired } from '../../test/campaigns.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { forgetPresence } from '../devices/history.ts';
import { replanCampaigns } from './replan.service.ts';
import { settleCampaigns } from './settle.service.ts';

/** Devices that are taken for lost, and campaigns that are announced as short, rejected or over. */
const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);
let dealer: Session;
let video: MediaFile;

const today = (): string => new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  dealer = await server.createUser('leading');
  video = await addFile(server, dealer, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
  await dealer.calls.alerts.get();
  await sql`update alerts set webhook = 'http://127.0.0.1:9/' where user_id = ${dealer.user.id}`.execute(db);
});

const addDevice = (tag: string, timeZone = 'UTC'): Promise<Paired> => addTagged(server, dealer, tag, timeZone);

/** A booked campaign with six plays per hour that began 30 hours ago on the devices with a tag, and lasts 19 days more. */
async function book(tag: string): Promise<Campaign> {
  const ad = await addAd(dealer, 'creative', video.id);
  const made = dataOf(
    await dealer.calls.campaigns.create({
      body: {
        name: tag,
        adIds: [ad.id],
        devices: { filter: { tags: { all: [tag] } } },
        schedule: { from: today(), to: addDays(today(), 19) },
        goal: { kind: 'perHour', value: 6 },
        price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
      },
    }),
  );
  const booked = dataOf(await dealer.calls.campaigns.book({ params: { id: made.id } }));
  await beginCampaign(db, booked, 30);
  return booked;
}

const get = async ({ id }: Campaign): Promise<Campaign> => dataOf(await dealer.calls.campaigns.get({ params: { id } }));
const makeGoodsOf = async ({ id }: Campaign) =>
  dataOf(await dealer.calls.campaigns.delivery({ params: { id } })).makeGoods;
const paceOn = async (player: Paired) => dataOf(await player.calls.player.manifest()).screens.main[0]?.pace?.everyMs;

/** Alerts about a campaign, after all were re-planned. */
async function announced(campaign: Campaign): Promise<number> {
  await replanCampaigns(db, Date.now());
  return countAnnounced(db, campaign);
}

type State = StatusMessage['download']['state'];

async function report({ calls }: Paired, state: State, manifestVersion?: string): Promise<void> {
  const reason = state === 'failed' ? { reason: 'diskFull' } : {};
  const download = { state, doneBytes: 0, totalBytes: 10, ...reason };
  dataOf(await calls.player.status({ body: { type: 'status', download, manifestVersion } }));
}

/** The known failures of a device are some minutes older. */
const later = ({ device }: Paired, minutes: number) =>
  sql`
    update device_failures set since = since - make_interval(mins => ${minutes}),
      until = until - make_interval(mins => ${minutes})
    where device_id = ${device.id}`.execute(db);

test('a device whose download fails again and again is announced once, and moves plays to others once', async () => {
  const [failing, other] = [await addDevice('failing'), await addDevice('failing')];
  const campaign = await book('failing');
  const steady = await paceOn(other);
  await report(failing, 'failed');
  expect(await announced(campaign)).toBe(0);
  await later(failing, 11);
  expect(await announced(campaign)).toBe(0);
  const moved = await makeGoodsOf(campaign);
  expect(moved).toBeGreaterThan(0);
  const pace = await paceOn(other);
  expect(pace).toBeLessThan(steady ?? 0);
  for (const state of ['downloading', 'failed', 'downloading', 'failed'] as const) {
    await report(failing, state);
    expect(await announced(campaign)).toBe(0);
    expect(await paceOn(other)).toBe(pace);
  }
  expect(await makeGoodsOf(campaign)).toBe(moved);
});

test('a single device whose download fails again and again makes one alert', async () => {
  const failing = await addDevice('alone');
  const campaign = await book('alone');
  await report(failing, 'failed');
  await later(failing, 11);
  for (const state of ['downloading', 'failed', 'downloading', 'failed'] as const) {
    await report(failing, state);
    expect(await announced(campaign)).toBe(1);
  }
  // Its files are there: it plays.
  const { version } = dataOf(await failing.calls.player.manifest());
  await report(failing, 'done', version);
  await announced(campaign);
  expect((await get(campaign)).progress?.short).toBe(0);
});

test('a device that has a campaign plays it although other content fails', async () => {
  const device = await addDevice('has');
  const campaign = await book('has');
  const { version } = dataOf(await device.calls.player.manifest());
  await report(device, 'done', version);
  const other = await addAd(dealer, 'other', video.id);
  const body = { devices: { ids: [device.device.id] } };
  dataOf(await dealer.calls.ads.release({ params: { id: other.id }, body }));
  await report(device, 'failed');
  await later(device, 60);
  expect(await announced(campaign)).toBe(0);
});

test('a connected device whose process died a moment ago is not silent for as long as its last report is old', async () => {
  const { device } = await addDevice('connected');
  const campaign = await book('connected');
  const dead = uuidv7();
  await sql`insert into server_processes (id, beat_at) values (${dead}, now() - interval '16 seconds')`.execute(db);
  await sql`update devices set lease = ${dead}, last_seen_at = now() - interval '3 days' where id = ${device.id}`.execute(
    db,
  );
  const { rows } = await sql<{ seconds: number; online: boolean }>`
    select extract(epoch from now() - last_seen_at)::float8 as seconds, online from devices_now where id = ${device.id}`.execute(
    db,
  );
  expect(rows[0]?.seconds).toBeLessThan(60);
  expect(await announced(campaign)).toBe(0);
});

test('devices that were silent while the server was down are not lost before they could come back', async () => {
  const { device } = await addDevice('down');
  const campaign = await book('down');
  await sql`update devices set last_seen_at = now() - interval '3 days' where id = ${device.id}`.execute(db);
  await sql`update server_processes set started_at = now()`.execute(db);
  expect(await announced(campaign)).toBe(0);
  await sql`update server_processes set started_at = now() - interval '1 hour'`.execute(db);
  expect(await announced(campaign)).toBe(1);
});

test('a request is rejected as it was seen', async () => {
  await addDevice('rejected');
  const ad = await addAd(dealer, 'creative', video.id);
  const body = {
    name: 'rejected',
    adIds: [ad.id],
    devices: { filter: { tags: { all: ['rejected'] } } },
    schedule: { from: today(), to: addDays(today(), 5) },
    goal: { kind: 'perHour' as const, value: 6 },
    price: { kind: 'fixed' as const, amount: '1', currency: 'EUR' },
  };
  const params = { id: dataOf(await dealer.calls.campaigns.create({ body })).id };
  const { updatedAt } = dataOf(await dealer.calls.campaigns.request({ params }));
  dataOf(await dealer.calls.campaigns.update({ params, body: { ...body, name: 'changed' } }));
  const again = dataOf(await dealer.calls.campaigns.request({ params }));
  const reject = (seen: string) =>
    dealer.calls.campaigns.reject({ params, body: { remark: 'Too loud', updatedAt: seen } });
  expect(await reject(updatedAt)).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
  expect(dataOf(await reject(again.updatedAt)).state).toBe('rejected');
});

/** The campaign ends some days ago, on its devices too. */
async function end({ id }: Campaign, daysAgo: number): Promise<void> {
  const last = addDays(today(), -daysAgo);
  const first = addDays(last, -5);
  const schedule = JSON.stringify({ from: first, to: last });
  await sql`
    update campaigns set starts_on = ${first}, ends_on = ${last}, schedule = schedule || ${schedule}::jsonb
    where id = ${id}`.execute(db);
  await sql`update releases set schedule = schedule || ${schedule}::jsonb where campaign_id = ${id}`.execute(db);
}

test('a shortfall is announced until the flight is over everywhere on Earth', async () => {
  const { device } = await addDevice('west', 'Etc/GMT+12');
  const campaign = await book('west');
  await end(campaign, 1);
  await sql`update campaigns set decided_at = now() - interval '5 days' where id = ${campaign.id}`.execute(db);
  await sql`update devices set last_seen_at = now() - interval '40 hours' where id = ${device.id}`.execute(db);
  await sql`update campaigns set short = 7, short_since = now() where id = ${campaign.id}`.execute(db);
  expect(await countAnnounced(db, campaign)).toBe(1);
  const { items } = dataOf(await dealer.calls.campaigns.list({ query: { short: 'true', q: 'west' } }));
  expect(items).toHaveLength(1);
});

test('a campaign that is over leaves its devices, and its files can be deleted; its plays still count', async () => {
  const player = await addDevice('over');
  const own = await addFile(server, dealer, await makeMp4(1, 3), { name: 'own.mp4', orientation: 'vertical', kind: 2 });
  const ad = await addAd(dealer, 'own', own.id);
  const { id } = dataOf(
    await dealer.calls.campaigns.create({
      body: {
        name: 'over',
        adIds: [ad.id],
        devices: { ids: [player.device.id] },
        schedule: { from: today(), to: addDays(today(), 5) },
        goal: { kind: 'total', value: 10 },
        price: { kind: 'fixed', amount: '5', currency: 'EUR' },
      },
    }),
  );
  const campaign = dataOf(await dealer.calls.campaigns.book({ params: { id } }));
  const { screens } = dataOf(await player.calls.player.manifest());
  const [programme] = screens.main;
  const [item] = programme?.regions.full ?? [];
  await settleCampaigns(server.deps);
  expect(dataOf(await player.calls.player.manifest()).screens.main).toHaveLength(1);

  await end(campaign, 2);
  await settleCampaigns(server.deps);
  const after = dataOf(await player.calls.player.manifest());
  expect([after.screens.main, after.files]).toEqual([[], []]);
  expect(await get(campaign)).toMatchObject({ state: 'booked', phase: 'completed' });
  dataOf(await dealer.calls.files.delete({ params: { id: own.id } }));

  // A device that was offline reports later.
  await sql`update releases set released_at = now() - interval '9 days' where campaign_id = ${id}`.execute(db);
  await sql`
    update release_devices set started_at = now() - interval '9 days'
    where device_id = ${player.device.id}`.execute(db);
  const at = `${addDays(today(), -3)}T12:00:00.000Z`;
  const play = { releaseId: programme?.releaseId ?? '', screen: 'main' as const, at, durationMs: 1000 };
  const sha256 = item?.kind === 'file' ? item.sha256 : '';
  const reported = dataOf(await player.calls.player.plays({ body: { batch: uuidv7(), plays: [{ ...play, sha256 }] } }));
  expect(reported).toMatchObject({ accepted: 1, rejected: 0 });
  await replanCampaigns(db, Date.now());
  expect((await get(campaign)).progress?.delivered).toBe(1);
});

test('a failure of a device that is deleted ends then, and is forgotten in its time', async () => {
  const failuresOf = async ({ device: { id } }: Paired) =>
    (
      await sql<{
        ended: boolean;
      }>`select until is not null as ended from device_failures where device_id = ${id}`.execute(db)
    ).rows;
  const [failing, gone] = [await addDevice('deleted'), await addDevice('deleted')];
  for (const each of [failing, gone]) await report(each, 'failed');
  dataOf(await dealer.calls.devices.delete({ params: { id: gone.device.id } }));
  expect([await failuresOf(failing), await failuresOf(gone)]).toEqual([[{ ended: false }], [{ ended: true }]]);
  // Older ones of deleted devices never ended.
  await sql`
    update device_failures set since = now() - interval '401 days', until = null
    where device_id = any(${[failing, gone].map(({ device }) => device.id)}::uuid[])`.execute(db);
  await forgetPresence(db);
  expect([await failuresOf(failing), await failuresOf(gone)]).toEqual([[{ ended: false }], []]);
});
