import { addDays, type Campaign } from '@ams/contract';
import { sql } from 'kysely';
import { watchCampaigns } from '../src/alerts/campaigns.ts';
import { ALERT_LINKS } from '../src/features.ts';
import type { Db } from '../src/platform/database/database.ts';
import { pairedDevice } from './device.ts';
import { dataOf, type Session, type TestServer } from './server.ts';

export type Paired = Awaited<ReturnType<typeof pairedDevice>>;

const HOUR_MS = 3_600_000;

/** A device with a tag that was seen a moment ago. */
export async function addTagged(server: TestServer, owner: Session, tag: string, timeZone = 'UTC'): Promise<Paired> {
  const player = await pairedDevice(server, owner);
  const { id } = player.device;
  await sql`update devices set time_zone = ${timeZone}, last_seen_at = now() where id = ${id}`.execute(server.deps.db);
  dataOf(await owner.calls.devices.update({ params: { id }, body: { tags: [tag] } }));
  return player;
}

interface Drafted {
  customer: Session;
  adId: string;
  deviceId: string;
}

/** A draft of a dealer for a customer: six plays an hour of an ad on a device, from today for six days. */
export async function draftCampaign(dealer: Session, { customer, adId, deviceId }: Drafted): Promise<Campaign> {
  const today = new Date().toISOString().slice(0, 10);
  const body = {
    name: 'Spring',
    customerId: customer.user.id,
    adIds: [adId],
    devices: { ids: [deviceId] },
    schedule: { from: today, to: addDays(today, 5) },
    goal: { kind: 'perHour' as const, value: 6 },
    price: { kind: 'perPlay' as const, amount: '1', currency: 'EUR' },
  };
  return dataOf(await dealer.calls.campaigns.create({ body }));
}

/** The campaign began some hours ago. */
export async function beginCampaign(db: Db, { id }: Campaign, hours: number): Promise<void> {
  const from = new Date(Date.now() - hours * HOUR_MS);
  const day = from.toISOString().slice(0, 10);
  await sql`
    update campaigns set decided_at = ${from}, starts_on = ${day}, schedule = jsonb_set(schedule, '{from}', to_jsonb(${day}::text))
    where id = ${id}`.execute(db);
  await sql`update campaign_devices set paced_from = ${from} where campaign_id = ${id}`.execute(db);
}

/** Alerts by webhook that were sent because a campaign cannot be delivered in full, after a look at all campaigns. */
export async function countAnnounced(db: Db, { id }: Campaign): Promise<number> {
  await watchCampaigns(db, ALERT_LINKS);
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from graphile_worker._private_jobs
    where payload ->> 'occasion' = 'short' and (payload -> 'campaignIds')::jsonb @> ${JSON.stringify([id])}::jsonb
      and payload ->> 'way' = 'webhook'`.execute(db);
  return rows[0]?.n ?? 0;
}
