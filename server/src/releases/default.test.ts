import { type Ad, addDays, type Orientation } from '@ams/contract';
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { addColleague } from '../../test/colleague.ts';
import { makeDevice, type TestDevice } from '../../test/device.ts';
import { addFile } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer({ AMS_CAPTCHA: 'off' });
let boss: Session;
let dealer: Session;
let member: Session;

beforeEach(async () => {
  boss = await server.createUser('leading');
  dealer = await server.createUser('leading', boss);
  member = await server.createUser('member', dealer);
});

const SIZES = { vertical: [540, 960], horizontal: [960, 540] } as const;
const PORTRAIT = { width: 1080, height: 1920 };
const LANDSCAPE = { width: 1920, height: 1080 };

async function addAd(owner: Session, orientation: Orientation = 'vertical', over: Partial<Ad> = {}): Promise<Ad> {
  const [width, height] = SIZES[orientation];
  const picture = await sharp({ create: { width, height, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  const { id: fileId } = await addFile(server, owner, picture, { name: 'red.jpg', orientation, kind: 1 });
  const body = { name: 'Logo', orientation, split: 'full' as const, ...over };
  return dataOf(
    await owner.calls.ads.create({ body: { ...body, regions: { full: [{ kind: 'file' as const, fileId }] } } }),
  );
}

interface Player extends TestDevice {
  id: string;
}

async function addPlayer(owner: Session, ...screens: { width: number; height: number }[]): Promise<Player> {
  const player = makeDevice(server);
  const enrol = { mac: player.mac, screens: screens.length > 0 ? screens : [PORTRAIT], timeZone: 'UTC' };
  const state = dataOf(await player.calls.player.enrol({ body: enrol }));
  const code = state.state === 'pairing' ? state.code : '';
  return { ...player, ...dataOf(await owner.calls.devices.pair({ body: { mac: player.mac, code } })) };
}

const name = (user: Session, adId: string | null, orientation: Orientation = 'vertical', by = user) =>
  by.calls.ads.changeDefaultContent({ params: { id: user.user.id }, body: { orientation, adId } });
const named = async (user: Session) => dataOf(await user.calls.ads.getDefaultContent({ params: { id: user.user.id } }));
const adsOn = async (player: TestDevice, screen: 'main' | 'secondary' = 'main'): Promise<string[]> =>
  (await player.manifest()).screens[screen].map(({ adId }) => adId);
const release = async (by: Session, ad: Ad, ids: string[], over: object = {}) =>
  dataOf(await by.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids }, ...over } }));
const move = async (player: Player, owner: Session) =>
  dataOf(await boss.calls.devices.update({ params: { id: player.id }, body: { ownerId: owner.user.id } }));

test('devices at and below a user get the ad of their orientation; the manifest has it beneath all else', async () => {
  const [upright, wide] = [await addAd(dealer), await addAd(dealer, 'horizontal')];
  const [portrait, landscape] = [await addPlayer(member), await addPlayer(dealer, LANDSCAPE)];
  const content = dataOf(await name(dealer, upright.id));
  expect(content).toMatchObject({ vertical: { ad: { id: upright.id, name: 'Logo' }, isOutdated: false } });
  expect(dataOf(await name(dealer, wide.id, 'horizontal'))).toMatchObject({ horizontal: { ad: { id: wide.id } } });
  expect([await adsOn(portrait), await adsOn(landscape)]).toEqual([[upright.id], [wide.id]]);
  const spot = await addAd(member);
  await release(member, spot, [portrait.id]);
  const { screens, files } = await portrait.manifest();
  expect(screens.main.map(({ adId, priority }) => [adId, priority])).toEqual([
    [upright.id, 'default'],
    [spot.id, 'normal'],
  ]);
  expect(files).toHaveLength(1);
  const later = await addPlayer(member);
  expect(await adsOn(later)).toEqual([upright.id]);
});

test('both screens of a device show it', async () => {
  const ad = await addAd(dealer, 'vertical', { dual: true });
  const player = await addPlayer(member, { ...PORTRAIT }, { ...PORTRAIT });
  dataOf(await name(dealer, ad.id));
  expect([await adsOn(player), await adsOn(player, 'secondary')]).toEqual([[ad.id], [ad.id]]);
});

test('the nearest leading user decides; without its ad, the next one above does', async () => {
  const [far, near] = [await addAd(boss), await addAd(dealer)];
  const player = await addPlayer(member);
  dataOf(await name(boss, far.id));
  expect(await adsOn(player)).toEqual([far.id]);
  dataOf(await name(dealer, near.id));
  expect(await adsOn(player)).toEqual([near.id]);
  const outside = await addPlayer(boss);
  expect(await adsOn(outside)).toEqual([far.id]);
  dataOf(await name(dealer, null));
  expect(await adsOn(player)).toEqual([far.id]);
  dataOf(await name(dealer, near.id));
  dataOf(await dealer.calls.ads.delete({ params: { id: near.id } }));
  expect(await named(dealer)).toEqual({ vertical: null, horizontal: null });
  expect(await adsOn(player)).toEqual([far.id]);
  dataOf(await name(boss, null));
  expect(await adsOn(player)).toEqual([]);
});

test('a device that changes owner gets the default content of the other one', async () => {
  const other = await server.createUser('leading', boss);
  const [mine, theirs] = [await addAd(dealer), await addAd(other)];
  dataOf(await name(dealer, mine.id));
  dataOf(await name(other, theirs.id));
  const player = await addPlayer(member);
  await move(player, other);
  expect(await adsOn(player)).toEqual([theirs.id]);
  await move(player, boss);
  expect(await adsOn(player)).toEqual([]);
  await move(player, member);
  expect(await adsOn(player)).toEqual([mine.id]);
});

test('a change of the ad reaches devices when it is named again', async () => {
  const ad = await addAd(dealer);
  const player = await addPlayer(member);
  const first = dataOf(await name(dealer, ad.id)).vertical;
  expect(dataOf(await name(dealer, ad.id)).vertical).toEqual(first);
  const { updatedAt, regions, name: title, orientation, split } = ad;
  const items = (regions.full ?? []).map(({ fileId }) => ({ kind: 'file' as const, fileId }));
  const body = { name: title, orientation, split, showClock: true, regions: { full: items }, updatedAt };
  dataOf(await dealer.calls.ads.update({ params: { id: ad.id }, body }));
  const clocks = async () => (await player.manifest()).screens.main.map(({ showClock }) => showClock);
  expect([await clocks(), (await named(dealer)).vertical]).toMatchObject([[false], { isOutdated: true }]);
  const again = dataOf(await name(dealer, ad.id)).vertical;
  expect(again).toMatchObject({ isOutdated: false, ad: { id: ad.id } });
  expect(await clocks()).toEqual([true]);
});

test('an ad that plays once plays on', async () => {
  const ad = await addAd(dealer, 'vertical', { playMode: 'once' });
  const player = await addPlayer(member);
  dataOf(await name(dealer, ad.id));
  expect((await player.manifest()).screens.main).toMatchObject([{ playMode: 'sequence' }]);
});

test('the new version of an ad that plays once plays on, too', async () => {
  const ad = await addAd(dealer, 'vertical', { playMode: 'once' });
  const player = await addPlayer(member);
  dataOf(await name(dealer, ad.id));
  await release(dealer, ad, [player.id]);
  const { id: _id, owner: _owner, ...content } = ad;
  const params = { id: ad.id };
  dataOf(await dealer.calls.ads.update({ params, body: { ...content, showClock: true } }));
  dataOf(await dealer.calls.ads.updateDevices({ params, body: {} }));
  expect((await player.manifest()).screens.main).toMatchObject([
    { priority: 'default', showClock: true, playMode: 'sequence' },
    { priority: 'normal', showClock: true, playMode: 'once' },
  ]);
});

test('an ad that was turned since it was named stays as it was on the devices of its orientation', async () => {
  const ad = await addAd(dealer);
  const wide = await addAd(dealer, 'horizontal');
  const player = await addPlayer(member);
  dataOf(await name(dealer, ad.id));
  const before = (await player.manifest()).screens.main;
  const { id: _id, owner: _owner, ...content } = ad;
  const regions = { full: (wide.regions.full ?? []).map(({ fileId }) => ({ kind: 'file' as const, fileId })) };
  const params = { id: ad.id };
  const turned = dataOf(
    await dealer.calls.ads.update({ params, body: { ...content, orientation: 'horizontal', regions } }),
  );
  expect(turned).toMatchObject({ orientation: 'horizontal', outdatedDevices: 0 });
  expect(dataOf(await dealer.calls.ads.updateDevices({ params, body: {} }))).toEqual({ devices: 0, releases: [] });
  expect((await player.manifest()).screens.main).toEqual(before);
});

test('ads of others, other orientations and members are refused', async () => {
  const [ad, above] = [await addAd(dealer), await addAd(boss)];
  const stranger = await server.createUser('leading');
  expect(await name(stranger, ad.id)).toMatchObject({ error: 'NOT_FOUND' });
  expect(await name(dealer, above.id)).toMatchObject({ error: 'NOT_FOUND' });
  // The dealer could not change or delete it.
  expect(await name(dealer, above.id, 'vertical', boss)).toMatchObject({ error: 'NOT_FOUND' });
  expect(await name(dealer, ad.id, 'horizontal')).toMatchObject({ error: 'INVALID' });
  expect(await name(member, ad.id, 'vertical', dealer)).toMatchObject({ error: 'LEADING_ONLY' });
  expect(await name(dealer, ad.id, 'vertical', stranger)).toMatchObject({ error: 'NOT_FOUND' });
  expect(dataOf(await name(dealer, ad.id, 'vertical', boss))).toMatchObject({ vertical: { ad: { id: ad.id } } });
});

test('the programme and the calendar say why it plays', async () => {
  const [ad, spot] = [await addAd(dealer), await addAd(member)];
  const player = await addPlayer(member);
  dataOf(await boss.calls.devices.update({ params: { id: player.id }, body: { expiresAt: null } }));
  const content = dataOf(await name(dealer, ad.id)).vertical;
  const hours = [{ from: '10:00', to: '12:00' }];
  const lunch = await release(member, spot, [player.id], { schedule: { from: '2099-01-01', to: '2099-01-02', hours } });
  const why = async (at: string) => {
    const { screens } = dataOf(await member.calls.releases.programme({ params: { id: player.id }, query: { at } }));
    return screens.main.map(({ id, verdict, operator }) => [id, verdict, operator?.username]);
  };
  expect(await why('2099-01-01T11:00:00Z')).toEqual([
    [lunch.id, { kind: 'plays' }, member.user.username],
    [content?.releaseId, { kind: 'outranked', why: 'released', by: lunch.id }, dealer.user.username],
  ]);
  expect(await why('2099-01-01T12:00:00Z')).toEqual([
    [lunch.id, { kind: 'notScheduled' }, member.user.username],
    [content?.releaseId, { kind: 'plays' }, dealer.user.username],
  ]);
  const query = { from: '2099-01-01', to: '2099-01-01' };
  const calendar = dataOf(await member.calls.releases.deviceCalendar({ params: { id: player.id }, query }));
  expect(calendar.classes[0]?.screens.main.map((slot) => slot.releases)).toEqual([
    [content?.releaseId],
    [lunch.id],
    [content?.releaseId],
  ]);
  expect(calendar.releases).toContainEqual(expect.objectContaining({ id: content?.releaseId, priority: 'default' }));
});

test('an expired device shows none', async () => {
  const player = await addPlayer(member);
  dataOf(await name(dealer, (await addAd(dealer)).id));
  dataOf(await boss.calls.devices.update({ params: { id: player.id }, body: { expiresAt: '2020-01-01' } }));
  expect(await player.manifest()).toMatchObject({ expired: true });
  const at = new Date(Date.now() + 60_000).toISOString();
  const programme = await member.calls.releases.programme({ params: { id: player.id }, query: { at } });
  expect(dataOf(programme).verdict).toMatchObject({ kind: 'expired' });
});

test('clearing a device leaves its default content', async () => {
  const [ad, spot] = [await addAd(dealer), await addAd(member)];
  const player = await addPlayer(member);
  dataOf(await name(dealer, ad.id));
  await release(member, spot, [player.id]);
  dataOf(await member.calls.devices.clear({ params: { id: player.id } }));
  expect(await adsOn(player)).toEqual([ad.id]);
});

test('a device that has an ad as default content or by a campaign is not among those that it was released to', async () => {
  const ad = await addAd(dealer);
  const [portrait, other] = [await addPlayer(member), await addPlayer(member)];
  dataOf(await name(dealer, ad.id));
  const today = new Date().toISOString().slice(0, 10);
  const campaign = {
    name: 'Sale',
    adIds: [ad.id],
    devices: { ids: [other.id] },
    schedule: { from: addDays(today, 1), to: addDays(today, 9) },
    goal: { kind: 'perHour' as const, value: 1 },
    price: { kind: 'fixed' as const, amount: '100', currency: 'EUR' },
  };
  const { id } = dataOf(await dealer.calls.campaigns.create({ body: campaign }));
  dataOf(await dealer.calls.campaigns.book({ params: { id } }));
  const having = async (query: object) =>
    dataOf(await dealer.calls.devices.list({ query })).items.map((each) => each.id);
  expect(await having({ ad: ad.id })).toHaveLength(2);
  expect(await having({ releasedAd: ad.id })).toEqual([]);
  const body = { devices: { filter: { releasedAd: ad.id } } };
  expect(await dealer.calls.ads.release({ params: { id: ad.id }, body })).toMatchObject({ error: 'NO_DEVICES' });
  await release(dealer, ad, [portrait.id], { priority: 'urgent' });
  expect(await having({ releasedAd: ad.id })).toEqual([portrait.id]);
});

test('it ends like a release, which can be undone while no other ad is named', async () => {
  const ad = await addAd(dealer);
  const player = await addPlayer(member);
  const params = { id: dataOf(await name(dealer, ad.id)).vertical?.releaseId ?? '' };
  dataOf(await dealer.calls.releases.withdraw({ params }));
  expect([await adsOn(player), (await named(dealer)).vertical]).toEqual([[], null]);
  dataOf(await dealer.calls.releases.restore({ params }));
  expect(await adsOn(player)).toEqual([ad.id]);
  dataOf(await name(dealer, null));
  dataOf(await name(dealer, (await addAd(dealer)).id));
  expect(await dealer.calls.releases.restore({ params })).toMatchObject({ error: 'UNDO_OVER' });
  const spot = await addAd(member);
  const ofMember = dataOf(await name(dealer, spot.id)).vertical?.releaseId ?? '';
  expect(await member.calls.releases.withdraw({ params: { id: ofMember } })).toMatchObject({ error: 'LEADING_ONLY' });
});

test('a colleague who removed it can undo that, and nobody else', async () => {
  const ad = await addAd(dealer);
  const player = await addPlayer(member);
  const colleague = await addColleague(server, dealer, 'operator');
  const params = { id: dataOf(await name(colleague, ad.id)).vertical?.releaseId ?? '' };
  dataOf(await name(colleague, null));
  expect(await dealer.calls.releases.restore({ params })).toMatchObject({ error: 'UNDO_OVER' });
  dataOf(await colleague.calls.releases.restore({ params }));
  expect(await adsOn(player)).toEqual([ad.id]);
});

test('it follows the rights of the user who named it', async () => {
  const [far, near] = [await addAd(boss), await addAd(dealer)];
  const player = await addPlayer(member);
  dataOf(await name(boss, far.id));
  dataOf(await name(dealer, near.id));
  const update = async (body: object) =>
    dataOf(await boss.calls.users.update({ params: { id: dealer.user.id }, body }));
  await update({ disabled: true, remark: 'Not paid' });
  const later = await addPlayer(boss);
  await move(later, member);
  expect([await adsOn(player), await adsOn(later)]).toEqual([[near.id], [far.id]]);
  await update({ disabled: false });
  expect(await adsOn(later)).toEqual([near.id]);
  await update({ role: 'member' });
  expect(await adsOn(player)).toEqual([far.id]);
  await update({ role: 'leading' });
  expect(await adsOn(player)).toEqual([near.id]);
  dataOf(await boss.calls.users.delete({ params: { id: dealer.user.id } }));
  expect(await adsOn(player)).toEqual([far.id]);
});
