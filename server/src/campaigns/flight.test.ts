import { addDays } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { dataOf, startTestServer } from '../../test/server.ts';
import { flightLeft } from './flight.ts';

const server = await startTestServer();
const { db } = server.deps;

let macs = 0;
/** A condition that chooses new devices in these zones. */
async function devicesIn(...timeZones: string[]) {
  const owner = await server.createUser('leading');
  for (const timeZone of timeZones) {
    macs += 1;
    const mac = `02005e0e${macs.toString(16).padStart(4, '0')}`;
    const { id } = dataOf(await owner.calls.devices.create({ body: { mac, name: timeZone } }));
    await sql`update devices set time_zone = ${timeZone} where id = ${id}`.execute(db);
  }
  return sql<boolean>`d.owner_id = ${owner.user.id}`;
}

/** Evening in Los Angeles, where it is still the day before. */
const NIGHT = Date.parse('2027-03-02T03:00:00Z');

test('a flight lasts to the end of its last day by the clocks of its devices', async () => {
  const west = await devicesIn('America/Los_Angeles');
  const flight = { from: '2027-02-20', to: '2027-03-01', hours: [] };
  expect(await flightLeft(db, west, flight, NIGHT)).toEqual({ ...flight, from: '2027-03-01' });
  expect(await flightLeft(db, west, { ...flight, to: '2027-03-05' }, NIGHT)).toMatchObject({ from: '2027-03-01' });
  // Five hours later the day is over there, too.
  expect(await flightLeft(db, west, flight, NIGHT + 5 * 3_600_000)).toBeUndefined();
  expect(await flightLeft(db, await devicesIn('UTC'), flight, NIGHT)).toBeUndefined();
});

test('of devices in several zones, the clock that is behind all others counts', async () => {
  const flight = { from: '2027-02-20', to: '2027-03-05' };
  const fromOn = async (...timeZones: string[]) =>
    (await flightLeft(db, await devicesIn(...timeZones), flight, NIGHT))?.from;
  expect(await fromOn('Asia/Tokyo', 'America/Los_Angeles')).toBe('2027-03-01');
  expect(await fromOn('Asia/Tokyo', 'UTC')).toBe('2027-03-02');
  const evening = Date.parse('2027-03-01T20:00:00Z');
  expect((await flightLeft(db, await devicesIn('Asia/Tokyo'), flight, evening))?.from).toBe('2027-03-02');
});

test('a flight that lies ahead is left as it is, also without devices', async () => {
  const none = sql<boolean>`false`;
  const ahead = { from: addDays('2027-03-02', 1), to: '2027-03-05' };
  expect(await flightLeft(db, none, ahead, NIGHT)).toEqual(ahead);
  expect(await flightLeft(db, none, { from: '2027-02-20', to: '2027-03-05' }, NIGHT)).toMatchObject({
    from: '2027-03-02',
  });
});
