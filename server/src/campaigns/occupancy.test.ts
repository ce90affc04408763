import { addDays, type AreaOccupancy, isoWeekday, OCCUPANCY_WEEKS } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const { db } = server.deps;

const TODAY = new Date().toISOString().slice(0, 10);
const MONDAY = addDays(TODAY, 8 - isoWeekday(TODAY));

const occupancyOf = async (who: Session): Promise<AreaOccupancy> => dataOf(await who.calls.campaigns.occupancy());

let macs = 0;
/** A device of the user that is always open, in an area. */
async function addDevice(owner: Session, area: string | null): Promise<string> {
  macs += 1;
  const mac = `02005e0d${macs.toString(16).padStart(4, '0')}`;
  const { id } = dataOf(await owner.calls.devices.create({ body: { mac, name: `Screen ${macs}` } }));
  await sql`update devices set area = ${area}, time_zone = 'UTC' where id = ${id}`.execute(db);
  return id;
}

/** Books a share of next week, Monday to Sunday, on devices. */
async function book(dealer: Session, ids: string[], percent: number): Promise<string> {
  const video = await addFile(server, dealer, await makeMp4(1, 2), {
    ...{ name: 'spot.mp4', orientation: 'vertical', kind: 2 },
  });
  const ad = await addAd(dealer, 'Red', video.id);
  const body = {
    ...{ name: 'Next week', adIds: [ad.id], devices: { ids }, goal: { kind: 'share' as const, value: percent } },
    schedule: { from: MONDAY, to: addDays(MONDAY, 6) },
    price: { kind: 'fixed' as const, amount: '1', currency: 'EUR' },
  };
  const { id } = dataOf(await dealer.calls.campaigns.create({ body }));
  dataOf(await dealer.calls.campaigns.book({ params: { id } }));
  return id;
}

test('occupancy is the booked part of the sellable time, by area and week, with the fullest screen', async () => {
  const dealer = await server.createUser('leading');
  const [full, half, paris] = [
    await addDevice(dealer, 'Lyon'),
    await addDevice(dealer, 'Lyon'),
    await addDevice(dealer, 'Paris'),
  ];
  await addDevice(dealer, null);
  const id = await book(dealer, [full], 60);
  await book(dealer, [full, half], 10);
  await book(dealer, [paris], 20);

  const { weeks, current, areas } = await occupancyOf(dealer);
  expect(weeks.length).toBe(OCCUPANCY_WEEKS.past + 1 + OCCUPANCY_WEEKS.ahead);
  const next = current + 1;
  expect(weeks[next]).toBe(MONDAY);
  expect(areas.map(({ area, devices }) => [area, devices])).toEqual([
    ['Lyon', 2],
    ['Paris', 1],
    [null, 1],
  ]);
  const [lyon, other, none] = areas;
  // Of 80 % that may be sold: 70 % on one screen and 10 % on the other.
  expect(lyon?.booked[next]).toBeCloseTo(0.5, 3);
  expect(other?.booked[next]).toBeCloseTo(0.25, 3);
  expect(none?.booked[next]).toBe(0);
  expect([lyon?.booked[current], lyon?.booked[next + 1]]).toEqual([0, 0]);
  expect(lyon?.bottleneck?.device.id).toBe(full);
  // By the same measure as the area: 10 of 80 %, and everything where nothing is booked.
  expect(lyon?.bottleneck?.free).toBeCloseTo(0.125, 3);
  expect(none?.bottleneck?.free).toBe(1);

  dataOf(await dealer.calls.campaigns.cancel({ params: { id } }));
  expect((await occupancyOf(dealer)).areas[0]?.booked[next]).toBeCloseTo(0.125, 3);
});

test('occupancy is about devices in scope only, and for leading users', async () => {
  const dealer = await server.createUser('leading');
  const below = await server.createUser('leading', dealer);
  await addDevice(dealer, 'Lyon');
  await addDevice(below, 'Nice');
  expect((await occupancyOf(below)).areas.map(({ area }) => area)).toEqual(['Nice']);
  expect((await occupancyOf(dealer)).areas.map(({ area }) => area)).toEqual(['Lyon', 'Nice']);
  expect((await occupancyOf(await server.createUser('leading'))).areas).toEqual([]);
  const member = await server.createUser('member', dealer);
  expect(await member.calls.campaigns.occupancy()).toMatchObject({ error: 'LEADING_ONLY' });
});
