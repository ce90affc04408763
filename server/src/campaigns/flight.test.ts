import { addDays, type Flight, localTime, offsetChange, zonedInstant } from '@ams/contract';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addFile } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { findParts } from './flight.ts';
import { replanCampaigns } from './replan.service.ts';

const server = await startTestServer();
const { db } = server.deps;

let macs = 0;
/** A leading user with new devices in these zones; answers their ids. */
async function devicesIn(...timeZones: string[]) {
  const owner = await server.createUser('leading');
  const ids: string[] = [];
  for (const timeZone of timeZones) {
    macs += 1;
    const mac = `02005e0e${macs.toString(16).padStart(4, '0')}`;
    const { id } = dataOf(await owner.calls.devices.create({ body: { mac, name: timeZone } }));
    await sql`update devices set time_zone = ${timeZone} where id = ${id}`.execute(db);
    ids.push(id);
  }
  return { owner, ids, chosen: sql<boolean>`d.owner_id = ${owner.user.id}` };
}

/** The parts of a flight on devices in these zones: the zones of each, and what is over of it. */
async function partsIn(timeZones: string[], flight: Flight, now: number) {
  const { chosen, ids } = await devicesIn(...timeZones);
  const zoneOf = new Map(ids.map((id, index) => [id, timeZones[index]]));
  const parts = await findParts(db, chosen, flight, now);
  return parts.map((part) => ({
    from: part.flight.from,
    passed: part.passed,
    isOver: part.isOver,
    zones: part.classes.flatMap((each) => each.ids.map((id) => zoneOf.get(id))).toSorted(),
  }));
}

/** Evening in Los Angeles, where it is still the day before. */
const NIGHT = Date.parse('2027-03-02T03:00:00Z');

test('a flight lasts to the end of its last day by the clocks of its devices', async () => {
  const flight = { from: '2027-02-20', to: '2027-03-01' };
  const west = ['America/Los_Angeles'];
  // The day before and 19 hours.
  const left = { from: '2027-02-28', passed: (24 + 19) * 60, isOver: false, zones: west };
  expect(await partsIn(west, flight, NIGHT)).toEqual([left]);
  expect(await partsIn(west, { ...flight, to: '2027-03-05' }, NIGHT)).toEqual([left]);
  // Five hours later the day is over there, too, unless its hours run over midnight.
  const over = { from: '2027-03-01', passed: 24 * 60, zones: west };
  expect(await partsIn(west, flight, NIGHT + 5 * 3_600_000)).toEqual([{ ...over, isOver: true }]);
  const late = { ...flight, hours: [{ from: '20:00', to: '00:01' }] };
  expect(await partsIn(west, late, NIGHT + 5 * 3_600_000)).toEqual([{ ...over, isOver: false }]);
  expect(await partsIn(west, late, NIGHT + 5 * 3_600_000 + 1)).toEqual([
    { ...over, passed: 24 * 60 + 1, isOver: true },
  ]);
  expect(await partsIn(['UTC'], flight, NIGHT)).toMatchObject([{ isOver: true }]);
});

test('on devices in several zones, a flight is cut by the clock of each', async () => {
  const flight = { from: '2027-02-20', to: '2027-03-05' };
  const zones = ['Asia/Tokyo', 'America/Los_Angeles', 'UTC'];
  expect((await partsIn(zones, flight, NIGHT)).toSorted((a, b) => a.from.localeCompare(b.from))).toEqual([
    { from: '2027-02-28', passed: (24 + 19) * 60, isOver: false, zones: ['America/Los_Angeles'] },
    { from: '2027-03-01', passed: (24 + 12) * 60, isOver: false, zones: ['Asia/Tokyo'] },
    { from: '2027-03-01', passed: (24 + 3) * 60, isOver: false, zones: ['UTC'] },
  ]);
  const evening = Date.parse('2027-03-01T20:00:00Z');
  expect(await partsIn(['Asia/Tokyo'], flight, evening)).toMatchObject([{ from: '2027-03-01', passed: (24 + 5) * 60 }]);
});

test('a flight that lies ahead is left as it is, also without devices', async () => {
  const ahead = { from: '2027-03-03', to: '2027-03-05' };
  expect(await partsIn(['Asia/Tokyo', 'America/Los_Angeles'], ahead, NIGHT)).toMatchObject([
    { from: ahead.from, passed: 0, isOver: false, zones: ['America/Los_Angeles', 'Asia/Tokyo'] },
  ]);
  expect(await partsIn([], ahead, NIGHT)).toEqual([]);
  // A Wednesday: none of its days is a Monday, so that none is over.
  const never = { from: ahead.from, to: ahead.from, weekdays: [1] };
  expect(await partsIn(['UTC'], never, NIGHT)).toMatchObject([{ isOver: false }]);
  expect(await partsIn(['UTC'], never, NIGHT + 86_400_000)).toMatchObject([{ isOver: false }]);
});

/** Always on different dates. */
const FIRST = 'Pacific/Kiritimati';
const LAST = 'Pacific/Pago_Pago';
const todayIn = (timeZone: string): string => localTime(Date.now(), timeZone).date;

async function adOf(owner: Session): Promise<string> {
  const picture = await sharp({ create: { width: 540, height: 960, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const file = await addFile(server, owner, picture, { name: 'Red.png', orientation: 'vertical', kind: 1 });
  return (await addAd(owner, 'Red', file.id)).id;
}

const ORDER = {
  goal: { kind: 'perHour' as const, value: 1 },
  price: { kind: 'fixed' as const, amount: '1', currency: 'EUR' },
};

const HOURLY = { kind: 'perHour' as const, value: 60 };

test('plays on devices in several zones are as many as on each of them alone', async () => {
  const { owner, ids } = await devicesIn(FIRST, LAST);
  await sql`update devices set expires_at = null where id = any(${ids}::uuid[])`.execute(db);
  const adIds = [await adOf(owner)];
  const playsOn = async (chosen: string[]): Promise<number> => {
    const schedule = { from: addDays(todayIn(LAST), -1), to: addDays(todayIn(LAST), 5) };
    const body = { ...ORDER, adIds, devices: { ids: chosen }, schedule };
    return dataOf(await owner.calls.campaigns.availability({ body })).plays;
  };
  // A day may begin somewhere between two of these questions.
  await expect
    .poll(async () => (await playsOn(ids)) - (await playsOn(ids.slice(0, 1))) - (await playsOn(ids.slice(1))))
    .toBe(0);
});

test('a campaign is booked on the devices on which its flight is not over', async () => {
  const { owner, ids } = await devicesIn(FIRST, LAST);
  const adIds = [await adOf(owner)];
  const book = async () => {
    const today = todayIn(LAST);
    // Some of its hours are left, at any time of the day; none where it is the day after.
    const schedule = { from: today, to: today, hours: [{ from: '00:30', to: '00:29' }] };
    const body = { ...ORDER, goal: HOURLY, name: 'Last day', adIds, devices: { ids }, schedule };
    const { id } = dataOf(await owner.calls.campaigns.create({ body }));
    return owner.calls.campaigns.book({ params: { id } });
  };
  await expect.poll(book).toMatchObject({ data: { state: 'booked', deviceCount: 1 } });
  const { ordered } = dataOf(await book());
  expect(ordered).toBeGreaterThan(0);
  expect(ordered).toBeLessThan(24 * HOURLY.value);
});

const HOUR_MS = 3_600_000;
/** The zone whose clock shows 18 something now; POSIX counts hours behind UTC. */
const eveningZone = (): string => {
  const ahead = ((18 - new Date().getUTCHours() + 36) % 24) - 12;
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
};

/** A campaign from today until tomorrow, on one device where it is evening. */
async function bookInEvening(goal: { kind: 'perHour' | 'total'; value: number }) {
  const timeZone = eveningZone();
  const { owner, ids } = await devicesIn(timeZone);
  await sql`update devices set expires_at = null where id = any(${ids}::uuid[])`.execute(db);
  const today = todayIn(timeZone);
  const end = zonedInstant(addDays(today, 2), 0, timeZone);
  const schedule = { from: today, to: addDays(today, 1) };
  const body = { ...ORDER, goal, name: 'From today', adIds: [await adOf(owner)], devices: { ids }, schedule };
  const { plays } = dataOf(await owner.calls.campaigns.availability({ body }));
  const { id } = dataOf(await owner.calls.campaigns.create({ body }));
  const most = (end - Date.now()) / HOUR_MS;
  const { ordered } = dataOf(await owner.calls.campaigns.book({ params: { id } }));
  const pace = async (): Promise<number | undefined> => {
    const { rows } = await sql<{ hours: number }>`
      select every_ms / 3600000.0 as hours from campaign_devices where campaign_id = ${id}`.execute(db);
    return Number(rows[0]?.hours);
  };
  return { plays, ordered, most, least: (end - Date.now()) / HOUR_MS, pace };
}

test('hours of today that were over when a campaign was booked are not sold', async () => {
  const { plays, ordered, most, least, pace } = await bookInEvening(HOURLY);
  expect(ordered).toBeLessThanOrEqual(HOURLY.value * most);
  expect(ordered).toBeGreaterThan(HOURLY.value * least - 2);
  // People take some minutes to decide: what was free is at most what they get.
  expect(plays).toBeLessThanOrEqual(ordered ?? 0);
  expect(plays).toBeGreaterThan(HOURLY.value * (least - 1 / 4) - 2);
  // Nothing has to be made good by a higher pace.
  expect(await pace()).toBeCloseTo(1 / 60, 9);
  await replanCampaigns(db, Date.now() + 60_000);
  expect(await pace()).toBeCloseTo(1 / 60, 9);
});

test('a total is distributed over the hours that are left', async () => {
  const { ordered, most, least, pace } = await bookInEvening({ kind: 'total', value: 1000 });
  expect(ordered).toBe(1000);
  const first = await pace();
  expect(first).toBeLessThanOrEqual(most / 1000);
  expect(first).toBeGreaterThan((least - 1 / 30) / 1000);
  await replanCampaigns(db, Date.now() + 60_000);
  expect(await pace()).toBe(first);
});

const BERLIN = 'Europe/Berlin';

/** The next days on which the clock in Berlin skips an hour, and repeats one. */
function changesAhead(): { skips: string; repeats: string } {
  const today = todayIn(BERLIN);
  const days = Array.from({ length: 366 }, (_, index) => addDays(today, index + 2)).filter(
    (day) => offsetChange(day, BERLIN) !== undefined,
  );
  const inMonth = (month: string): string => days.find((day) => day.slice(5, 7) === month) ?? '';
  return { skips: inMonth('03'), repeats: inMonth('10') };
}

test('an order counts the hours that pass on the days on which clocks change', async () => {
  const { owner, ids } = await devicesIn(BERLIN, 'UTC');
  await sql`update devices set expires_on = '2099-01-01' where id = any(${ids}::uuid[])`.execute(db);
  const adIds = [await adOf(owner)];
  const playsOn = async (day: string, chosen: string[], hours?: { from: string; to: string }[]) => {
    const body = { ...ORDER, goal: HOURLY, adIds, devices: { ids: chosen }, schedule: { from: day, to: day, hours } };
    const { plays, feasible } = dataOf(await owner.calls.campaigns.availability({ body }));
    return { plays, feasible };
  };
  const { skips, repeats } = changesAhead();
  const [berlin] = ids;
  if (!berlin) throw new Error('no device');
  expect(await playsOn(skips, [berlin])).toEqual({ plays: 23 * 60, feasible: true });
  expect(await playsOn(repeats, [berlin])).toEqual({ plays: 25 * 60, feasible: true });
  expect(await playsOn(repeats, ids)).toEqual({ plays: (25 + 24) * 60, feasible: true });
  expect(await playsOn(repeats, [berlin], [{ from: '02:00', to: '03:00' }])).toMatchObject({ plays: 2 * 60 });
  // The clock never shows this hour.
  expect(await playsOn(skips, [berlin], [{ from: '02:00', to: '03:00' }])).toEqual({ plays: 0, feasible: false });
});
