import { addDays, type Campaign } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { addTagged, beginCampaign, type Paired } from '../../test/campaigns.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { addPictureAd } from '../../test/media.ts';
import { meanwhile } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { replanCampaigns } from './replan.service.ts';
import { settleCampaigns } from './settle.service.ts';

/** Campaigns that several people and jobs change at once. */
const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);
const TODAY = new Date().toISOString().slice(0, 10);

let dealer: Session;
let adId: string;
beforeAll(async () => {
  dealer = await server.createUser('leading');
  ({ id: adId } = await addPictureAd(server, dealer));
});

beforeEach(() => sql`update users set remark = null where id = ${dealer.user.id}`.execute(db));

/** A draft for the devices with a tag, also later ones. */
async function draft(tag: string): Promise<Campaign> {
  const body = {
    name: tag,
    adIds: [adId],
    devices: { filter: { tags: { any: [tag] } } },
    standing: true,
    schedule: { from: TODAY, to: addDays(TODAY, 5) },
    goal: { kind: 'perHour' as const, value: 6 },
    price: { kind: 'perPlay' as const, amount: '1', currency: 'EUR' },
  };
  return dataOf(await dealer.calls.campaigns.create({ body }));
}

test('a campaign that passes to another customer meanwhile is found', async () => {
  const { id } = await draft('passed');
  const customer = await server.createUser('member', dealer);
  const answer = await meanwhile(db, {
    hold: sql`select from campaigns where id = ${id} for update`,
    call: () => dealer.calls.campaigns.delete({ params: { id } }),
    change: sql`update campaigns set customer_id = ${customer.user.id} where id = ${id}`,
  });
  expect(answer.code).toBe(200);
});

async function book(tag: string): Promise<{ campaign: Campaign; player: Paired }> {
  const player = await addTagged(server, dealer, tag);
  const { id } = await draft(tag);
  return { campaign: dataOf(await dealer.calls.campaigns.book({ params: { id } })), player };
}

const retag = (id: string, ...tags: string[]) =>
  dealer.calls.devices.update({ params: { id }, body: { tags } }).then(dataOf);

/** Notes whether nobody holds these rows: whoever does, and waits for what comes before them, waits forever. */
const noteFree = (rows: RawBuilder<unknown>) => sql`
  with free as (${rows} for no key update skip locked)
  update users set remark = 'free' where id = ${dealer.user.id} and exists (select from free)`;

async function expectFree(): Promise<void> {
  const user = db.selectFrom('users').select('remark').where('id', '=', dealer.user.id);
  expect(await user.executeTakeFirst()).toEqual({ remark: 'free' });
}

const holdCampaign = ({ id }: Campaign) => sql`select from campaigns where id = ${id} for update`;
const rowOf = (id: string) => sql`select from devices where id = ${id}`;

test('devices that join and leave a campaign are held after its releases', async () => {
  const { campaign, player } = await book('follow');
  const joining = await addTagged(server, dealer, 'follow');
  await retag(player.device.id, 'left');
  await meanwhile(db, {
    hold: sql`select from releases where campaign_id = ${campaign.id} for no key update`,
    call: () => settleCampaigns(server.deps),
    change: noteFree(rowOf(joining.device.id)),
  });
  await expectFree();
  expect((await joining.manifest()).screens.main.map(({ name }) => name)).toEqual(['Autumn']);
  expect((await player.manifest()).screens.main).toEqual([]);
});

test('a campaign is held before its devices get another pace', async () => {
  const { campaign, player } = await book('pace');
  await beginCampaign(db, campaign, 30);
  await meanwhile(db, {
    hold: holdCampaign(campaign),
    call: () => replanCampaigns(db, Date.now()),
    change: noteFree(rowOf(player.device.id)),
  });
  await expectFree();
});

test('a campaign is held before the time of a device is freed', async () => {
  const { campaign, player } = await book('freed');
  const { id } = player.device;
  dataOf(await dealer.calls.devices.clear({ params: { id } }));
  const ofDevice = sql`select from campaign_devices where campaign_id = ${campaign.id} and device_id = ${id}`;
  await meanwhile(db, {
    hold: holdCampaign(campaign),
    call: () => settleCampaigns(server.deps),
    change: noteFree(ofDevice),
  });
  await expectFree();
  expect((await sql`${ofDevice}`.execute(db)).rows).toEqual([]);
});

test('whoever holds a campaign does not keep devices from reporting plays of it', async () => {
  const { campaign, player } = await book('plays');
  const { id } = campaign;
  await meanwhile(db, {
    // Plays hold the device, and then, by their foreign keys, the campaign that they are of.
    hold: sql`select from devices where id = ${player.device.id} for share`,
    call: () => dealer.calls.campaigns.cancel({ params: { id } }),
    change: sql`
      with free as (select from campaigns where id = ${id} for key share skip locked)
      update users set remark = 'free' where id = ${dealer.user.id} and exists (select from free)`,
  });
  await expectFree();
});
