import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ad, type DeviceChoice, playingNow, takeoverVersion } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { hear, pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { nextCode, turnOn, WRONG_CODE } from '../../test/second-factor.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { frozenAd } from '../ads/ads.service.ts';
import { tasksOf } from '../features.ts';
import { personOf, type Viewer } from '../platform/auth/auth.ts';
import { sendTakeover, settleTakeovers } from '../releases/takeover.service.ts';

const server = await startTestServer();
let boss: Session;
let member: Session;
let ad: Ad;
let other: Ad;

const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  boss = await server.createUser('leading');
  member = await server.createUser('member', boss);
  const video = await addFile(server, boss, await makeMp4(1, 2), { name: 'a.mp4', orientation: 'vertical', kind: 2 });
  const second = await addFile(server, boss, await makeMp4(1, 3), { name: 'b.mp4', orientation: 'vertical', kind: 2 });
  ad = await addAd(boss, 'Alarm', video.id);
  other = await addAd(boss, 'Spring', second.id);
});

const takeOver = async (ids: string[], body: object = {}, who = boss) =>
  dataOf(await who.calls.takeovers.create({ body: { adId: ad.id, devices: { ids }, until: inMs(HOUR_MS), ...body } }));
const get = async (id: string, who = boss) => dataOf(await who.calls.takeovers.get({ params: { id } }));
const device = () => pairedDevice(server, member);

test('a takeover is pushed to connected devices, plays above everything and ends when it is ended', async () => {
  const player = await device();
  const ids = [player.device.id];
  const body = { devices: { ids }, priority: 'urgent' as const };
  const before = dataOf(await boss.calls.ads.release({ params: { id: other.id }, body }));
  const channel = await player.open();
  await channel.next();
  const taken = await takeOver(ids);
  expect(taken).toMatchObject({
    ad: { id: ad.id, name: 'Alarm' },
    state: 'running',
    endedAt: null,
    counts: { total: 1, ready: 0, told: 0, showing: 0 },
  });
  const pushed = await hear(channel, 'takeover');
  const manifest = await player.manifest();
  const programme = manifest.screens.main.at(-1);
  expect(programme).toMatchObject({ releaseId: taken.id, priority: 'takeover', endsAt: taken.endsAt });
  // Otherwise the programme would begin anew when the manifest comes.
  expect(JSON.stringify(pushed)).toContain(JSON.stringify(programme));
  expect(manifest.files).toHaveLength(2);
  expect(manifest.files[0]?.sha256).toBe(programme?.regions.full?.[0]?.sha256);
  expect(playingNow(manifest.screens.main, Date.now(), 'UTC').map(({ releaseId }) => releaseId)).toEqual([taken.id]);

  const playing = { main: { releaseId: taken.id, sha256: 'a'.repeat(64) } };
  channel.status({
    manifestVersion: takeoverVersion(taken.id),
    download: { state: 'done', doneBytes: 1, totalBytes: 1 },
    playing,
  });
  await vi.waitFor(async () => expect((await get(taken.id)).counts).toMatchObject({ told: 1, showing: 1 }));
  const { items } = dataOf(await boss.calls.takeovers.listDevices({ params: { id: taken.id } }));
  expect(items).toMatchObject([{ id: player.device.id, online: true, told: true, showing: true }]);

  const ended = dataOf(await boss.calls.takeovers.end({ params: { id: taken.id } }));
  expect(ended).toMatchObject({ state: 'ended', endedAt: expect.any(String), endedBy: { id: boss.user.id } });
  expect(await hear(channel, 'takeoverEnded')).toMatchObject({ releaseId: taken.id });
  const after = await player.manifest();
  expect(after.screens.main.map(({ releaseId }) => releaseId)).toEqual([before.id]);
  expect(after.withdrawn).toContain(taken.id);
  expect(dataOf(await boss.calls.takeovers.end({ params: { id: taken.id } })).endedAt).toBe(ended.endedAt);
  await channel.close();
});

test('a takeover that ended says which devices showed it, also those that report their plays later', async () => {
  const players = [await device(), await device(), await device()];
  const [early, late] = players;
  const { id } = await takeOver(players.map((player) => player.device.id));
  const play = async (player?: (typeof players)[number]) => {
    const [entry] = (await player?.manifest())?.screens.main ?? [];
    const sha256 = entry?.regions.full?.[0]?.sha256 ?? '';
    const at = new Date().toISOString();
    const plays = [{ releaseId: id, sha256, at, durationMs: 1000, screen: 'main' as const }];
    return () => player?.calls.player.plays({ body: { batch: randomUUID(), plays } });
  };
  const [report, reportLate] = [await play(early), await play(late)];
  await report();
  dataOf(await boss.calls.takeovers.end({ params: { id } }));
  await expect.poll(async () => (await get(id)).counts).toMatchObject({ total: 3, shown: 1 });
  await reportLate();
  await expect.poll(async () => (await get(id)).counts).toMatchObject({ total: 3, shown: 2 });
  const { items } = dataOf(await boss.calls.takeovers.listDevices({ params: { id } }));
  const shown = items.filter((item) => item.shown).map(({ mac }) => mac);
  expect(shown.toSorted()).toEqual([early?.mac, late?.mac].toSorted());
});

test('a device that connects later is told of the version with the takeover', async () => {
  const player = await device();
  const taken = await takeOver([player.device.id]);
  const channel = await player.open();
  const { version } = await hear(channel, 'manifest');
  const manifest = await player.manifest();
  expect(version).toBe(manifest.version);
  expect(manifest.screens.main.map(({ releaseId }) => releaseId)).toEqual([taken.id]);
  channel.status({ manifestVersion: version, download: { state: 'done', doneBytes: 1, totalBytes: 1 } });
  await vi.waitFor(async () => expect((await get(taken.id)).counts).toMatchObject({ ready: 1, told: 1, showing: 0 }));
  await channel.close();
});

test('a prepared takeover is stored on its devices and plays only once it starts, on those still in scope', async () => {
  const [player, lost] = [await device(), await device()];
  const ids = [player.device.id, lost.device.id];
  const prepared = await takeOver(ids, { prepare: true, until: undefined });
  expect(prepared).toMatchObject({ state: 'prepared', startedAt: null, endsAt: null, counts: { total: 2, told: 0 } });
  const held = await player.manifest();
  expect(held.screens.main).toEqual([]);
  expect(held.files).toHaveLength(1);
  const why = await boss.calls.releases.programme({ params: { id: player.device.id } });
  expect(dataOf(why)).toMatchObject({ verdict: { kind: 'offline' }, screens: { main: [] } });
  const channel = await player.open();
  await channel.next();
  channel.status({ manifestVersion: held.version, download: { state: 'done', doneBytes: 1, totalBytes: 1 } });
  await vi.waitFor(async () => expect((await get(prepared.id)).counts).toMatchObject({ ready: 1, told: 0 }));

  const root = await server.login();
  const buyer = await server.createUser('member');
  dataOf(await root.calls.devices.update({ params: { id: lost.device.id }, body: { ownerId: buyer.user.id } }));
  const start = () => boss.calls.takeovers.start({ params: { id: prepared.id }, body: { until: inMs(HOUR_MS) } });
  const started = dataOf(await start());
  expect(started).toMatchObject({ state: 'running', startedAt: expect.any(String), counts: { total: 1 } });
  expect(await hear(channel, 'takeover')).toMatchObject({ screens: { main: [{ releaseId: prepared.id }] } });
  expect((await player.manifest()).screens.main).toHaveLength(1);
  expect((await lost.manifest()).screens.main).toEqual([]);
  expect(await start()).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
  await channel.close();
});

test('a takeover ends by itself: in the list at its end, and on devices that were never told', async () => {
  const player = await device();
  const taken = await takeOver([player.device.id], { until: inMs(1000) });
  // It was never connected and has reported nothing.
  const listed = await boss.calls.takeovers.listDevices({ params: { id: taken.id } });
  expect(dataOf(listed).items).toMatchObject([{ online: false, ready: false, told: false, showing: false }]);
  await sleep(1100);
  expect(await get(taken.id)).toMatchObject({ state: 'ended', endedAt: taken.endsAt, endedBy: null });
  const task = tasksOf(server.deps).takeovers_end;
  if (typeof task !== 'function') throw new Error('it has a lane');
  await task({}, server.deps.stopping, true);
  expect((await player.manifest()).screens.main).toEqual([]);
  expect(await get(taken.id)).toMatchObject({ counts: { total: 1, told: 0 } });
  expect(dataOf(await boss.calls.releases.get({ params: { id: taken.id } })).withdrawnBy).toBeNull();
});

test('a device that another release changes while a takeover is being made gets the takeover, too', async () => {
  const [changed, still] = [await device(), await device()];
  const { db } = server.deps;
  const { id, username } = boss.user;
  const person = personOf({ id, username });
  const viewer = { ...({ kind: 'user', id, username, role: 'leading', superior: null, phone: null } as const), person };
  const by: Viewer = { ...viewer, tokenHash: Buffer.alloc(32) };
  const taken = await db.transaction().execute(async (trx) => {
    const frozen = await frozenAd(server.deps, trx, by, ad.id, undefined);
    const devices = { ids: [changed.device.id, still.device.id] };
    const made = await sendTakeover(trx, by, frozen.ad, frozen.frozen, { devices }, new Date(Date.now() + HOUR_MS));
    const body = { devices: { ids: [changed.device.id] } };
    dataOf(await boss.calls.ads.release({ params: { id: other.id }, body }));
    expect((await changed.manifest()).screens.main.map(({ releaseId }) => releaseId)).not.toContain(made.id);
    return made;
  });
  await settleTakeovers(db);
  for (const player of [changed, still]) {
    expect((await player.manifest()).screens.main.map(({ releaseId }) => releaseId)).toContain(taken.id);
  }
});

test('a takeover lasts for some minutes by the clock of the server, whatever the caller believes', async () => {
  const player = await device();
  const begun = Date.now();
  const taken = await takeOver([player.device.id], { until: undefined, minutes: 15 });
  const lasts = (end: string | null) => Date.parse(end ?? '') - begun;
  expect(lasts(taken.endsAt)).toBeGreaterThanOrEqual(15 * 60_000);
  expect(lasts(taken.endsAt)).toBeLessThan(15 * 60_000 + (Date.now() - begun) + 1);
  const { id } = await takeOver([player.device.id], { until: undefined, prepare: true });
  const started = dataOf(await boss.calls.takeovers.start({ params: { id }, body: { minutes: 60 } }));
  expect(lasts(started.endsAt)).toBeGreaterThanOrEqual(60 * 60_000);
});

test('of two people who start a prepared takeover at once, one starts it', async () => {
  const player = await device();
  const { id } = await takeOver([player.device.id], { until: undefined, prepare: true });
  const start = () => boss.calls.takeovers.start({ params: { id }, body: { minutes: 5 } });
  const codes = (await Promise.all([start(), start()])).map(({ code }) => code);
  expect(codes.toSorted()).toEqual([200, 409]);
  expect(dataOf(await boss.calls.takeovers.end({ params: { id } })).state).toBe('ended');
  expect(await start()).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
  const stranger = await server.createUser('leading');
  expect(await stranger.calls.takeovers.start({ params: { id }, body: { minutes: 5 } })).toMatchObject({ code: 404 });
  expect(await stranger.calls.takeovers.end({ params: { id } })).toMatchObject({ code: 404 });
  expect(await stranger.calls.takeovers.listDevices({ params: { id } })).toMatchObject({ code: 404 });
});

test('of two takeovers the newer one plays, then the earlier one', async () => {
  const player = await device();
  const first = await takeOver([player.device.id]);
  const second = await takeOver([player.device.id], { adId: other.id });
  const plays = async () =>
    playingNow((await player.manifest()).screens.main, Date.now(), 'UTC').map(({ releaseId }) => releaseId);
  expect(await plays()).toEqual([second.id]);
  await boss.calls.takeovers.end({ params: { id: second.id } });
  expect(await plays()).toEqual([first.id]);
});

test.each([
  ['an end in the past', { until: inMs(-1000) }, 'until', 'takeover.past'],
  ['an end in 8 days', { until: inMs(8 * 24 * HOUR_MS) }, 'until', 'takeover.days'],
  ['no end', { until: undefined }, 'until', 'takeover.until'],
  ['two ends', { until: inMs(HOUR_MS), minutes: 5 }, 'until', 'takeover.until'],
  ['no minute', { until: undefined, minutes: 0 }, 'minutes', 'takeover.until'],
  ['8 days in minutes', { until: undefined, minutes: 8 * 24 * 60 }, 'minutes', 'takeover.days'],
])('%s is refused', async (_what, body, path, rule) => {
  const { device: own } = await device();
  const reply = await boss.calls.takeovers.create({
    body: { adId: ad.id, devices: { ids: [own.id] }, ...body },
  });
  expect(reply).toMatchObject({ code: 400, error: 'INVALID', details: { fields: [{ path, rule }] } });
});

test('devices that do not exist, groups without devices and ads that are not ready are refused', async () => {
  const create = (adId: string, devices: DeviceChoice) =>
    boss.calls.takeovers.create({ body: { adId, devices, until: inMs(HOUR_MS) } });
  expect(await create(ad.id, { ids: [randomUUID()] })).toMatchObject({ code: 404 });
  const group = dataOf(await boss.calls.groups.create({ body: { name: 'None', filter: { tags: { all: ['none'] } } } }));
  expect(await create(ad.id, { group: group.id })).toMatchObject({ error: 'NO_DEVICES' });
  expect(await create(randomUUID(), { filter: {} })).toMatchObject({ code: 404 });
  const { device: own } = await device();
  const file = await addFile(server, boss, await makeMp4(1, 9), { name: 'c.mp4', orientation: 'vertical', kind: 2 });
  const unready = await addAd(boss, 'Not ready', file.id);
  await sql`update blobs set state = 'processing' where sha256 = ${file.sha256}`.execute(server.deps.db);
  expect(await create(unready.id, { ids: [own.id] })).toMatchObject({ error: 'FILE_NOT_READY' });
});

test('an ordinary release with the priority of takeovers is refused', async () => {
  const reply = await fetch(`${server.url}/api/ads/${ad.id}/release`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${boss.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ devices: { filter: {} }, priority: 'takeover' }),
  });
  expect(await reply.json()).toMatchObject({ code: 400, details: { fields: [{ path: 'priority' }] } });
});

test('members neither start nor end takeovers, not even of their own ads', async () => {
  const player = await device();
  const file = await addFile(server, member, await makeMp4(1, 4), { name: 'm.mp4', orientation: 'vertical', kind: 2 });
  const own = await addAd(member, 'Own', file.id);
  const taken = await takeOver([player.device.id], { adId: own.id });
  expect(await get(taken.id, member)).toMatchObject({ state: 'running', counts: { total: 1 } });
  expect(await member.calls.takeovers.end({ params: { id: taken.id } })).toMatchObject({ error: 'LEADING_ONLY' });
  expect(await member.calls.releases.withdraw({ params: { id: taken.id } })).toMatchObject({ error: 'LEADING_ONLY' });
  expect(await member.calls.ads.delete({ params: { id: own.id } })).toMatchObject({ error: 'LEADING_ONLY' });
  expect(await get(taken.id, member)).toMatchObject({ state: 'running' });
  const withdrawn = dataOf(await boss.calls.releases.withdraw({ params: { id: taken.id } }));
  expect(withdrawn.withdrawnAt).not.toBeNull();
  expect(await boss.calls.releases.restore({ params: { id: taken.id } })).toMatchObject({ error: 'UNDO_OVER' });
  expect(dataOf(await member.calls.ads.delete({ params: { id: own.id } }))).toBeNull();
});

test('a takeover that has ended stays ended when the clearing of one of its devices is undone', async () => {
  const [cleared, untold] = [await device(), await device()];
  const taken = await takeOver([cleared.device.id, untold.device.id]);
  const clear = async () =>
    dataOf(await boss.calls.batches.start({ body: { ids: [cleared.device.id], action: 'clear' } })).undo ?? '';
  const playing = async () => (await cleared.manifest()).screens.main.map(({ releaseId }) => releaseId);
  dataOf(await boss.calls.batches.undo({ body: { undo: await clear() } }));
  expect(await playing()).toEqual([taken.id]);
  const undo = await clear();
  dataOf(await boss.calls.takeovers.end({ params: { id: taken.id } }));
  dataOf(await boss.calls.batches.undo({ body: { undo } }));
  expect(await playing()).toEqual([]);
  expect(await get(taken.id)).toMatchObject({ state: 'ended', endedBy: { id: boss.user.id } });
});

test('a takeover needs a code where the second factor is on; preparing one and ending one do not', async () => {
  const leader = await server.createUser('leading', boss);
  const player = await pairedDevice(server, leader);
  const file = await addFile(server, leader, await makeMp4(1, 5), { name: 'l.mp4', orientation: 'vertical', kind: 2 });
  const own = await addAd(leader, 'Own', file.id);
  const { secret } = await turnOn(leader);
  const body = { adId: own.id, devices: { ids: [player.device.id] }, until: inMs(HOUR_MS) };
  const create = (code?: string) => leader.calls.takeovers.create({ body: { ...body, ...(code && { code }) } });
  expect(await create()).toMatchObject({ code: 400, details: { fields: [{ path: 'code', rule: 'code.required' }] } });
  expect(await create(WRONG_CODE)).toMatchObject({ error: 'BAD_CODE' });
  const taken = dataOf(await create(await nextCode(secret)));
  dataOf(await leader.calls.takeovers.end({ params: { id: taken.id } }));
  dataOf(await leader.calls.takeovers.create({ body: { ...body, prepare: true } }));
});

test('takeovers are listed in scope, newest first, in pages', async () => {
  const player = await device();
  const made = [await takeOver([player.device.id]), await takeOver([player.device.id])];
  const first = dataOf(await boss.calls.takeovers.list({ query: { limit: '1' } }));
  expect(first.items.map(({ id }) => id)).toEqual([made[1]?.id]);
  const next = dataOf(await boss.calls.takeovers.list({ query: { limit: '1', cursor: first.next ?? '' } }));
  expect(next.items.map(({ id }) => id)).toEqual([made[0]?.id]);
  const running = dataOf(await boss.calls.takeovers.list({ query: { state: 'running', limit: '2' } }));
  expect(running.items.map(({ id }) => id)).toEqual(made.map(({ id }) => id).toReversed());
  const stranger = await server.createUser('leading');
  expect(dataOf(await stranger.calls.takeovers.list({ query: {} })).items).toEqual([]);
  expect(await stranger.calls.takeovers.get({ params: { id: made[0]?.id ?? '' } })).toMatchObject({ code: 404 });
});
