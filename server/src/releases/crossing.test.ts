import type { Envelope } from '@ams/contract';
import { type RawBuilder, sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addTagged, draftCampaign } from '../../test/campaigns.ts';
import { addColleague } from '../../test/colleague.ts';
import { makeDevice, pairedDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { countDeadlocks, crossing, untilWaiting } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Releases that end while something else happens to their ad: the ad, which counts them, is held before them. */
const server = await startTestServer();
const { db } = server.deps;

let dealer: Session;
beforeAll(async () => {
  dealer = await server.createUser('leading');
});

async function released() {
  const { id: adId } = await addPictureAd(server, dealer);
  const { device } = await pairedDevice(server, dealer);
  const send = () => dealer.calls.ads.release({ params: { id: adId }, body: { devices: { ids: [device.id] } } });
  return { adId, device, send, release: dataOf(await send()) };
}

test('an ad is deleted while a release of it is withdrawn', async () => {
  const { adId, release } = await released();
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from releases where id = ${release.id} for update`,
    first: () => dealer.calls.releases.withdraw({ params: { id: release.id } }),
    second: () => dealer.calls.ads.delete({ params: { id: adId } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('an ad that two people delete at once is deleted once', async () => {
  const { id } = await addPictureAd(server, dealer);
  const remove = () => dealer.calls.ads.delete({ params: { id } });
  const { answers } = await crossing(db, {
    hold: sql`select from ads where id = ${id} for update`,
    first: remove,
    second: remove,
  });
  const lines = await db.selectFrom('audit').select('action').where('target_id', '=', id).orderBy('id').execute();
  expect([answers.map(({ code }) => code).toSorted(), lines.map(({ action }) => action)]).toEqual([
    [200, 404],
    ['ads.create', 'ads.delete'],
  ]);
});

test('an ad is deleted while the device that shows it is cleared', async () => {
  const { adId, device, release } = await released();
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from releases where id = ${release.id} for update`,
    first: () => dealer.calls.batches.start({ body: { ids: [device.id], action: 'clear' } }),
    second: () => dealer.calls.ads.delete({ params: { id: adId } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('an ad is released to a device again that is cleared', async () => {
  const { device, send } = await released();
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from devices where id = ${device.id} for update`,
    first: () => dealer.calls.batches.start({ body: { ids: [device.id], action: 'clear' } }),
    second: send,
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

const STANDING = sql`select pg_advisory_xact_lock_shared(hashtext('ams standing releases'))`;
const releaseRow = (id: string) => sql`select from releases where id = ${id} for update`;

/** A customer of the dealer with a device that shows its ad, and another customer. */
async function customers() {
  const [owner, other] = [await server.createUser('member', dealer), await server.createUser('member', dealer)];
  const { id: adId } = await addPictureAd(server, owner);
  const { device } = await pairedDevice(server, owner);
  const body = { devices: { ids: [device.id] } };
  const release = dataOf(await owner.calls.ads.release({ params: { id: adId }, body }));
  return { adId, device, release, other, owner };
}

const MOVES: [string, (id: string, ownerId: string) => Promise<Pick<Envelope<unknown>, 'code'>>][] = [
  [
    'moved to another owner',
    (id: string, ownerId: string) => dealer.calls.devices.update({ params: { id }, body: { ownerId } }),
  ],
  [
    'reassigned',
    (id: string, ownerId: string) => dealer.calls.batches.start({ body: { ids: [id], action: 'reassign', ownerId } }),
  ],
];

test.each(MOVES)('an ad is deleted while the device that shows it is %s', async (_, moving) => {
  const { adId, device, release, other } = await customers();
  const { answers, deadlocks } = await crossing(db, {
    hold: releaseRow(release.id),
    first: () => moving(device.id, other.user.id),
    second: () => dealer.calls.ads.delete({ params: { id: adId } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('an ad is deleted while the device that shows it is paired anew for another owner', async () => {
  const { adId, device, release, other } = await customers();
  const { code } = await makeDevice(server, device.mac).enrol();
  const { answers, deadlocks } = await crossing(db, {
    hold: releaseRow(release.id),
    first: () => dealer.calls.devices.pair({ body: { mac: device.mac, code, ownerId: other.user.id } }),
    second: () => dealer.calls.ads.delete({ params: { id: adId } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('an ad is deleted while the device that shows it goes back to its former owner', async () => {
  const { device, other } = await customers();
  const { undo = '' } = dataOf(
    await dealer.calls.batches.start({ body: { ids: [device.id], action: 'reassign', ownerId: other.user.id } }),
  );
  const { id } = await addPictureAd(server, other);
  const release = dataOf(await other.calls.ads.release({ params: { id }, body: { devices: { ids: [device.id] } } }));
  const { answers, deadlocks } = await crossing(db, {
    hold: releaseRow(release.id),
    first: () => dealer.calls.batches.undo({ body: { undo } }),
    second: () => dealer.calls.ads.delete({ params: { id } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

/** A standing release of an ad to the devices with a tag. */
async function standing(adId: string, tag: string) {
  const body = { devices: { filter: { tags: { all: [tag] } } }, standing: true };
  return dataOf(await dealer.calls.ads.release({ params: { id: adId }, body }));
}

/** An ad that stands on the devices with either tag. */
async function twoStanding() {
  const { id: adId } = await addPictureAd(server, dealer);
  const { device } = await addTagged(server, dealer, 'one');
  return { adId, device, one: await standing(adId, 'one'), two: await standing(adId, 'two') };
}

test('a standing release is restored while another one of its ad is withdrawn', async () => {
  const { one, two } = await twoStanding();
  dataOf(await dealer.calls.releases.withdraw({ params: { id: one.id } }));
  const { answers, deadlocks } = await crossing(db, {
    hold: STANDING,
    first: () => dealer.calls.releases.restore({ params: { id: one.id } }),
    second: () => dealer.calls.releases.withdraw({ params: { id: two.id } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('an ad is released standing while another standing release of it is withdrawn', async () => {
  const { adId, one } = await twoStanding();
  const { answers, deadlocks } = await crossing(db, {
    hold: STANDING,
    first: () => standing(adId, 'three'),
    second: () => dealer.calls.releases.withdraw({ params: { id: one.id } }),
  });
  expect([answers[0].withdrawnAt, answers[1].code, deadlocks]).toEqual([null, 200, 0]);
});

/** An ad with a newer version than the one that its device has. */
async function outdated() {
  const { adId, device, release } = await released();
  const params = { id: adId };
  const { name, orientation, split, regions, updatedAt } = dataOf(await dealer.calls.ads.get({ params }));
  const fileId = regions.full?.[0]?.fileId ?? '';
  const body = { name, orientation, split, regions: { full: [{ kind: 'file' as const, fileId, seconds: 20 }] } };
  dataOf(await dealer.calls.ads.update({ params, body: { ...body, updatedAt } }));
  return { params, device, release };
}

test('the devices of an ad are updated while its release is withdrawn', async () => {
  const { params, release } = await outdated();
  const { answers, deadlocks } = await crossing(db, {
    hold: releaseRow(release.id),
    first: () => dealer.calls.ads.updateDevices({ params, body: {} }),
    second: () => dealer.calls.releases.withdraw({ params: { id: release.id } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('default content is replaced while its ad is deleted', async () => {
  const [before, after] = [await addPictureAd(server, dealer), await addPictureAd(server, dealer)];
  const name = (adId: string) =>
    dealer.calls.ads.changeDefaultContent({
      params: { id: dealer.user.id },
      body: { orientation: before.orientation, adId },
    });
  dataOf(await name(before.id));
  const { answers, deadlocks } = await crossing(db, {
    hold: STANDING,
    first: () => name(after.id),
    second: () => dealer.calls.ads.delete({ params: { id: before.id } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('a campaign is booked while a standing release of its ad is withdrawn', async () => {
  const { adId, device, one } = await twoStanding();
  const { id } = await draftCampaign(dealer, { customer: dealer, adId, deviceId: device.id });
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from campaigns where id = ${id} for update`,
    first: () => dealer.calls.campaigns.book({ params: { id } }),
    second: () => dealer.calls.releases.withdraw({ params: { id: one.id } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('a standing release is restored while its devices and others are cleared', async () => {
  const { id: adId } = await addPictureAd(server, dealer);
  const { device: first } = await addTagged(server, dealer, 'none');
  const { device: second } = await addTagged(server, dealer, 'shop');
  const release = await standing(adId, 'shop');
  dataOf(await dealer.calls.releases.withdraw({ params: { id: release.id } }));
  dataOf(await dealer.calls.devices.update({ params: { id: first.id }, body: { tags: ['shop'] } }));
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from device_revisions where device_id = ${second.id} for update`,
    first: () => dealer.calls.releases.restore({ params: { id: release.id } }),
    second: () => dealer.calls.batches.start({ body: { ids: [first.id, second.id], action: 'clear' } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('a restored release does not return to a device that another person clears at this moment', async () => {
  const { device, release } = await customers();
  const colleague = await addColleague(server, dealer, 'operator');
  const params = { id: release.id };
  dataOf(await dealer.calls.releases.withdraw({ params }));
  await crossing(db, {
    hold: sql`select from device_revisions where device_id = ${device.id} for update`,
    first: () => colleague.calls.batches.start({ body: { ids: [device.id], action: 'clear' } }),
    second: () => dealer.calls.releases.restore({ params }),
  });
  const query = { device: device.id, active: 'true' as const };
  const { items } = dataOf(await dealer.calls.releases.list({ query }));
  expect(items.map(({ id }) => id)).not.toContain(release.id);
});

test('a restored release does not return to a device whose clear began before the release was withdrawn', async () => {
  const { adId, device } = await customers();
  const { id: later } = await addPictureAd(server, dealer);
  const body = { devices: { ids: [device.id] }, replace: false };
  const params = { id: dataOf(await dealer.calls.ads.release({ params: { id: later }, body })).id };
  const colleague = await addColleague(server, dealer, 'operator');
  const cleared = await db.transaction().execute(async (trx) => {
    await sql`select from ads where id = ${adId} for update`.execute(trx);
    const clear = colleague.calls.batches.start({ body: { ids: [device.id], action: 'clear' } });
    await untilWaiting(db, 1);
    dataOf(await dealer.calls.releases.withdraw({ params }));
    return { clear };
  });
  dataOf(await cleared.clear);
  dataOf(await dealer.calls.releases.restore({ params }));
  const query = { device: device.id, active: 'true' as const };
  expect(dataOf(await dealer.calls.releases.list({ query })).items.map(({ id }) => id)).not.toContain(params.id);
});

/** Whether somebody waits to add a row to a table that is locked. */
async function isInserting(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`.execute(db);
  return rows.length > 0;
}

test('default content is replaced by two people while the ad that the first one named is deleted', async () => {
  const user = await server.createUser('leading', dealer);
  const params = { id: user.user.id };
  const name = (adId: string) =>
    user.calls.ads.changeDefaultContent({ params, body: { orientation: 'vertical', adId } });
  const ads = [];
  for (let nth = 0; nth < 3; nth += 1) ads.push((await addPictureAd(server, user)).id);
  const [before = '', first = '', second = ''] = ads;
  dataOf(await name(before));
  const hold = async (what: RawBuilder<unknown>) => {
    const trx = await db.startTransaction().execute();
    await what.execute(trx);
    return () => trx.commit().execute();
  };
  const { answers, deadlocks } = await countDeadlocks(async () => {
    const freeStanding = await hold(STANDING);
    const freeAd = await hold(sql`select from ads where id = ${second} for update`);
    const one = name(first);
    await untilWaiting(db, 1);
    const two = name(second);
    await untilWaiting(db, 2);
    await freeStanding();
    const answer = await one;
    await untilWaiting(db, 1);
    const freeTargets = await hold(sql`lock table standing_releases in share mode`);
    await freeAd();
    await expect.poll(isInserting).toBe(true);
    const deletion = user.calls.ads.delete({ params: { id: first } });
    await untilWaiting(db, 2);
    await freeTargets();
    return [answer, await two, await deletion];
  });
  expect([answers.map(({ code }) => code), deadlocks]).toEqual([[200, 200, 200], 0]);
  expect(dataOf(await user.calls.ads.getDefaultContent({ params })).vertical?.ad.id).toBe(second);
});
