import { randomUUID } from 'node:crypto';
import { type MediaFile, localTime, type Play, type PlaysHistory, type PlaysRow } from '@ams/contract';
import { read, utils } from '@e965/xlsx';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { pairedDevice, type TestDevice } from '../../test/device.ts';
import { addFile, makeMedia, makeMp4, testPattern } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { dropOldPlays, makePlayPartitions } from '../player/keep-plays.service.ts';

const server = await startTestServer();
const { db } = server.deps;
let dealer: Session;
let owner: Session;
let stranger: Session;
let video: MediaFile;
let second: MediaFile;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

beforeAll(async () => {
  dealer = await server.createUser('leading');
  owner = await server.createUser('member', dealer);
  stranger = await server.createUser('member');
  video = await addFile(server, owner, await makeMp4(1, 2), { name: 'spot.mp4', orientation: 'vertical', kind: 2 });
  second = await addFile(server, owner, await makeMp4(2, 2), { name: 'other.mp4', orientation: 'vertical', kind: 2 });
});

/** A device where it is this time zone, with an ad that it has had for years. */
async function playing(name: string, { timeZone = 'UTC', who = owner } = {}) {
  const player = await pairedDevice(server, who);
  const { id } = player.device;
  dataOf(await dealer.calls.devices.update({ params: { id }, body: { timeZone } }));
  const ad = await addAd(who, name, video.id, second.id);
  const sent = dataOf(await who.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [id] } } }));
  await sql`update release_devices set started_at = '2020-01-01' where release_id = ${sent.id}`.execute(db);
  const play = (at: number | string, more: Partial<Play> = {}): Play => ({
    releaseId: sent.id,
    sha256: video.sha256,
    at: new Date(at).toISOString(),
    durationMs: 2000,
    screen: 'main',
    ...more,
  });
  return { player, ad, release: sent, play, device: id };
}

const report = async (player: TestDevice, plays: Play[], batch: string = randomUUID()) =>
  dataOf(await player.calls.player.plays({ body: { batch, plays } }));

const history = async (query: object, who = owner): Promise<PlaysHistory> =>
  dataOf(await who.calls.reports.history({ query }));

const rows = async (query: object, who = owner): Promise<PlaysRow[]> =>
  dataOf(await who.calls.reports.plays({ query })).items;

const counted = (points: { at: string; plays: number }[]) =>
  Object.fromEntries(points.filter(({ plays }) => plays > 0).map(({ at, plays }) => [at, plays]));

test('each play counts once, however batches are split, repeated, mixed and sent at once', async () => {
  const { player, play, device } = await playing('once', { timeZone: 'Asia/Kolkata' });
  let day = Date.parse('2026-01-01T00:00:00Z');
  const batches = fc.array(fc.tuple(fc.nat(4), fc.array(fc.nat(30), { minLength: 1, maxLength: 12 })), {
    minLength: 1,
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(batches, fc.boolean(), async (chosen, atOnce) => {
      day += 2 * DAY;
      const begun = day;
      const moment = (n: number) => play(begun + n * HOUR, n % 3 === 0 ? { sha256: second.sha256 } : {});
      const first = new Map<number, number[]>();
      // A batch keeps its content: what comes with a name that was there before is the same again.
      const names = new Map<number, string>();
      const send = ([name, picks]: [number, number[]]) => {
        const content = first.get(name) ?? [...new Set(picks)];
        first.set(name, content);
        names.set(name, names.get(name) ?? randomUUID());
        return report(player, content.map(moment), names.get(name));
      };
      if (atOnce) await Promise.all(chosen.map(send));
      else for (const batch of chosen) await send(batch);
      const expected = new Map<string, number>();
      for (const n of new Set([...first.values()].flat())) {
        const local = localTime(begun + n * HOUR, 'Asia/Kolkata');
        const hour = `${local.date}T${String(Math.floor(local.minutes / 60)).padStart(2, '0')}`;
        expected.set(hour, (expected.get(hour) ?? 0) + 1);
      }
      const date = (at: number) => localTime(at, 'Asia/Kolkata').date;
      const range = { device, from: date(begun), to: date(begun + DAY) };
      const { points, plays, durationMs } = await history(range);
      expect(counted(points)).toEqual(Object.fromEntries(expected));
      expect([plays, durationMs]).toEqual([first.size && [...expected.values()].reduce((a, b) => a + b), plays * 2000]);
      const byFile = await rows({ ...range, group: 'file' });
      expect(byFile.reduce((sum, row) => sum + row.plays, 0)).toBe(plays);
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

/** A device with an ad of three regions; `video` plays in the middle, and one picture at the top and at the bottom. */
async function split() {
  const picture = await makeMedia('a.png', ...testPattern('320x180', 1), '-frames:v', '1');
  const top = await addFile(server, owner, picture, { name: 'top.png', orientation: 'vertical', kind: 3 });
  const bottom = await addFile(server, owner, picture, { name: 'bottom.png', orientation: 'vertical', kind: 4 });
  const middle = { name: 'middle.mp4', orientation: 'vertical', kind: 2 } as const;
  const film = await addFile(server, owner, await makeMp4(3, 2), middle);
  const player = await pairedDevice(server, owner);
  const { id } = player.device;
  const regions = {
    top: [{ kind: 'file' as const, fileId: top.id }],
    middle: [{ kind: 'file' as const, fileId: film.id }],
    bottom: [{ kind: 'file' as const, fileId: bottom.id }],
  };
  const ad = dataOf(
    await owner.calls.ads.create({ body: { name: 'Split', orientation: 'vertical', split: 'three', regions } }),
  );
  const sent = dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [id] } } }));
  await sql`update release_devices set started_at = '2020-01-01' where release_id = ${sent.id}`.execute(db);
  const play = (sha256: string, at: string): Play => ({
    releaseId: sent.id,
    sha256,
    at,
    durationMs: 2000,
    screen: 'main',
  });
  expect(top.sha256).toBe(bottom.sha256);
  return { player, device: id, film, picture: top, play };
}

test('two regions may begin the same item in the same millisecond, a third may not', async () => {
  const { player, device, film, picture, play } = await split();
  const at = '2026-02-01T10:00:00Z';
  const twins = [play(picture.sha256, at), play(picture.sha256, at), play(film.sha256, at)];
  expect(await report(player, twins)).toEqual({ accepted: 3, rejected: 0 });
  const next = play(picture.sha256, '2026-02-01T10:00:02Z');
  expect(await report(player, [...twins, next])).toEqual({ accepted: 4, rejected: 0 });
  expect(await report(player, [...twins, play(picture.sha256, at), play(film.sha256, at)])).toEqual({
    accepted: 3,
    rejected: 2,
    reasons: [
      { index: 3, reason: 'overlap' },
      { index: 4, reason: 'overlap' },
    ],
  });
  expect((await history({ device, from: '2026-02-01', to: '2026-02-01' })).plays).toBe(4);
});

test('plays of one region do not overlap by more than a second, however they come', async () => {
  const { player, play, device } = await playing('overlaps');
  const begun = Date.parse('2026-02-03T10:00:00Z');
  const reasonsOf = async (plays: Play[]) =>
    (await report(player, plays)).reasons?.map(({ index, reason }) => `${index} ${reason}`);
  expect(await reasonsOf([play(begun), play(begun + 1000, { sha256: second.sha256 })])).toBeUndefined();
  // Each by a second: together they would be longer than the time that passed.
  expect(await reasonsOf([play(begun + 2000), play(begun + 3000)])).toEqual(['0 overlap']);
  expect(await reasonsOf([play(begun - 500)])).toEqual(['0 overlap']);
  expect(await reasonsOf([play(begun - 1000), play(begun + 5000, { screen: 'secondary' })])).toEqual(['0 overlap']);
  expect(await reasonsOf([play(begun - 2000)])).toBeUndefined();
  // Two reports at the same moment: one of them has the room.
  const rivals = await Promise.all([0, 100, 200, 300].map((late) => report(player, [play(begun + 60_000 + late)])));
  expect(rivals.map(({ accepted }) => accepted).toSorted()).toEqual([0, 0, 0, 1]);
  const { durationMs } = await history({ device, from: '2026-02-03', to: '2026-02-03' });
  expect(durationMs).toBe(6 * 2000);
});

test('a screen shows one release at a time', async () => {
  const one = await playing('one');
  const ad = await addAd(owner, 'two', video.id);
  const body = { devices: { ids: [one.device] } };
  const sent = dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body }));
  await sql`update release_devices set started_at = '2020-01-01' where release_id = ${sent.id}`.execute(db);
  const at = Date.parse('2026-02-04T10:00:00Z');
  expect(await report(one.player, [one.play(at), one.play(at + 900, { releaseId: sent.id })])).toMatchObject({
    accepted: 1,
    reasons: [{ index: 1, reason: 'overlap' }],
  });
  expect(await report(one.player, [one.play(at + 1900, { releaseId: sent.id })])).toMatchObject({ accepted: 1 });
});

test('a device cannot report more hours than a day has', async () => {
  const { player, play, device } = await playing('all day');
  const begun = Date.parse('2026-02-05T00:00:00Z');
  // Every second one of two seconds, from four devices' worth of reports.
  for (const shift of [0, 250, 500, 750]) {
    const plays = Array.from({ length: 1000 }, (_, n) => play(begun + n * 1000 + shift));
    await report(player, plays);
  }
  const { durationMs } = await history({ device, from: '2026-02-05', to: '2026-02-05' });
  expect(durationMs).toBeGreaterThan(990_000);
  expect(durationMs).toBeLessThan(1_010_000);
});

test('two weeks without a network are reported together, and counted once', async () => {
  const { player, play, device } = await playing('holidays');
  const begun = Date.parse('2026-03-10T00:00:00Z');
  const batches = Array.from({ length: 14 }, (_, day) =>
    Array.from({ length: 500 }, (_unused, n) => play(begun + day * DAY + n * 2000 + (n % 3))),
  );
  for (const plays of [...batches, ...batches.toReversed()]) {
    expect(await report(player, plays)).toEqual({ accepted: 500, rejected: 0 });
  }
  expect((await history({ device, from: '2026-03-10', to: '2026-03-23' })).plays).toBe(7000);
});

test('plays after the clock was taken back count, also when they are reported late', async () => {
  const { player, play, release } = await playing('clock');
  await sql`update release_devices set started_at = now() + interval '70 minutes' where release_id = ${release.id}`.execute(
    db,
  );
  const now = Date.now();
  expect(await report(player, [play(now - 40 * 60_000), play(now - 5000)])).toEqual({ accepted: 2, rejected: 0 });
  expect(await report(player, [play(now - 35 * 60_000)])).toEqual({ accepted: 1, rejected: 0 });
  expect(await report(player, [play(now - DAY)])).toMatchObject({ reasons: [{ index: 0, reason: 'early' }] });
});

test("impossible plays are rejected and counted as such; too long plays count for their item's duration", async () => {
  const { player, play, device, release } = await playing('truth');
  const foreign = await playing('elsewhere');
  const now = Date.now();
  const good = [play(now - 1000), play(now + 5 * 60_000), play(now - HOUR, { durationMs: DAY })];
  const bad = [
    foreign.play(now - 2000),
    play(now - 3000, { releaseId: randomUUID() }),
    play(now - 4000, { sha256: 'f'.repeat(64) }),
    play(now + DAY),
    play('2019-12-31T00:00:00Z'),
    play('1970-01-01T00:00:00Z'),
  ];
  const reasons = ['unknown', 'unknown', 'unknown', 'future', 'early', 'early'];
  expect(await report(player, [...good, ...bad])).toEqual({
    accepted: 3,
    rejected: 6,
    reasons: reasons.map((reason, n) => ({ index: good.length + n, reason })),
  });
  const { plays, durationMs } = await history({ device, days: 2 });
  expect(plays).toBe(3);
  expect(durationMs).toBe(2000 + 2000 + (video.durationMs ?? 0) + 10_000);
  // Ahead of our clock by a little: played now, not in an hour that has not come.
  const latest = await sql<{
    last: string;
  }>`select max(day) as last from play_item_days where device_id = ${device}`.execute(db);
  expect(latest.rows[0]?.last).toBe(new Date(now).toISOString().slice(0, 10));
  dataOf(await owner.calls.releases.withdraw({ params: { id: release.id } }));
  expect(await report(player, [play(now - 9000)])).toEqual({ accepted: 1, rejected: 0 });
});

test('too many plays in one batch are refused with a message', async () => {
  const { player, play } = await playing('many');
  const plays = Array.from({ length: 1001 }, (_, n) => play(Date.parse('2026-03-01T00:00:00Z') + n * 2000));
  expect(await player.calls.player.plays({ body: { batch: randomUUID(), plays } })).toMatchObject({
    code: 400,
    details: { fields: [{ path: 'plays', rule: 'plays.tooMany' }] },
  });
  expect(await report(player, plays.slice(1))).toEqual({ accepted: 1000, rejected: 0 });
  const huge = Array.from({ length: 20_000 }, () => plays[0]);
  const reply = await fetch(`${server.url}/api/player/plays`, {
    method: 'POST',
    headers: { 'authorization': `Bearer ${player.secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ batch: randomUUID(), plays: huge }),
  });
  expect(reply.status).toBe(413);
  expect(await reply.json()).toMatchObject({ error: 'TOO_LARGE' });
});

test.each([
  ['Europe/Berlin', '2026-10-25', 25, '02'],
  ['Europe/Berlin', '2026-03-29', 23, '02'],
  ['America/New_York', '2026-11-01', 25, '01'],
  ['Australia/Lord_Howe', '2026-04-05', 24.5, '01'],
])('%s has on %s a day of %d hours', async (timeZone, day, length, hour) => {
  const { player, play, device } = await playing(`clock ${day}`, { timeZone });
  const halfHours = Array.from({ length: 72 * 2 }, (_, n) => Date.parse(`${day}T00:00:00Z`) - DAY + n * (HOUR / 2));
  await report(
    player,
    halfHours.map((at) => play(at)),
  );
  const { points, plays, unit, timeZones } = await history({ device, from: day, to: day });
  expect({ plays, unit, timeZones }).toEqual({ plays: length * 2, unit: 'hour', timeZones: [timeZone] });
  expect(points).toHaveLength(24);
  const odd = points.filter((point) => point.plays !== 2);
  expect(odd.map((point) => [point.at, point.plays])).toEqual([[`${day}T${hour}`, 2 + (length - 24) * 2]]);
  const [row] = await rows({ device, from: day, to: day, group: 'day' });
  expect(row).toMatchObject({ id: day, plays: length * 2 });
});

test('reports by ad, device, file, day and hour agree, over months as over days', async () => {
  const one = await playing('Spring');
  const two = await playing('Autumn');
  const times = ['2025-11-29T08:00:00Z', '2025-12-01T08:00:00Z', '2025-12-31T23:30:00Z', '2026-01-02T08:30:00Z'];
  await report(
    one.player,
    times.map((at) => one.play(at)),
  );
  await report(
    two.player,
    [...times, '2026-01-02T09:00:00Z'].map((at) => two.play(at, { sha256: second.sha256 })),
  );
  const range = { from: '2025-11-29', to: '2026-01-02', owner: owner.user.id };
  const names = async (query: object) => (await rows(query)).map((row) => [row.name, row.plays, row.durationMs]);
  expect(await names({ ...range, group: 'ad' })).toEqual([
    ['Autumn', 5, 10_000],
    ['Spring', 4, 8000],
  ]);
  expect(await names({ ...range, group: 'file' })).toEqual([
    ['other.mp4', 5, 10_000],
    ['spot.mp4', 4, 8000],
  ]);
  expect((await rows({ ...range, group: 'device' })).map((row) => [row.mac, row.plays])).toEqual([
    [two.player.mac, 5],
    [one.player.mac, 4],
  ]);
  expect(await names({ ...range, from: '2025-11-30', to: '2025-12-31', group: 'ad', ad: one.ad.id })).toEqual([
    ['Spring', 2, 4000],
  ]);
  expect(await names({ ...range, group: 'device', file: video.id })).toHaveLength(1);
  expect((await rows({ ...range, group: 'day', device: one.device })).map((row) => [row.id, row.plays])).toEqual(
    times.map((at) => [at.slice(0, 10), 1]),
  );
  expect(counted(await rows({ ...range, from: '2025-12-15', group: 'hour' }).then(toPoints))).toEqual({
    '2025-12-31T23': 2,
    '2026-01-02T08': 2,
    '2026-01-02T09': 1,
  });
  const course = await history({ ...range, ad: two.ad.id });
  expect(course).toMatchObject({ plays: 5, unit: 'day', ad: 'Autumn', owner: owner.user.username, timeZones: ['UTC'] });
  expect(course.points).toHaveLength(35);
});

const toPoints = (items: PlaysRow[]) => items.map(({ id, plays }) => ({ at: id, plays }));

test('long groups come in pages', async () => {
  const { player, play, device } = await playing('pages');
  await report(
    player,
    Array.from({ length: 25 }, (_, n) => play(Date.parse('2026-05-01T12:00:00Z') + n * DAY)),
  );
  const query = { device, from: '2026-05-01', to: '2026-05-25', group: 'day' as const, limit: 10 };
  const first = dataOf(await owner.calls.reports.plays({ query }));
  const next = dataOf(await owner.calls.reports.plays({ query: { ...query, cursor: first.next ?? '' } }));
  const last = dataOf(await owner.calls.reports.plays({ query: { ...query, cursor: next.next ?? '' } }));
  expect([...first.items, ...next.items, ...last.items].map((row) => row.id.slice(-2))).toEqual(
    Array.from({ length: 25 }, (_, n) => String(n + 1).padStart(2, '0')),
  );
  expect(last.next).toBeNull();
  await report(player, [play('2026-05-03T13:00:00Z', { sha256: second.sha256 })]);
  const byPlays = { device, from: '2026-05-01', to: '2026-05-25', group: 'file' as const, limit: 1 };
  const top = dataOf(await owner.calls.reports.plays({ query: byPlays }));
  const rest = dataOf(await owner.calls.reports.plays({ query: { ...byPlays, cursor: top.next ?? '' } }));
  expect([...top.items, ...rest.items].map((row) => row.plays)).toEqual([25, 1]);
  expect(rest.next).toBeNull();
  expect(await owner.calls.reports.plays({ query: { ...byPlays, cursor: 'e30' } })).toMatchObject({ code: 400 });
});

test('plays out of scope are not visible', async () => {
  const { player, play, ad, device } = await playing('secret');
  await report(player, [play('2026-06-01T12:00:00Z')]);
  const range = { from: '2026-06-01', to: '2026-06-01' };
  expect((await history({ ...range, ad: ad.id }, dealer)).plays).toBe(1);
  expect((await history(range, stranger)).plays).toBe(0);
  expect(await rows({ ...range, group: 'ad' }, stranger)).toEqual([]);
  for (const subject of [{ ad: ad.id }, { device }, { file: video.id }, { owner: owner.user.id }]) {
    for (const call of ['plays', 'history'] as const) {
      expect(await stranger.calls.reports[call]({ query: { ...range, ...subject } })).toMatchObject({ code: 404 });
    }
  }
  // The device goes to somebody else with its past; whose ads those were is none of the new owner's business.
  const root = await server.login();
  dataOf(await root.calls.devices.update({ params: { id: device }, body: { ownerId: stranger.user.id } }));
  expect(await rows({ ...range, group: 'ad' }, stranger)).toMatchObject([{ name: null, plays: 1 }]);
  expect(await rows({ ...range, group: 'file' }, stranger)).toMatchObject([{ name: null, plays: 1 }]);
});

test('a report is limited to the devices that are in a group', async () => {
  const inside = await playing('inside');
  const outside = await playing('outside');
  for (const each of [inside, outside]) await report(each.player, [each.play('2026-05-02T12:00:00Z')]);
  dataOf(await owner.calls.devices.update({ params: { id: inside.device }, body: { tags: ['inside'] } }));
  const body = { name: 'Inside', filter: { tags: { all: ['inside'] } } };
  const { id: deviceGroup } = dataOf(await owner.calls.groups.create({ body }));
  const query = { from: '2026-05-02', to: '2026-05-02', deviceGroup };
  expect(await history(query)).toMatchObject({ plays: 1, deviceGroup: 'Inside' });
  expect(await rows({ ...query, group: 'device' })).toMatchObject([{ id: inside.device, plays: 1 }]);
  expect(await stranger.calls.reports.history({ query })).toMatchObject({ code: 404 });
});

test('a range is needed, in order and not too long', async () => {
  const refused = async (query: object) => {
    const reply = await owner.calls.reports.plays({ query });
    expect(reply).toMatchObject({ code: 400 });
    return reply.error === undefined ? undefined : reply.details?.['fields'];
  };
  expect(await refused({})).toMatchObject([{ rule: 'report.days' }]);
  expect(await refused({ from: '2026-01-02', to: '2026-01-01' })).toMatchObject([{ rule: 'schedule.order' }]);
  expect(await refused({ from: '2025-01-01', to: '2026-01-02' })).toMatchObject([{ rule: 'report.range' }]);
  expect(await refused({ days: 32, group: 'hour' })).toMatchObject([{ rule: 'report.hours' }]);
  expect(await refused({ days: 1, from: '2026-01-01', to: '2026-01-01' })).toMatchObject([{ rule: 'report.days' }]);
  dataOf(await owner.calls.reports.plays({ query: { from: '2024-01-01', to: '2024-12-31' } }));
});

test("today is in the device's time zone, as on the home page", async () => {
  const { player, play, device } = await playing('today', { timeZone: 'Pacific/Kiritimati' });
  const away = await playing('yesterday', { timeZone: 'Pacific/Pago_Pago' });
  const before = dataOf(await owner.calls.home.summary()).resources.playsToday;
  const known = (await history({ days: 1 })).plays;
  expect(before).toBe(known);
  await report(player, [play(Date.now() - 1000)]);
  await report(away.player, [away.play(Date.now() - 1000), away.play(Date.now() - 2 * DAY)]);
  expect((await history({ days: 1 })).plays).toBe(known + 2);
  expect(dataOf(await owner.calls.home.summary()).resources.playsToday).toBe(known + 2);
  expect(await history({ days: 1, device })).toMatchObject({
    from: localTime(Date.now(), 'Pacific/Kiritimati').date,
    to: localTime(Date.now(), 'Pacific/Kiritimati').date,
  });
  const both = await history({ days: 7 });
  expect(both.timeZones).toEqual(expect.arrayContaining(['Pacific/Kiritimati', 'Pacific/Pago_Pago']));
});

test('a spreadsheet has a title and correct totals, and contains no formulas', async () => {
  const { player, play, device } = await playing('=1+1', { timeZone: 'Europe/Berlin' });
  dataOf(await owner.calls.devices.update({ params: { id: device }, body: { name: 'Lobby, "left"' } }));
  await report(player, [play('2026-07-01T08:00:00Z'), play('2026-07-01T09:00:00Z')]);
  const get = async (query: string) => {
    const reply = await fetch(
      `${server.url}/api/reports/plays/export?device=${device}&from=2026-07-01&to=2026-07-02&${query}`,
      { headers: { 'authorization': `Bearer ${owner.token}`, 'accept-language': 'de' } },
    );
    return { name: reply.headers.get('content-disposition'), bytes: Buffer.from(await reply.arrayBuffer()) };
  };
  const xls = await get('group=ad&format=xls');
  expect(xls.name).toBe('attachment; filename="play report 2026-07-01 2026-07-02.xls"');
  const sheet = read(xls.bytes).Sheets['plays'];
  expect(sheet && utils.sheet_to_json(sheet, { header: 1, blankrows: false })).toEqual([
    ['Wiedergabebericht', '2026-07-01 – 2026-07-02'],
    ['Gerät', 'Lobby, "left"'],
    ['Zeitzone', 'Europe/Berlin'],
    ['Anzeige', 'Wiedergaben', 'Sekunden auf dem Bildschirm', 'Stunden auf dem Bildschirm'],
    ["'=1+1", 2, 4, 0],
    ['Summe', 2, 4, 0],
  ]);
  // Spreadsheet programs calculate with dates and times, not with texts.
  for (const [group, shown] of [
    ['day', '2026-07-01'],
    ['hour', '2026-07-01 10:00'],
  ]) {
    const { plays } = read((await get(`group=${group}&format=xls`)).bytes).Sheets;
    expect(plays?.A6).toMatchObject({ t: 'n', w: shown });
  }
  const csv = await get('group=device&format=csv');
  expect(csv.name).toContain('.csv"');
  expect(csv.bytes.toString()).toBe(
    '\uFEFFGerät,MAC,Wiedergaben,Sekunden auf dem Bildschirm,Stunden auf dem Bildschirm\r\n' +
      `"Lobby, ""left""",${player.mac},2,4,0\r\n`,
  );
  expect((await get('group=hour&format=csv')).bytes.toString()).toContain('\r\n2026-07-01 10:00,1,2,0\r\n');
});

test('the file of a report has the names of its customer and its ad, whatever characters these have', async () => {
  const { ad } = await playing('\u{1f600}'.repeat(60));
  const username = 'customer'.padEnd(20, '1');
  await sql`update users set username = ${username} where id = ${owner.user.id}`.execute(db);
  const reply = await fetch(
    `${server.url}/api/reports/plays/export?owner=${owner.user.id}&ad=${ad.id}&from=2026-07-01&to=2026-07-02`,
    { headers: { authorization: `Bearer ${owner.token}` } },
  );
  expect(reply.status).toBe(200);
  const name = `play report ${username} ${ad.name} 2026-07-01 2026-07-02.xls`;
  expect(reply.headers.get('content-disposition')).toContain(encodeURIComponent(name));
});

const KEPT = { playsDays: 7, reportMonths: 24 };

/** What a device has reported was reported in 2020. */
async function makeOld(device: string): Promise<void> {
  await sql`
    create table if not exists plays_20200101 partition of plays for values from ('2020-01-01') to ('2020-01-02')`.execute(
    db,
  );
  await sql`update plays set received_on = '2020-01-01' where device_id = ${device}`.execute(db);
  await sql`update play_inboxes set batches = '{}' where device_id = ${device}`.execute(db);
}

test('a play that is no longer on record cannot be counted again; what began later counts', async () => {
  const { player, play, device } = await playing('forgotten');
  const begun = Date.now() - 20 * DAY;
  const day = localTime(begun, 'UTC').date;
  const total = async () => (await history({ device, from: day, to: localTime(Date.now(), 'UTC').date })).plays;
  const batch = [play(begun), play(begun + 5000), play(begun + 10_000)];
  await report(player, batch);
  await makeOld(device);
  await report(player, [play(begun + DAY)]);
  await dropOldPlays(db, KEPT);
  const reasons = [0, 1, 2].map((index) => ({ index, reason: 'forgotten' }));
  expect(await report(player, batch)).toEqual({ accepted: 0, rejected: 3, reasons });
  expect(await total()).toBe(4);
  // What a device without a network gathered since then is new, and what is on record is known.
  const later = [play(begun + DAY), play(begun + 60_000), play(begun + 2 * DAY)];
  expect(await report(player, later)).toEqual({ accepted: 3, rejected: 0 });
  expect(await total()).toBe(6);
});

test('the last hour of a device that falls silent stays on record, for plays that it has not reported yet', async () => {
  const { player, play, device } = await playing('silent');
  const begun = Date.now() - 20 * DAY;
  const hour = 3_600_000;
  await report(player, [play(begun - 2 * hour), play(begun)]);
  await makeOld(device);
  await dropOldPlays(db, KEPT);
  await dropOldPlays(db, KEPT);
  const waiting = [
    play(begun),
    play(begun - 500, { screen: 'secondary' }),
    play(begun - 2 * hour),
    play(begun + 13 * DAY),
  ];
  expect(await report(player, waiting)).toEqual({
    accepted: 3,
    rejected: 1,
    reasons: [{ index: 2, reason: 'forgotten' }],
  });
});

test('expired plays are deleted by whole days; totals remain', async () => {
  const { player, play, device } = await playing('old');
  // Sums are kept for two years.
  const dayBefore = (days: number) => localTime(Date.now() - days * DAY, 'UTC').date;
  const [recent, old] = [dayBefore(100), dayBefore(1900)];
  await report(player, [play(`${recent}T08:00:00Z`), play(`${old}T08:00:00Z`)]);
  const count = async () =>
    (await sql<{ n: number }>`select count(*) as n from plays where device_id = ${device}`.execute(db)).rows[0]?.n;
  expect(await count()).toBe(2);
  await makeOld(device);
  await report(player, [play(`${recent}T08:30:00Z`)]);
  expect(await count()).toBe(3);
  await dropOldPlays(db, KEPT);
  expect(await count()).toBe(1);
  expect((await history({ device, from: recent, to: recent })).plays).toBe(2);
  expect((await history({ device, from: old, to: old })).plays).toBe(0);
  expect(await rows({ device, from: dayBefore(1930), to: dayBefore(1870), group: 'ad' })).toEqual([]);
  await Promise.all([makePlayPartitions(db), makePlayPartitions(db)]);
  expect(await report(player, [play(`${recent}T09:00:00Z`)])).toEqual({ accepted: 1, rejected: 0 });
});

test('any range of days contains exactly its plays, across months', async () => {
  const { player, play, device } = await playing('ranges');
  const dayOf = (n: number) => localTime(Date.parse('2025-12-20T12:00:00Z') + n * DAY, 'UTC').date;
  const LENGTH = 80;
  const played = [0, 1, 11, 12, 40, 42, 43, 70, 71, 79];
  await report(
    player,
    played.flatMap((n, index) =>
      Array.from({ length: index + 1 }, (_, nth) => play(`${dayOf(n)}T0${nth % 10}:00:00Z`)),
    ),
  );
  // Late reports of a day that has later ones.
  await report(player, [play(`${dayOf(12)}T20:00:00Z`)]);
  const total = (from: number, to: number) =>
    played.reduce((sum, n, index) => sum + (n >= from && n <= to ? index + 1 + Number(n === 12) : 0), 0);
  const day = fc.integer({ min: 0, max: LENGTH - 1 });
  await fc.assert(
    fc.asyncProperty(day, day, async (a, b) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)];
      const found = await rows({ device, from: dayOf(from), to: dayOf(to), group: 'file' });
      expect(found.map((row) => row.plays)).toEqual(total(from, to) > 0 ? [total(from, to)] : []);
    }),
    {
      numRuns: 40,
      examples: [
        [0, LENGTH - 1],
        [12, 42],
        [11, 11],
        [2, 3],
      ],
    },
  );
});
