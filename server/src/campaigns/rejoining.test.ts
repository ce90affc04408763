import { addDays, type Campaign, type MediaFile, type Statement } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { changedMeanwhile } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { replanCampaigns } from './replan.service.ts';
import { getRevenue } from './revenue.service.ts';
import { settleCampaigns } from './settle.service.ts';
import { getStatement } from './statement.service.ts';

/** Statements of standing campaigns that devices leave and rejoin. */
const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);
let dealer: Session;
let video: MediaFile;

const HOUR_MS = 3_600_000;
const BOOKED_HOURS_AGO = 54;
const PLAYS_AN_HOUR = 6;
const TODAY = new Date().toISOString().slice(0, 10);
const ago = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

beforeAll(async () => {
  dealer = await server.createUser('leading');
  video = await addFile(server, dealer, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
});

const update = (id: string, body: Parameters<Session['calls']['devices']['update']>[0]['body']) =>
  dealer.calls.devices.update({ params: { id }, body }).then(dataOf);

async function addDevice(tag: string): Promise<string> {
  const { id } = (await pairedDevice(server, dealer)).device;
  await sql`update devices set time_zone = 'UTC', last_seen_at = now() where id = ${id}`.execute(db);
  await update(id, { tags: [tag], expiresAt: null });
  return id;
}

/** A campaign that was booked 54 hours ago on the devices with a tag, also later ones. */
async function book(tag: string): Promise<Campaign> {
  const ad = await addAd(dealer, 'creative', video.id);
  const body = {
    name: tag,
    customerId: dealer.user.id,
    adIds: [ad.id],
    devices: { filter: { tags: { all: [tag] } } },
    standing: true,
    schedule: { from: addDays(TODAY, -3), to: addDays(TODAY, 40) },
    goal: { kind: 'perHour' as const, value: PLAYS_AN_HOUR },
    price: { kind: 'perPlay' as const, amount: '1', currency: 'EUR' },
  };
  const { id } = dataOf(await dealer.calls.campaigns.create({ body }));
  const campaign = dataOf(await dealer.calls.campaigns.book({ params: { id } }));
  const from = ago(BOOKED_HOURS_AGO);
  await sql`update campaigns set decided_at = ${from} where id = ${id}`.execute(db);
  await sql`update campaign_carriers set joined_at = ${from} where campaign_id = ${id}`.execute(db);
  await sql`update campaign_devices set paced_from = ${from} where campaign_id = ${id}`.execute(db);
  return campaign;
}

const settle = () => settleCampaigns(server.deps);
const statementOf = async ({ id }: Campaign, query = {}): Promise<Statement> =>
  dataOf(await dealer.calls.campaigns.statement({ params: { id }, query }));

/** The part of a statement that says what was agreed and delivered until the day before yesterday: all of it is due. */
async function pastOf(campaign: Campaign) {
  const { createdAt: _at, devices, ...rest } = await statementOf(campaign, { to: addDays(TODAY, -2) });
  return { ...rest, devices: devices.map(({ leftAt: _leftAt, ...device }) => device) };
}

const orderedThisMonth = async () => dataOf(await dealer.calls.campaigns.revenue({ query: {} })).now.sums;

test('what was ordered, and why plays of past days are missing, stays when a device leaves and rejoins under other terms', async () => {
  const tag = 'rejoins';
  const [steady, moving] = [await addDevice(tag), await addDevice(tag)];
  const campaign = await book(tag);
  const [before, month, whole] = [await pastOf(campaign), await orderedThisMonth(), await statementOf(campaign)];
  expect(before.missed).toBeGreaterThan(0);
  await update(moving, { tags: [] });
  await settle();
  expect(await pastOf(campaign)).toEqual(before);
  // Open on one day only: its part of the order would be due on that day.
  const tomorrow = { date: addDays(TODAY, 1), hours: [{ from: '08:00', to: '18:00' }] };
  await update(moving, { tags: [tag], workingHours: { weekly: {}, exceptions: [tomorrow] } });
  await settle();
  expect(dataOf(await dealer.calls.campaigns.get({ params: { id: campaign.id } })).deviceCount).toBe(2);
  expect((await pastOf(campaign)).days).toEqual(before.days);
  expect(await orderedThisMonth()).toEqual(month);
  const after = await statementOf(campaign);
  const own = (statement: Statement) =>
    statement.devices.map(({ id, ordered, due }) => ({ id, ordered, due })).toSorted((a) => (a.id === steady ? -1 : 1));
  expect(own(after)).toEqual(own(whole));
});

test('the time in which a device did not carry the campaign is a gap because it left, whatever came after it', async () => {
  const tag = 'away';
  const device = await addDevice(tag);
  const campaign = await book(tag);
  for (const [leftAgo, backAgo] of [
    [25, 20],
    [10, 5],
  ] as const) {
    await update(device, { tags: [] });
    await settle();
    await sql`update campaign_carriers set left_at = ${ago(leftAgo)}
      where campaign_id = ${campaign.id} and left_at > now() - interval '1 minute'`.execute(db);
    await update(device, { tags: [tag] });
    await settle();
    await sql`update campaign_carriers set joined_at = ${ago(backAgo)}
      where campaign_id = ${campaign.id} and left_at is null`.execute(db);
  }
  const [row] = (await statementOf(campaign)).devices;
  const left = row?.gaps.find(({ reason }) => reason === 'left');
  expect(Math.round((left?.durationMs ?? 0) / HOUR_MS)).toBe(10);
  // The order was counted from today on, and is divided over the days before it, too.
  expect((left?.plays ?? 0) / (10 * PLAYS_AN_HOUR)).toBeCloseTo(1, 0);
  expect(row).toMatchObject({ joinedAt: null, leftAt: null });
  await update(device, { tags: [] });
  await settle();
  expect((await statementOf(campaign)).devices[0]?.leftAt).not.toBeNull();
});

test('what devices that join add to the order is part of each view of the statement, from when they join until they leave', async () => {
  const tag = 'joins';
  await addDevice(tag);
  const campaign = await book(tag);
  const before = await statementOf(campaign);
  const device = await addDevice(tag);
  await settle();
  const joined = (hours: number) =>
    sql`update campaign_carriers set joined_at = ${ago(hours)}
      where campaign_id = ${campaign.id} and device_id = ${device} and left_at is null`.execute(db);
  await joined(20);
  await update(device, { tags: [] });
  await settle();
  await sql`update campaign_carriers set left_at = ${ago(10)}
    where campaign_id = ${campaign.id} and device_id = ${device}`.execute(db);
  await sql`update campaign_carriers set order_ended = false where campaign_id = ${campaign.id}`.execute(db);
  await settle();
  await update(device, { tags: [tag] });
  await settle();
  const after = await statementOf(campaign);
  const row = after.devices.find(({ id }) => id === device);
  expect(row).toMatchObject({ due: 10 * PLAYS_AN_HOUR, leftAt: null, joinedAt: expect.any(String) });
  expect(row?.ordered).toBeGreaterThan(39 * 24 * PLAYS_AN_HOUR);
  expect(after.ordered - before.ordered).toBe(row?.ordered);
  expect(dataOf(await dealer.calls.campaigns.get({ params: { id: campaign.id } })).ordered).toBe(after.ordered);
  for (const view of ['days', 'areas', 'devices', 'creatives'] as const) {
    const rows: readonly { ordered: number }[] = after[view];
    expect([view, rows.reduce((sum, { ordered }) => sum + ordered, 0)]).toEqual([view, after.ordered]);
  }
  // It played nothing: all of its plays are missing, none of them because it left.
  expect(row?.gaps.reduce((sum, { plays }) => sum + plays, 0)).toBe(10 * PLAYS_AN_HOUR);
  expect(row?.gaps.map(({ reason }) => reason)).not.toContain('left');
  const other = after.devices.find(({ id }) => id !== device);
  expect(other?.ordered).toBe(before.devices[0]?.ordered);
});

test('what a joined device adds to days that are over stays when its hours, zone or expiry change', async () => {
  const tag = 'changes';
  await addDevice(tag);
  const campaign = await book(tag);
  const device = await addDevice(tag);
  await settle();
  await sql`update campaign_carriers set joined_at = ${ago(30)}
    where campaign_id = ${campaign.id} and device_id = ${device}`.execute(db);
  const own = async () => {
    const { devices } = await statementOf(campaign, { to: addDays(TODAY, -1) });
    return devices.find(({ id }) => id === device);
  };
  const due = async () => {
    await replanCampaigns(db, Date.now());
    return dataOf(await dealer.calls.campaigns.get({ params: { id: campaign.id } })).progress?.due ?? 0;
  };
  const [before, dueBefore] = [await own(), await due()];
  await update(device, { expiresAt: addDays(TODAY, 20) });
  await settle();
  const after = await statementOf(campaign);
  expect(await own()).toEqual(before);
  expect(dataOf(await dealer.calls.campaigns.get({ params: { id: campaign.id } })).ordered).toBe(after.ordered);
  expect(after.devices.reduce((sum, { ordered }) => sum + ordered, 0)).toBe(after.ordered);
  const expiring = after.devices.find(({ id }) => id === device);
  expect(expiring?.ordered).toBeLessThan(23 * 24 * PLAYS_AN_HOUR);
  expect(expiring?.leftAt).toBeNull();
  // Not only plays from now on are due.
  expect(await due()).toBeGreaterThan(0.9 * dueBefore);
});

test('what the orders of this month would give contains what joined devices add', async () => {
  const owner = dealer;
  dealer = await server.createUser('leading');
  const spot = video;
  video = await addFile(server, dealer, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
  const tag = 'month';
  await addDevice(tag);
  const campaign = await book(tag);
  await addDevice(tag);
  await settle();
  const month = TODAY.slice(0, 7);
  const { days } = await statementOf(campaign);
  const plays = days.reduce((sum, { day, ordered }) => sum + (day.startsWith(month) ? ordered : 0), 0);
  expect(await orderedThisMonth()).toMatchObject([{ currency: 'EUR', ordered: `${plays}.00` }]);
  [dealer, video] = [owner, spot];
});

test('the order and the scans of past days stay when a device is deleted whose clock was changed since', async () => {
  const tag = 'deleted';
  const device = await addDevice(tag);
  await addDevice(tag);
  const campaign = await book(tag);
  await update(device, { timeZone: 'Pacific/Kiritimati' });
  const releaseId = campaign.creatives[0]?.releaseId;
  await sql`update releases set programme = programme || '{"qr": {"url": "https://example.org/"}}' where id = ${releaseId}`.execute(
    db,
  );
  // The next day by the clock of the device.
  await sql`insert into scan_hours (release_id, device_id, hour, scans)
    values (${releaseId}, ${device}, ${`${addDays(TODAY, -2)}T12:00:00Z`}, 3)`.execute(db);
  const ordered = async () => {
    const { days, timeZones } = await statementOf(campaign);
    return { timeZones: timeZones.toSorted(), days: days.map((day) => [day.day, day.ordered, day.scans]) };
  };
  const before = await ordered();
  dataOf(await dealer.calls.devices.delete({ params: { id: device } }));
  expect(await ordered()).toEqual(before);
});

test('a device that joins while a statement or the revenue is read takes nothing from the part of others', async () => {
  const tag = 'meanwhile';
  const device = await addDevice(tag);
  const campaign = await book(tag);
  const part = ({ devices }: Statement) => devices.find((row) => row.id === device)?.ordered;
  const before = part(await statementOf(campaign));
  await addDevice(tag);
  expect(part(await getStatement(changedMeanwhile(db, settle), dealer.user, campaign.id, {}))).toBe(before);
  await addDevice(tag);
  const ordered = await orderedThisMonth();
  expect((await getRevenue(changedMeanwhile(db, settle), dealer.user, {})).now.sums).toEqual(ordered);
});
