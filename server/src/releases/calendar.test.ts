import { randomUUID } from 'node:crypto';
import { type Ad, addDays, type Calendar, localTime, type Release, zonedInstant } from '@ams/contract';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { pairedDevice, type TestDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const { db } = server.deps;
/** The zone of test devices. */
const ZONE = 'Asia/Shanghai';
let dealer: Session;
let owner: Session;
let ad: Ad;

beforeAll(async () => {
  dealer = await server.createUser('leading');
  owner = await server.createUser('member', dealer);
  ad = await addPictureAd(server, owner);
});

const today = () => localTime(Date.now(), ZONE).date;
const at = (date: string, hour: number) => new Date(zonedInstant(date, hour * 60, ZONE)).toISOString();

const release = async (ids: string[], over: object = {}): Promise<Release> =>
  dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids }, ...over } }));

const calendarOf = async (id: string, days: { from: string; to: string }): Promise<Calendar> =>
  dataOf(await owner.calls.releases.deviceCalendar({ params: { id }, query: days }));

/** Reports plays of the picture at these instants. */
async function play({ calls }: Pick<TestDevice, 'calls'>, sent: Release, instants: string[]): Promise<void> {
  await sql`update release_devices set started_at = '2020-01-01' where release_id = ${sent.id}`.execute(db);
  const { rows } = await sql<{
    sha256: string;
  }>`select sha256 from release_files where release_id = ${sent.id}`.execute(db);
  const plays = instants.map((instant) => ({
    releaseId: sent.id,
    sha256: rows[0]?.sha256 ?? '',
    at: instant,
    durationMs: 5000,
  }));
  expect(dataOf(await calls.player.plays({ body: { batch: randomUUID(), plays } }))).toMatchObject({ rejected: 0 });
}

test('the calendar of a device shows what will play, day by day in its own zone', async () => {
  const { device } = await pairedDevice(server, owner);
  const always = await release([device.id]);
  const noon = await release([device.id], { schedule: { hours: [{ from: '11:00', to: '14:00' }] } });
  const day = addDays(today(), 2);
  const { classes, releases, devices } = await calendarOf(device.id, { from: day, to: day });
  const slot = (from: number, to: number, { id }: Release) => ({
    from: at(day, from),
    to: at(day, to),
    state: 'plays',
    releases: [id],
    plays: null,
  });
  expect(devices).toBe(1);
  expect(classes).toMatchObject([{ devices: 1, example: { id: device.id }, timeZone: ZONE }]);
  expect(classes[0]?.screens).toEqual({
    main: [slot(0, 11, always), slot(11, 14, noon), slot(14, 24, always)],
    secondary: null,
  });
  expect(releases).toContainEqual({ id: noon.id, ad: { id: ad.id, name: ad.name }, priority: 'normal', open: true });
});

test('time without a release, and time after the last day, are slots of their own', async () => {
  const { device } = await pairedDevice(server, owner);
  const last = addDays(today(), 3);
  dataOf(await dealer.calls.devices.update({ params: { id: device.id }, body: { expiresAt: last } }));
  await release([device.id], { schedule: { from: last } });
  const { classes } = await calendarOf(device.id, { from: addDays(last, -1), to: addDays(last, 1) });
  expect(classes[0]?.screens.main.map(({ from, state }) => [from, state])).toEqual([
    [at(addDays(last, -1), 0), 'nothing'],
    [at(last, 0), 'plays'],
    [at(addDays(last, 1), 0), 'expired'],
  ]);
});

test('the past comes from proof of play: hours in which something played, and nothing else', async () => {
  const player = await pairedDevice(server, owner);
  const sent = await release([player.device.id]);
  const day = addDays(today(), -3);
  const hours = ['08:00', '08:30', '09:10', '13:00'].map((time) => new Date(`${day}T${time}:00+08:00`).toISOString());
  await play(player, sent, hours);
  dataOf(await owner.calls.releases.withdraw({ params: { id: sent.id } }));
  const { classes, releases } = await calendarOf(player.device.id, { from: day, to: day });
  const played = { state: 'played', releases: [sent.id] };
  expect(classes[0]?.screens.main).toEqual([
    { ...played, from: at(day, 8), to: at(day, 10), plays: 3 },
    { ...played, from: at(day, 13), to: at(day, 14), plays: 1 },
  ]);
  expect(releases.map(({ id }) => id)).toEqual([sent.id]);
});

test('past and future meet at this moment', async () => {
  const player = await pairedDevice(server, owner);
  const sent = await release([player.device.id]);
  await play(player, sent, [new Date(Date.now() - 20_000).toISOString()]);
  const { at: now, classes } = await calendarOf(player.device.id, { from: addDays(today(), -1), to: today() });
  const slots = classes[0]?.screens.main ?? [];
  expect(slots.map(({ state }) => state)).toEqual(['played', 'plays']);
  expect(slots[1]?.from).toBe(now);
  expect((slots[0]?.to ?? now) <= now).toBe(true);
});

test('the calendar of a group puts devices with equal content together, the largest set first', async () => {
  const shop = await server.createUser('member', dealer);
  const theirs = await addPictureAd(server, shop);
  const [a, b, c] = await Promise.all([1, 2, 3].map(() => pairedDevice(server, shop)));
  if (!a || !b || !c) throw new Error('three devices were paired');
  const send = async (ids: string[]) =>
    dataOf(await shop.calls.ads.release({ params: { id: theirs.id }, body: { devices: { ids } } }));
  const all = await send([a.device.id, b.device.id, c.device.id]);
  const one = await send([c.device.id]);
  const group = dataOf(await shop.calls.groups.create({ body: { name: 'All', filter: {} } }));
  const day = addDays(today(), 1);
  const query = { from: day, to: day };
  const { classes, devices } = dataOf(await shop.calls.releases.groupCalendar({ params: { id: group.id }, query }));
  expect(devices).toBe(3);
  expect(classes.map((each) => [each.devices, each.screens.main[0]?.releases])).toEqual([
    [2, [all.id]],
    [1, [one.id]],
  ]);
  // The dealer sees it as well; a stranger does not.
  expect(dataOf(await dealer.calls.releases.groupCalendar({ params: { id: group.id }, query })).devices).toBe(3);
  expect(await owner.calls.releases.groupCalendar({ params: { id: group.id }, query })).toMatchObject({ code: 404 });
});

test('a calendar covers at most 35 days, in order', async () => {
  const { device } = await pairedDevice(server, owner);
  const ask = (from: string, to: string) =>
    owner.calls.releases.deviceCalendar({ params: { id: device.id }, query: { from, to } });
  expect(await ask('2026-01-01', '2026-02-04')).toMatchObject({ code: 200 });
  expect(await ask('2026-01-01', '2026-02-05')).toMatchObject({ code: 400 });
  expect(await ask('2026-01-02', '2026-01-01')).toMatchObject({ code: 400 });
});

test('a calendar of the first days that there are is empty', async () => {
  const { device } = await pairedDevice(server, owner);
  await release([device.id]);
  const { classes } = await calendarOf(device.id, { from: '0001-01-01', to: '0001-02-01' });
  expect(classes.map(({ screens }) => screens.main)).toEqual([[]]);
  const params = { id: device.id };
  expect(
    await owner.calls.releases.deviceCalendar({ params, query: { from: '9999-11-26', to: '9999-12-30' } }),
  ).toMatchObject({ code: 400, error: 'INVALID' });
});

test('a device without a second screen has one calendar, others have two', async () => {
  const { device } = await pairedDevice(server, owner);
  await sql`update devices set screens = '[{}, {}]' where id = ${device.id}`.execute(db);
  await release([device.id]);
  const day = addDays(today(), 1);
  const { classes } = await calendarOf(device.id, { from: day, to: day });
  expect(classes[0]?.screens.secondary).toEqual(classes[0]?.screens.main);
});

test('time outside the working hours is dark', async () => {
  const { device } = await pairedDevice(server, owner);
  const always = await release([device.id]);
  const day = addDays(today(), 1);
  const workingHours = { weekly: {}, exceptions: [{ date: day, hours: [{ from: '08:00', to: '20:00' }] }] };
  dataOf(await owner.calls.devices.update({ params: { id: device.id }, body: { workingHours } }));
  const { classes } = await calendarOf(device.id, { from: day, to: day });
  expect(classes[0]?.screens.main.map(({ from, state, releases }) => [from, state, releases])).toEqual([
    [at(day, 0), 'dark', []],
    [at(day, 8), 'plays', [always.id]],
    [at(day, 20), 'dark', []],
  ]);
});
