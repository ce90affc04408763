import { randomUUID } from 'node:crypto';
import { addDays, type Campaign, type CampaignBody, type MediaFile, type WorkingHours } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addTagged, beginCampaign, countAnnounced, type Paired } from '../../test/campaigns.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { foreseeCampaigns, replanCampaigns, replanTasks } from './replan.service.ts';
import { settleCampaigns } from './settle.service.ts';

const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);
let dealer: Session;
let video: MediaFile;

const HOUR_MS = 3_600_000;
const today = (): string => new Date().toISOString().slice(0, 10);

beforeAll(async () => {
  dealer = await server.createUser('leading');
  video = await addFile(server, dealer, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
});

const addDevice = (tag: string, owner = dealer, timeZone = 'UTC'): Promise<Paired> =>
  addTagged(server, owner, tag, timeZone);

/** A booked campaign of 20 days, from a number of days after today on, on the devices with a tag, also later ones. */
async function book(tag: string, goal: CampaignBody['goal'], inDays = 0): Promise<Campaign> {
  const ad = await addAd(dealer, 'creative', video.id);
  const made = dataOf(
    await dealer.calls.campaigns.create({
      body: {
        name: tag,
        adIds: [ad.id],
        devices: { filter: { tags: { all: [tag] } } },
        standing: true,
        schedule: { from: addDays(today(), inDays), to: addDays(today(), inDays + 19) },
        goal,
        price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
      },
    }),
  );
  return dataOf(await dealer.calls.campaigns.book({ params: { id: made.id } }));
}

const get = async ({ id }: Campaign): Promise<Campaign> => dataOf(await dealer.calls.campaigns.get({ params: { id } }));
const paceOn = async (player: Paired) => dataOf(await player.calls.player.manifest()).screens.main[0]?.pace;

const begin = (campaign: Campaign, hours: number) => beginCampaign(db, campaign, hours);

const count = (campaign: Campaign, { device }: Paired, spots: number) =>
  sql`
    insert into campaign_hours (campaign_id, device_id, hour, release_id, spots, duration_ms)
    values (${campaign.id}, ${device.id}, date_trunc('hour', now()) - interval '2 hours',
      ${campaign.creatives[0]?.releaseId}, ${spots}, 0)
    on conflict (campaign_id, device_id, hour, release_id)
    do update set spots = campaign_hours.spots + excluded.spots`.execute(db);

test('a device that joins a standing campaign with a total takes over a part of what is left', async () => {
  const first = await addDevice('total');
  const campaign = await book('total', { kind: 'total', value: 4000 });
  const alone = await paceOn(first);
  const joining = await addDevice('total');
  await settleCampaigns(server.deps);
  await replanCampaigns(db, Date.now());
  const [before, after] = [await paceOn(first), await paceOn(joining)];
  expect(after).toBeDefined();
  expect(before?.everyMs).toBeGreaterThan(1.2 * (alone?.everyMs ?? Infinity));
  expect(after?.everyMs).toBeLessThan(4 * (before?.everyMs ?? 0));
  const { progress, deviceCount } = await get(campaign);
  expect(deviceCount).toBe(2);
  expect(progress?.forecast).toBeGreaterThanOrEqual(4000);
  expect(progress?.forecast).toBeLessThanOrEqual(4040);
});

/** Plays that become due while a test runs. */
const A_MOMENT = 5;

/** A time zone in which it is between noon and one o'clock, on the same day as in UTC. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

test.each([
  ['plays per hour', 'hourly', { kind: 'perHour', value: 6 }],
  ['a share', 'shared', { kind: 'share', value: 5 }],
] as const)(
  'a device that joins a standing campaign with %s adds its plays to the order, and no screen slows down',
  async (_goal, name, goal) => {
    // Soon after midnight the first device lacks less than a change of pace is worth: that is made good later.
    const zone = noonZone();
    const first = await addDevice(name, dealer, zone);
    const campaign = await book(name, goal);
    const alone = (await paceOn(first))?.everyMs ?? 0;
    const { ordered } = await get(campaign);
    const joining = await addDevice(name, dealer, zone);
    await settleCampaigns(server.deps);
    await replanCampaigns(db, Date.now());
    for (const player of [first, joining]) {
      const { everyMs = 0 } = (await paceOn(player)) ?? {};
      // Re-planning aims a little above the order.
      expect(everyMs / alone).toBeGreaterThan(0.9);
      expect(everyMs / alone).toBeLessThan(1.001);
    }
    const both = await get(campaign);
    const whole = (20 * 24 * HOUR_MS) / alone;
    // The first was booked for all of today, the second one joined it now.
    expect((both.ordered ?? 0) - (ordered ?? 0)).toBeLessThanOrEqual(whole);
    expect((both.ordered ?? 0) - (ordered ?? 0)).toBeGreaterThanOrEqual((whole * 19) / 20 - 1);
    expect(both.progress?.forecast).toBeGreaterThanOrEqual(both.ordered ?? Infinity);

    // Its plays from now on are no longer ordered once it leaves.
    await tag(joining, []);
    await settleCampaigns(server.deps);
    const left = await get(campaign);
    expect(left.deviceCount).toBe(1);
    expect(Math.abs((left.ordered ?? 0) - (ordered ?? 0))).toBeLessThanOrEqual(A_MOMENT);
    await tag(joining, [name]);
    await settleCampaigns(server.deps);
    const again = await get(campaign);
    expect(again.deviceCount).toBe(2);
    expect(Math.abs((again.ordered ?? 0) - (both.ordered ?? 0))).toBeLessThanOrEqual(A_MOMENT);
  },
);

/** The job that re-plans, alone. */
const replanJob = () => replanTasks(server.deps).campaigns_replan({}, new AbortController().signal, false);

test('no screen makes up for plays of a joined device that was deleted', async () => {
  const name = 'deleted';
  const first = await addDevice(name);
  const campaign = await book(name, { kind: 'perHour', value: 6 });
  const [steady, deleted] = [await addDevice(name), await addDevice(name)];
  await settleCampaigns(server.deps);
  await replanJob();
  const paces = async () => [(await paceOn(first))?.everyMs, (await paceOn(steady))?.everyMs];
  const before = await paces();
  const { makeGoods } = dataOf(await dealer.calls.campaigns.delivery({ params: { id: campaign.id } }));
  dataOf(await dealer.calls.devices.delete({ params: { id: deleted.device.id } }));
  await replanJob();
  expect(await paces()).toEqual(before);
  expect(dataOf(await dealer.calls.campaigns.delivery({ params: { id: campaign.id } })).makeGoods).toBe(makeGoods);
  expect((await get(campaign)).progress?.short).toBe(0);
});

test('an order is corrected although that of another campaign cannot be, also after the flight', async () => {
  const name = 'corrected';
  await addDevice(name);
  const campaigns = [await book(name, { kind: 'perHour', value: 6 }), await book(name, { kind: 'perHour', value: 6 })];
  const [broken, over] = campaigns.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  if (!broken || !over) throw new Error('two campaigns were booked');
  const joined = await addDevice(name);
  await settleCampaigns(server.deps);
  const { ordered } = await get(over);
  dataOf(await dealer.calls.devices.delete({ params: { id: joined.device.id } }));
  await sql`update campaign_carriers set time_zone = 'Nowhere' where campaign_id = ${broken.id}`.execute(db);
  await sql`update campaigns set ends_on = ${addDays(today(), -9)} where id = ${over.id}`.execute(db);
  await settleCampaigns(server.deps);
  expect((await get(over)).ordered).toBeLessThan(ordered ?? 0);
  await sql`update campaigns set state = 'cancelled', cancelled_at = now() where id = ${broken.id}`.execute(db);
});

test('a device that is configured after it has joined adds the plays of its new hours, and no screen changes its pace', async () => {
  const name = 'configured';
  const first = await addDevice(name);
  // From tomorrow on: of today, it would lack what it missed before it was booked.
  const campaign = await book(name, { kind: 'perHour', value: 6 }, 1);
  const alone = (await get(campaign)).ordered ?? 0;
  const joining = await addDevice(name);
  await settleCampaigns(server.deps);
  await replanJob();
  const pace = (await paceOn(first))?.everyMs;
  const added = async (workingHours: WorkingHours | null) => {
    dataOf(await dealer.calls.devices.update({ params: { id: joining.device.id }, body: { workingHours } }));
    await replanJob();
    expect((await paceOn(first))?.everyMs).toBe(pace);
    return ((await get(campaign)).ordered ?? 0) - alone;
  };
  const day = [{ from: '08:00', to: '20:00' }];
  const weekly = { 1: day, 2: day, 3: day, 4: day, 5: day, 6: day, 7: day };
  const always = await added(null);
  const half = await added({ weekly, exceptions: [] });
  expect(half).toBeGreaterThanOrEqual(20 * 12 * 6 - A_MOMENT);
  expect(half).toBeLessThanOrEqual(20 * 12 * 6 + A_MOMENT);
  expect(Math.abs(await added({ weekly: {}, exceptions: [] }))).toBeLessThanOrEqual(A_MOMENT);
  expect(Math.abs((await added(null)) - always)).toBeLessThanOrEqual(A_MOMENT);
  const { short } = await db
    .selectFrom('campaigns')
    .select('short')
    .where('id', '=', campaign.id)
    .executeTakeFirstOrThrow();
  expect(short).toBe(0);
});

test('a device that was booked adds nothing to the order when it rejoins the campaign, nor does a total grow', async () => {
  for (const goal of [
    { kind: 'perHour', value: 6 },
    { kind: 'total', value: 4000 },
  ] as const) {
    const name = `booked ${goal.kind}`;
    const player = await addDevice(name);
    const campaign = await book(name, goal);
    const { ordered } = await get(campaign);
    for (const tags of [[], [name]]) {
      await tag(player, tags);
      await settleCampaigns(server.deps);
    }
    if (goal.kind === 'total') await addDevice(name);
    await settleCampaigns(server.deps);
    expect(await get(campaign)).toMatchObject({ deviceCount: goal.kind === 'total' ? 2 : 1, ordered });
  }
});

test('plays of a device that joined are due from when it joined', async () => {
  const name = 'joins late';
  await addDevice(name);
  const campaign = await book(name, { kind: 'perHour', value: 6 });
  await begin(campaign, 40);
  await replanCampaigns(db, Date.now());
  const before = (await get(campaign)).progress?.due ?? 0;
  await addDevice(name);
  await settleCampaigns(server.deps);
  await replanCampaigns(db, Date.now());
  const after = (await get(campaign)).progress?.due ?? 0;
  expect(after).toBeGreaterThanOrEqual(before);
  expect(after).toBeLessThan(1.1 * before);
});

test('the group of a standing campaign takes no passing condition, and one that has got it cannot be booked', async () => {
  const name = 'grouped';
  await addDevice(name);
  const filter = { tags: { all: [name] } };
  const group = dataOf(await dealer.calls.groups.create({ body: { name, filter } }));
  const passing = { params: { id: group.id }, body: { filter: { ...filter, online: true } } };
  const refusal = { error: 'STANDING_FILTER', details: { conditions: ['online'] } };
  const ad = await addAd(dealer, 'creative', video.id);
  const made = dataOf(
    await dealer.calls.campaigns.create({
      body: {
        name,
        adIds: [ad.id],
        devices: { group: group.id },
        standing: true,
        schedule: { from: today(), to: addDays(today(), 19) },
        goal: { kind: 'perHour', value: 6 },
        price: { kind: 'perPlay', amount: '0.05', currency: 'EUR' },
      },
    }),
  );
  dataOf(await dealer.calls.groups.update(passing));
  expect(await dealer.calls.campaigns.book({ params: { id: made.id } })).toMatchObject(refusal);
  dataOf(await dealer.calls.groups.update({ params: { id: group.id }, body: { filter } }));
  dataOf(await dealer.calls.campaigns.book({ params: { id: made.id } }));
  expect(await dealer.calls.groups.update(passing)).toMatchObject(refusal);
  await settleCampaigns(server.deps);
  expect((await get(made)).deviceCount).toBe(1);
  dataOf(await dealer.calls.campaigns.cancel({ params: { id: made.id } }));
  dataOf(await dealer.calls.groups.update(passing));
});

test('a campaign on a filter is answered as it was written', async () => {
  await addDevice('filter');
  const { devices } = await book('filter', { kind: 'perHour', value: 6 });
  expect(devices).toEqual({ filter: { tags: { all: ['filter'] } } });
});

test('a device that comes back to a standing campaign continues with the spots it has played', async () => {
  const [first, other] = [await addDevice('back'), await addDevice('back')];
  const campaign = await book('back', { kind: 'perHour', value: 6 });
  await count(campaign, other, 50);
  await sql`delete from campaign_devices where campaign_id = ${campaign.id} and device_id = ${other.device.id}`.execute(
    db,
  );
  await sql`
    delete from release_devices where release_id = ${campaign.creatives[0]?.releaseId} and device_id = ${other.device.id}`.execute(
    db,
  );
  await settleCampaigns(server.deps);
  expect(await paceOn(other)).toMatchObject({ dueBefore: 50 });
  expect(await paceOn(first)).toMatchObject({ dueBefore: 0 });
});

const tag = ({ device }: Paired, tags: string[]) =>
  dealer.calls.devices.update({ params: { id: device.id }, body: { tags } }).then(dataOf);

test('a device that leaves a standing campaign and matches again rejoins it, and the plan is adjusted each time', async () => {
  const [steady, other] = [await addDevice('again'), await addDevice('again')];
  const campaign = await book('again', { kind: 'total', value: 4000 });
  const settled = async () => {
    await settleCampaigns(server.deps);
    await replanCampaigns(db, Date.now());
    const { deviceCount, progress } = await get(campaign);
    expect(progress?.forecast).toBeGreaterThanOrEqual(4000);
    expect(progress?.forecast).toBeLessThanOrEqual(4040);
    return { deviceCount, everyMs: (await paceOn(steady))?.everyMs ?? 0 };
  };
  const both = await settled();
  await tag(other, []);
  const alone = await settled();
  expect(alone.deviceCount).toBe(1);
  expect(alone.everyMs).toBeLessThan(0.6 * both.everyMs);
  expect(await paceOn(other)).toBeUndefined();
  await tag(other, ['again']);
  const again = await settled();
  expect(again.deviceCount).toBe(2);
  expect(again.everyMs).toBeGreaterThan(1.2 * alone.everyMs);
  expect(await paceOn(other)).toBeDefined();
});

test('plays before a device left a standing campaign count also if they are reported after it rejoined', async () => {
  const player = await addDevice('late');
  const { creatives } = await book('late', { kind: 'perHour', value: 6 });
  const releaseId = creatives[0]?.releaseId ?? '';
  await sql`
    update release_devices set started_at = now() - interval '3 hours' where release_id = ${releaseId}`.execute(db);
  for (const tags of [[], ['late']]) {
    await tag(player, tags);
    await settleCampaigns(server.deps);
  }
  const play = {
    ...{ releaseId, sha256: video.sha256, durationMs: 2000, screen: 'main' as const },
    at: new Date(Date.now() - 2 * HOUR_MS).toISOString(),
  };
  const body = { batch: randomUUID(), plays: [play] };
  expect(dataOf(await player.calls.player.plays({ body }))).toMatchObject({ accepted: 1, rejected: 0 });
});

test('a standing campaign stays booked when its last device leaves, and comes back with the next one', async () => {
  const player = await addDevice('last');
  const campaign = await book('last', { kind: 'perHour', value: 6 });
  await tag(player, []);
  await settleCampaigns(server.deps);
  await settleCampaigns(server.deps);
  expect(await get(campaign)).toMatchObject({ state: 'booked', deviceCount: 0 });
  expect(await paceOn(player)).toBeUndefined();
  await tag(player, ['last']);
  await settleCampaigns(server.deps);
  expect(await get(campaign)).toMatchObject({ state: 'booked', deviceCount: 1 });
  expect(await paceOn(player)).toBeDefined();
});

test('a device from which an operator takes a standing campaign gets it again only after it ceased to match', async () => {
  const [, cleared] = [await addDevice('cleared'), await addDevice('cleared')];
  const campaign = await book('cleared', { kind: 'perHour', value: 6 });
  dataOf(await dealer.calls.devices.clear({ params: { id: cleared.device.id } }));
  const settled = async (tags: string[]) => {
    await tag(cleared, tags);
    await settleCampaigns(server.deps);
    return (await get(campaign)).deviceCount;
  };
  expect([await settled(['cleared']), await settled([]), await settled(['cleared'])]).toEqual([1, 1, 2]);
});

test('the time of a device is not freed while the clearing or move that took its campaign can be undone', async () => {
  const player = await addDevice('undone');
  const campaign = await book('undone', { kind: 'perHour', value: 6 });
  await sql`update campaigns set standing = false where id = ${campaign.id}`.execute(db);
  const member = await server.createUser('member', dealer);
  await sql`update releases set owner_id = ${member.user.id} where campaign_id = ${campaign.id}`.execute(db);
  dataOf(await dealer.calls.devices.update({ params: player.device, body: { ownerId: member.user.id } }));
  const other = await server.createUser('member', dealer);
  const ids = [player.device.id];
  for (const order of [{ action: 'clear' }, { action: 'reassign', ownerId: other.user.id }] as const) {
    const { undo = '' } = dataOf(await dealer.calls.batches.start({ body: { ids, ...order } }));
    expect(await paceOn(player)).toBeUndefined();
    await settleCampaigns(server.deps);
    expect(await get(campaign)).toMatchObject({ state: 'booked', deviceCount: 1 });
    expect(dataOf(await dealer.calls.batches.undo({ body: { undo } }))).toEqual({ done: 1, failed: [] });
    expect(await paceOn(player)).toBeDefined();
    await settleCampaigns(server.deps);
    expect(await get(campaign)).toMatchObject({ state: 'booked', deviceCount: 1 });
  }
  const { undo = '' } = dataOf(await dealer.calls.batches.start({ body: { ids, action: 'clear' } }));
  await endUndo();
  await settleCampaigns(server.deps);
  expect(await dealer.calls.batches.undo({ body: { undo } })).toMatchObject({ error: 'UNDO_OVER' });
  expect(await get(campaign)).toMatchObject({ state: 'cancelled' });
});

/** The minute is over in which batches can be undone. */
const endUndo = () => sql`update batches set finished_at = finished_at - interval '61 seconds'`.execute(db);

test('the time of a device is not freed while the clearing of its campaign is undone', async () => {
  const player = await addDevice('raced');
  await addDevice('raced');
  const campaign = await book('raced', { kind: 'perHour', value: 6 });
  const ids = [player.device.id];
  const carriers = () =>
    db.selectFrom('campaign_devices').select('device_id').where('campaign_id', '=', campaign.id).execute();
  for (let round = 0; round < 10; round += 1) {
    const { undo = '' } = dataOf(await dealer.calls.batches.start({ body: { ids, action: 'clear' } }));
    const undoing = dealer.calls.batches.undo({ body: { undo } });
    const settling = settleCampaigns(server.deps);
    dataOf(await undoing);
    await settling;
    expect(await paceOn(player)).toBeDefined();
    expect((await carriers()).length).toBe(2);
  }
});

test('a device that is handed out of scope and back rejoins its standing campaign', async () => {
  const [, lent] = [await addDevice('lent'), await addDevice('lent')];
  const campaign = await book('lent', { kind: 'perHour', value: 6 });
  const root = await server.login();
  const give = async ({ user }: Session): Promise<void> => {
    dataOf(await root.calls.devices.update({ params: { id: lent.device.id }, body: { ownerId: user.id } }));
  };
  await give(root);
  expect(await paceOn(lent)).toBeUndefined();
  await give(dealer);
  await settleCampaigns(server.deps);
  expect((await get(campaign)).deviceCount).toBe(2);
  expect(await paceOn(lent)).toBeDefined();
});

test('a campaign that an operator takes from its last device is cancelled', async () => {
  const player = await addDevice('taken');
  const { id, creatives } = await book('taken', { kind: 'perHour', value: 6 });
  await sql`
    update campaigns set standing = false, short = 40, short_since = now() where id = ${id}`.execute(db);
  dataOf(await dealer.calls.devices.clear({ params: { id: player.device.id } }));
  await settleCampaigns(server.deps);
  const cancelled = dataOf(await dealer.calls.campaigns.get({ params: { id } }));
  expect([cancelled.state, cancelled.progress?.short]).toEqual(['cancelled', 0]);
  const { items } = dataOf(await dealer.calls.releases.list({ query: { active: 'true' } }));
  expect(items.filter((release) => release.id === creatives[0]?.releaseId)).toEqual([]);
});

test('a release of a booked campaign is withdrawn by those who may cancel the campaign only', async () => {
  const member = await server.createUser('member', dealer);
  const device = await addDevice('guarded');
  const ad = await addAd(dealer, 'guarded', video.id);
  await sql`update ads set owner_id = ${member.user.id} where id = ${ad.id}`.execute(db);
  const made = dataOf(
    await dealer.calls.campaigns.create({
      body: {
        ...{ name: 'guarded', customerId: member.user.id, adIds: [ad.id], devices: { ids: [device.device.id] } },
        ...{ schedule: { from: today(), to: addDays(today(), 1) }, goal: { kind: 'perHour', value: 6 } },
        price: { kind: 'fixed', amount: '1', currency: 'EUR' },
      },
    }),
  );
  const { id, creatives } = dataOf(await dealer.calls.campaigns.book({ params: { id: made.id } }));
  const params = { id: creatives[0]?.releaseId ?? '' };
  expect(await member.calls.campaigns.cancel({ params: { id } })).toMatchObject({ error: 'LEADING_ONLY' });
  expect(await member.calls.releases.withdraw({ params })).toMatchObject({ code: 403, error: 'LEADING_ONLY' });
  expect(await member.calls.ads.delete({ params: { id: ad.id } })).toMatchObject({ code: 403, error: 'LEADING_ONLY' });
  await settleCampaigns(server.deps);
  expect(dataOf(await dealer.calls.campaigns.get({ params: { id } }))).toMatchObject({ state: 'booked' });
  dataOf(await dealer.calls.releases.withdraw({ params }));
  await settleCampaigns(server.deps);
  expect(dataOf(await dealer.calls.campaigns.get({ params: { id } }))).toMatchObject({ state: 'cancelled' });
  // The releases of a campaign that is over are withdrawn already: nothing is refused.
  expect(dataOf(await member.calls.releases.withdraw({ params })).withdrawnAt).not.toBeNull();
});

test('the progress of a campaign is counted against an even plan, forecast, and published when it changes', async () => {
  const player = await addDevice('progress');
  const campaign = await book('progress', { kind: 'perHour', value: 6 });
  expect(campaign.progress).toEqual({ delivered: 0, due: 0, forecast: campaign.ordered, short: 0 });
  // In the last minute of a day, nothing of it can be booked.
  expect(campaign.ordered).toBeGreaterThanOrEqual(19 * 24 * 6);
  expect(campaign.ordered).toBeLessThanOrEqual(20 * 24 * 6);
  await begin(campaign, 48);
  await count(campaign, player, 250);
  await count(campaign, player, 25);
  const told: string[] = [];
  const off = server.deps.events.on('changed', ({ kind, ids }) => kind === 'campaign' && told.push(...ids));
  await replanCampaigns(db, Date.now());
  const { progress, ordered } = await get(campaign);
  expect(progress?.delivered).toBe(275);
  // Two of 22 days.
  expect(progress?.due).toBeGreaterThan(((ordered ?? 0) * 1.9) / 22);
  expect(progress?.due).toBeLessThan(((ordered ?? 0) * 2.1) / 22);
  expect(progress?.forecast).toBeGreaterThanOrEqual(ordered ?? Infinity);
  await vi.waitFor(() => expect(told).toContain(campaign.id));
  told.length = 0;
  await replanCampaigns(db, Date.now());
  await sql`select pg_notify('ams', ${JSON.stringify({ topic: 'changed', kind: 'file', ids: [randomUUID()], owners: [] })})`.execute(
    db,
  );
  expect(told).toEqual([]);
  off();
});

test('delivery compares each day with the plan, and names the devices behind to people who may see them', async () => {
  const [steady, gone] = [await addDevice('behind'), await addDevice('behind')];
  const campaign = await book('behind', { kind: 'perHour', value: 6 });
  await begin(campaign, 48);
  await count(campaign, steady, 2 * 24 * 6);
  await count(campaign, gone, 100);
  const { days, behind, due, forecast } = dataOf(
    await dealer.calls.campaigns.delivery({ params: { id: campaign.id } }),
  );
  expect(behind).toMatchObject({
    devices: 1,
    plays: 188,
    named: [{ device: { id: gone.device.id }, plays: 188, reason: 'offline' }],
  });
  expect(days.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(388);
  expect(Math.abs(days.reduce((sum, day) => sum + day.due, 0) - due)).toBeLessThan(3);
  expect(forecast).toBeGreaterThan(due);
  const customer = await server.createUser('member', dealer);
  await sql`update campaigns set customer_id = ${customer.user.id} where id = ${campaign.id}`.execute(db);
  const theirs = dataOf(await customer.calls.campaigns.delivery({ params: { id: campaign.id } }));
  expect(theirs.behind).toEqual({ devices: 1, plays: 188, named: [] });
});

test('a campaign that no device carries any more is short of all that is missing', async () => {
  const player = await addDevice('nobody');
  const campaign = await book('nobody', { kind: 'perHour', value: 6 });
  await begin(campaign, 30);
  await count(campaign, player, 100);
  await sql`delete from campaign_devices where campaign_id = ${campaign.id}`.execute(db);
  await replanCampaigns(db, Date.now());
  const { progress, ordered } = await get(campaign);
  expect(progress).toMatchObject({ delivered: 100, forecast: 100, short: (ordered ?? 0) - 100 });
});

test('a campaign is re-planned although another one cannot be', async () => {
  const [broken, whole] = [await addDevice('broken'), await addDevice('beside')];
  const campaigns = [
    await book('broken', { kind: 'perHour', value: 6 }),
    await book('beside', { kind: 'perHour', value: 6 }),
    await book('broken', { kind: 'perHour', value: 6 }),
  ];
  for (const campaign of campaigns) {
    await begin(campaign, 30);
    await count(campaign, campaign.name === 'beside' ? whole : broken, 100);
  }
  const setHours = (hours: RawBuilder<unknown>) =>
    sql`update campaigns set schedule = jsonb_set(schedule, '{hours}', ${hours}) where name = 'broken'`.execute(db);
  await setHours(sql`'[{}]'`);
  await replanJob();
  await setHours(sql`'[]'`);
  for (const each of campaigns) {
    const { name, progress } = await get(each);
    expect([name, progress?.delivered]).toEqual([name, 100]);
    expect([name, Boolean(progress?.due)]).toEqual([name, name === 'beside']);
  }
  for (const { id } of campaigns) dataOf(await dealer.calls.campaigns.cancel({ params: { id } }));
});

test('campaigns are planned in whole plays where a device has played a part of a spot', async () => {
  const [lost, room] = [await addDevice('parts'), await addDevice('whole')];
  const beside = await addDevice('whole');
  const missing = await book('parts', { kind: 'total', value: 4000 });
  const moved = await book('whole', { kind: 'total', value: 4000 });
  for (const campaign of [missing, moved]) await begin(campaign, 30);
  await count(missing, lost, 100.5);
  await count(moved, room, 1 / 3);
  await count(moved, beside, 120);
  const silent = [lost.device.id, beside.device.id];
  await sql`
    update devices set last_seen_at = now() - interval '3 days' where id = any(${silent}::uuid[])`.execute(db);
  await replanCampaigns(db, Date.now());
  expect((await get(missing)).progress).toMatchObject({ delivered: 100, short: 3900 });
  const { makeGoods } = dataOf(await dealer.calls.campaigns.delivery({ params: { id: moved.id } }));
  expect(makeGoods).toBeGreaterThan(0);
});

test('a connected device that has to play nothing more gets a pace, whatever part of a spot it has played', async () => {
  const [ahead, behind] = [await addDevice('stopped'), await addDevice('stopped')];
  const channel = await behind.open();
  for (const spots of [90 + 1 / 3, 90 + 2 / 3, 91 + 1 / 3, 91 + 2 / 3]) {
    const campaign = await book('stopped', { kind: 'total', value: 4000 });
    await begin(campaign, 30);
    await count(campaign, ahead, 4100);
    await count(campaign, behind, spots);
  }
  await replanCampaigns(db, Date.now());
  const paces = dataOf(await behind.calls.player.manifest()).screens.main.map(({ pace }) => pace?.everyMs ?? 0);
  expect(paces.length).toBe(4);
  for (const everyMs of paces) expect(everyMs).toBeGreaterThan(400 * 3_600_000);
  await channel.close();
});

test('a device counts as lost after the hours that its dealer or the user above sets', async () => {
  const player = await addDevice('silent');
  const campaign = await book('silent', { kind: 'perHour', value: 6 });
  await begin(campaign, 24);
  await sql`update devices set last_seen_at = now() - interval '30 hours' where id = ${player.device.id}`.execute(db);
  await replanCampaigns(db, Date.now());
  expect((await get(campaign)).progress?.short).toBeGreaterThan(1000);
  const settings = dataOf(await dealer.calls.campaigns.updateSettings({ body: { silentHours: 48 } }));
  expect(settings).toMatchObject({ sellable: null, inForce: 80, silentHours: 48, silentHoursInForce: 48 });
  await replanCampaigns(db, Date.now());
  expect((await get(campaign)).progress?.short).toBeLessThan(1000);
  dataOf(await dealer.calls.campaigns.updateSettings({ body: { silentHours: null, sellable: 70 } }));
  expect(dataOf(await dealer.calls.campaigns.getSettings())).toMatchObject({ inForce: 70, silentHoursInForce: 24 });
  dataOf(await dealer.calls.campaigns.updateSettings({ body: { sellable: null } }));
});

const findAnnounced = (campaign: Campaign) => countAnnounced(db, campaign);

async function takeAlerts(): Promise<void> {
  await dealer.calls.alerts.get();
  await sql`update alerts set webhook = 'http://127.0.0.1:9/' where user_id = ${dealer.user.id}`.execute(db);
}

const listShort = async (q: string) =>
  dataOf(await dealer.calls.campaigns.list({ query: { short: 'true', q } })).items.length;

test('a campaign that becomes infeasible is announced once, and again after it recovered and failed anew', async () => {
  const player = await addDevice('announced');
  const campaign = await book('announced', { kind: 'perHour', value: 6 });
  await begin(campaign, 30);
  await takeAlerts();
  const seen = (interval: string) =>
    sql`update devices set last_seen_at = now() - ${interval}::interval where id = ${player.device.id}`.execute(db);
  const announced = async (): Promise<number> => {
    await replanCampaigns(db, Date.now());
    return findAnnounced(campaign);
  };
  const list = () => listShort('announced');
  expect([await announced(), await list()]).toEqual([0, 0]);
  await seen('25 hours');
  expect([await announced(), await announced(), await list()]).toEqual([1, 1, 1]);
  await seen('0 hours');
  expect([await announced(), await list()]).toEqual([1, 0]);
  await seen('25 hours');
  expect([await announced(), await announced()]).toEqual([2, 2]);
});

/** What the jobs of an hour do. */
async function foresee(): Promise<void> {
  await foreseeCampaigns(db, Date.now());
  await replanCampaigns(db, Date.now());
}

/** A device that does not expire during flights that begin in three weeks. */
async function addLasting(tagged: string): Promise<Paired> {
  const player = await addDevice(tagged);
  const body = { expiresAt: addDays(today(), 90) };
  dataOf(await dealer.calls.devices.update({ params: { id: player.device.id }, body }));
  return player;
}

const CHANGES = {
  'its device is deleted': async ({ device }: Paired) => {
    dataOf(await dealer.calls.devices.delete({ params: { id: device.id } }));
  },
  'its device expires before it begins': async ({ device }: Paired) => {
    dataOf(await dealer.calls.devices.update({ params: { id: device.id }, body: { expiresAt: addDays(today(), 10) } }));
  },
  'working hours get shorter': async ({ device }: Paired) => {
    const day = [{ from: '09:00', to: '12:00' }];
    const weekly = { 1: day, 2: day, 3: day, 4: day, 5: day, 6: [], 7: [] };
    dataOf(
      await dealer.calls.devices.update({
        params: { id: device.id },
        body: { workingHours: { weekly, exceptions: [] } },
      }),
    );
  },
};

test.for(Object.entries(CHANGES))(
  'a campaign that begins in three weeks is announced as infeasible within the hour if %s',
  async ([reason, change]) => {
    const tagged = `ahead${Object.keys(CHANGES).indexOf(reason)}`;
    const [changed] = [await addLasting(tagged), await addLasting(tagged)];
    // Each device is sold to the share that may be sold, so that none can take over from another.
    const campaign = await book(tagged, { kind: 'share', value: 80 }, 21);
    await takeAlerts();
    await foresee();
    expect([await findAnnounced(campaign), await listShort(tagged)]).toEqual([0, 0]);
    await change(changed);
    await foresee();
    expect([await findAnnounced(campaign), await listShort(tagged)]).toEqual([1, 1]);
    const { progress, ordered } = await get(campaign);
    expect(progress?.short).toBeGreaterThan((ordered ?? 0) / 4);
    expect(progress?.forecast).toBe((ordered ?? 0) - (progress?.short ?? 0));
  },
);

test('a device that is off weeks before a flight, or leaves room to others, makes no campaign infeasible', async () => {
  const [, off, gone] = [await addLasting('room'), await addLasting('room'), await addLasting('room')];
  const campaign = await book('room', { kind: 'perHour', value: 60 }, 21);
  await sql`update devices set last_seen_at = now() - interval '9 days' where id = ${off.device.id}`.execute(db);
  const before = await paceOn(off);
  await foresee();
  expect(await listShort('room')).toBe(0);
  expect(await paceOn(off)).toEqual(before);
  dataOf(await dealer.calls.devices.delete({ params: { id: gone.device.id } }));
  await foresee();
  expect(await listShort('room')).toBe(0);
  expect((await paceOn(off))?.everyMs).toBeLessThan(0.7 * (before?.everyMs ?? 0));
  expect((await get(campaign)).progress).toBeNull();
});

test('a cancelled campaign counts plays that are reported later', async () => {
  const player = await addDevice('late');
  const campaign = await book('late', { kind: 'perHour', value: 6 });
  dataOf(await dealer.calls.campaigns.cancel({ params: { id: campaign.id } }));
  await count(campaign, player, 7);
  await replanCampaigns(db, Date.now());
  expect((await get(campaign)).progress).toMatchObject({ delivered: 7, forecast: 7 });
});

test('plays that are reported after a flight make up for what was missing', async () => {
  const player = await addDevice('made-up');
  const campaign = await book('made-up', { kind: 'total', value: 100 });
  const over = addDays(today(), -4);
  await sql`
    update campaigns set ends_on = ${over}::date, starts_on = ${over}::date, short = 40, short_since = now()
    where id = ${campaign.id}`.execute(db);
  const shortAfter = async (spots: number) => {
    await count(campaign, player, spots);
    await replanCampaigns(db, Date.now());
    return (await get(campaign)).progress?.short;
  };
  expect([await shortAfter(70), await shortAfter(30)]).toEqual([30, 0]);
  expect(await listShort('made-up')).toBe(0);
});
