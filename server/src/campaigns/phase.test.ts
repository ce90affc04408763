import { addDays, type Campaign } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addTagged } from '../../test/campaigns.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { replanCampaigns } from './replan.service.ts';

const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);
const dealer = await server.createUser('leading');
const video = await addFile(server, dealer, await makeMp4(1, 2), { name: 'a.mp4', orientation: 'vertical', kind: 2 });

const HOUR_MS = 3_600_000;
const today = new Date().toISOString().slice(0, 10);

/** A booked campaign that begins some days from today, on a device of its own. */
async function book(tag: string, inDays: number): Promise<Campaign> {
  await addTagged(server, dealer, tag, 'UTC');
  const ad = await addAd(dealer, 'creative', video.id);
  const { id } = dataOf(
    await dealer.calls.campaigns.create({
      body: {
        name: tag,
        adIds: [ad.id],
        devices: { filter: { tags: { all: [tag] } } },
        standing: true,
        schedule: { from: addDays(today, inDays), to: addDays(today, inDays + 3) },
        goal: { kind: 'perHour', value: 60 },
        price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
      },
    }),
  );
  return dataOf(await dealer.calls.campaigns.book({ params: { id } }));
}

const get = async ({ id }: Campaign): Promise<Campaign> => dataOf(await dealer.calls.campaigns.get({ params: { id } }));

test('a campaign runs as soon as it plays on a device whose day begins before that of the server', async () => {
  const campaign = await book('early', 1);
  expect(campaign).toMatchObject({ phase: 'upcoming', progress: null });
  const firstDay = Date.parse(`${addDays(today, 1)}T00:00:00Z`);
  await replanCampaigns(db, firstDay + HOUR_MS);
  const begun = await get(campaign);
  expect(begun.phase).toBe('running');
  expect(begun.progress?.due).toBeGreaterThan(0);
});

/** Puts the devices of a campaign further behind than any place on Earth, so that it is not yet today there at any hour. */
const putBehind = ({ id }: Campaign) =>
  sql`
    update devices set time_zone = 'WEST+25' where id in (
      select device_id from campaign_devices where campaign_id = ${id})`.execute(db);

test('a campaign whose first day has begun on none of its devices does not run', async () => {
  const campaign = await book('behind', 0);
  expect(campaign).toMatchObject({ phase: 'running' });
  await putBehind(campaign);
  expect(await get(campaign)).toMatchObject({ phase: 'upcoming', progress: null });
});

test('a campaign runs until its last day is over on each of its devices', async () => {
  const campaign = await book('late', 0);
  await sql`
    update campaigns set starts_on = current_date - 5, ends_on = current_date - 1 where id = ${campaign.id}`.execute(
    db,
  );
  expect(await get(campaign)).toMatchObject({ phase: 'completed' });
  await putBehind(campaign);
  expect(await get(campaign)).toMatchObject({ phase: 'running' });
  await sql`update campaigns set short = 3, short_since = now() where id = ${campaign.id}`.execute(db);
  const { behind } = dataOf(await dealer.calls.campaigns.revenue({ query: {} }));
  expect(behind.flatMap(({ campaigns }) => campaigns.map(({ id }) => id))).toContain(campaign.id);
});

test('a campaign runs until the last night of its hours is over', async () => {
  const campaign = await book('night', 0);
  // It is noon on the device, on the day of the server, at any hour.
  const behind = new Date().getUTCHours() - 12;
  const zone = `NOON${behind < 0 ? '' : '+'}${behind}`;
  await sql`
    update devices set time_zone = ${zone} where id in (
      select device_id from campaign_devices where campaign_id = ${campaign.id})`.execute(db);
  const phaseWith = async (hours: object[] | null) => {
    const schedule = { from: addDays(today, -5), to: addDays(today, -1), hours };
    await sql`
      update campaigns set schedule = ${JSON.stringify(schedule)}::jsonb, starts_on = current_date - 5,
        ends_on = current_date - 1 where id = ${campaign.id}`.execute(db);
    return (await get(campaign)).phase;
  };
  const hours = { from: '20:00', to: '18:00' };
  expect(await phaseWith([{ from: '08:00', to: '09:00' }, hours])).toBe('running');
  expect(await phaseWith([{ ...hours, to: '06:00' }])).toBe('completed');
  expect(await phaseWith([{ from: '06:00', to: '18:00' }])).toBe('completed');
  expect(await phaseWith(null)).toBe('completed');
});
