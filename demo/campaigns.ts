import { addDays, type CampaignBody, utcDate } from '@ams/contract';
import { dataOf } from '@ams/fleet/calls';
import { sql } from 'kysely';
import { replanCampaigns } from '../server/src/campaigns/replan.service.ts';
import type { Db } from '../server/src/platform/database/database.ts';
import type { CustomerName, Place } from './cast.ts';
import type { Ads, Devices, People } from './seed.ts';

const HOUR_MS = 3_600_000;
const HOURS_A_DAY = 24;
const WHAT = 'The campaigns of the demo cannot be set up';
const PLAYS_AN_HOUR = 6;

interface Story {
  name: string;
  customer: CustomerName;
  ad: string;
  /** Days of the flight that are over, and those that are to come, today included. */
  daysAgo: number;
  daysLeft: number;
  price: CampaignBody['price'];
  /** Delivered plays, of those that were due. */
  delivered: number;
}

const isSteady = ({ part }: Place): boolean => part === 'plays';

const devicesOf = (devices: Devices, customer: CustomerName): string[] =>
  [...devices].flatMap(([place, { id }]) => (place.owner === customer && isSteady(place) ? [id] : []));

const bodyOf = (story: Story, ids: string[], now: number): CampaignBody => ({
  name: story.name,
  adIds: [story.ad],
  devices: { ids },
  schedule: { from: addDays(utcDate(now), -story.daysAgo), to: addDays(utcDate(now), story.daysLeft - 1) },
  goal: { kind: 'perHour', value: PLAYS_AN_HOUR },
  price: story.price,
});

/** Moves a booking back to the begin of its flight, and delivers a part of what has been due since. */
async function deliver(db: Db, id: string, story: Story, now: number): Promise<void> {
  const begin = new Date(Date.parse(`${addDays(utcDate(now), -story.daysAgo)}T00:00:00Z`));
  const hours = Math.floor((now - begin.getTime()) / HOUR_MS);
  const ordered = (story.daysAgo + story.daysLeft) * HOURS_A_DAY * PLAYS_AN_HOUR;
  await sql`
    update campaigns c set created_at = ${begin}, decided_at = ${begin},
      ordered = ${ordered} * (select count(*) from campaign_devices cd where cd.campaign_id = c.id)
    where c.id = ${id}`.execute(db);
  await sql`update campaign_devices set paced_from = ${begin} where campaign_id = ${id}`.execute(db);
  await sql`update campaign_carriers set joined_at = ${begin} where campaign_id = ${id}`.execute(db);
  await sql`
    insert into campaign_hours (campaign_id, device_id, hour, release_id, spots, duration_ms)
    select cd.campaign_id, cd.device_id, ${begin}::timestamptz + make_interval(hours => n), k.release_id, s.spots,
      round(s.spots * cd.spot_ms)
    from campaign_devices cd join campaign_creatives k on k.campaign_id = cd.campaign_id
      cross join generate_series(0, ${hours - 1}::integer) n
      -- Some hours have more plays and some have fewer.
      cross join lateral (select ${PLAYS_AN_HOUR * story.delivered} * (1 + 0.1 * sin(n))::float8 as spots) s
    where cd.campaign_id = ${id}
    on conflict do nothing`.execute(db);
}

/** A campaign that is ahead of its plan, one behind with make-goods, and one that waits for approval. */
export async function addCampaigns(db: Db, people: People, devices: Devices, ads: Ads, now: number): Promise<void> {
  const dealer = people.northlight.calls;
  const stories: Story[] = [
    {
      ...{ name: 'Autumn sale', customer: 'harbourmall', ad: ads.sale.id, daysAgo: 8, daysLeft: 20, delivered: 1.12 },
      price: { kind: 'perThousand', amount: '12.50', currency: 'GBP' },
    },
    {
      ...{ name: 'Flat white week', customer: 'lumencafe', ad: ads.coffee.id, daysAgo: 9, daysLeft: 12 },
      ...{ delivered: 0.86, price: { kind: 'fixed', amount: '950.00', currency: 'GBP' } },
    },
  ];
  for (const story of stories) {
    const body = { ...bodyOf(story, devicesOf(devices, story.customer), now), customerId: people[story.customer].id };
    const { id } = dataOf(await dealer.campaigns.create({ body }), WHAT);
    dataOf(await dealer.campaigns.book({ params: { id } }), WHAT);
    await deliver(db, id, story, now);
  }
  const terrace: Story = {
    ...{ name: 'Terrace season', customer: 'lumencafe', ad: ads.terrace.id, daysAgo: -3, daysLeft: 24, delivered: 0 },
    price: { kind: 'perPlay', amount: '0.02', currency: 'GBP' },
  };
  const { calls } = people.lumencafe;
  const body = bodyOf(terrace, devicesOf(devices, 'lumencafe'), now);
  const { id } = dataOf(await calls.campaigns.create({ body }), WHAT);
  dataOf(await calls.campaigns.request({ params: { id } }), WHAT);
  await replanCampaigns(db, now);
}
