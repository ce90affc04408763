import { addDays, type Statement } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { addAd } from '../../test/ads.ts';
import { stopCrontab } from '../../test/crontab.ts';
import { pairedDevice } from '../../test/device.ts';
import { addFile, makeMp4 } from '../../test/media.ts';
import { dataOf, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const { db } = server.deps;
await stopCrontab(db);

const TODAY = new Date().toISOString().slice(0, 10);
const FLIGHT_DAYS = 7;

/** A campaign that ran on two nights, the last one into the day after its flight, on a device that was offline. */
async function overNight() {
  const dealer = await server.createUser('leading');
  const { device } = await pairedDevice(server, dealer);
  const video = await addFile(server, dealer, await makeMp4(1, 2), {
    ...{ name: 'spot.mp4', orientation: 'vertical', kind: 2 },
  });
  const { id: adId } = await addAd(dealer, 'Night', video.id);
  const body = {
    name: 'Nights',
    adIds: [adId],
    devices: { ids: [device.id] },
    schedule: { from: addDays(TODAY, 1), to: addDays(TODAY, 2), hours: [{ from: '22:00', to: '02:00' }] },
    goal: { kind: 'perHour' as const, value: 6 },
    price: { kind: 'perPlay' as const, amount: '0.05', currency: 'EUR' },
  };
  const { id } = dataOf(await dealer.calls.campaigns.create({ body }));
  const { ordered } = dataOf(await dealer.calls.campaigns.book({ params: { id } }));
  const statementOf = async (query = {}): Promise<Statement> =>
    dataOf(await dealer.calls.campaigns.statement({ params: { id }, query }));
  const deliveryOf = async () => dataOf(await dealer.calls.campaigns.delivery({ params: { id } }));
  /** Moves the flight into the past. */
  const end = async (): Promise<void> => {
    const [from, to] = [addDays(body.schedule.from, -FLIGHT_DAYS), addDays(body.schedule.to, -FLIGHT_DAYS)];
    const booked = `${addDays(from, -1)}T12:00:00Z`;
    await sql`update campaigns set schedule = ${JSON.stringify({ ...body.schedule, from, to })}::jsonb,
      starts_on = ${from}, ends_on = ${to}, decided_at = ${booked} where id = ${id}`.execute(db);
    await sql`update campaign_carriers set joined_at = ${booked} where campaign_id = ${id}`.execute(db);
    await sql`update campaign_devices set paced_from = ${booked} where campaign_id = ${id}`.execute(db);
    await sql`delete from presence_changes where device_id = ${device.id}`.execute(db);
    await sql`insert into presence_changes (device_id, at, online) values (${device.id}, ${booked}, false)`.execute(db);
  };
  return { ordered, statementOf, deliveryOf, end };
}

const sumOf = (rows: readonly { ordered: number; due: number }[]) => [
  rows.reduce((sum, { ordered }) => sum + ordered, 0),
  rows.reduce((sum, { due }) => sum + due, 0),
];

test('plays after midnight of the last day are in the statement although none was delivered then', async () => {
  const { ordered, statementOf, deliveryOf, end } = await overNight();
  expect(ordered).toBe(48);
  const ahead = await statementOf();
  expect([ahead.ordered, ahead.due]).toEqual([48, 0]);
  await end();
  const whole = await statementOf();
  const wide = await statementOf({ from: '0001-01-01', to: '9999-12-31' });
  for (const statement of [whole, wide]) {
    expect([statement.ordered, statement.due, statement.missed]).toEqual([48, 48, 48]);
    expect(sumOf(statement.days)).toEqual([48, 48]);
    expect(statement.gaps.map(({ reason, plays }) => [reason, plays])).toEqual([['offline', 48]]);
    expect(statement.lines).toMatchObject([{ plays: 0, amount: '0.00' }]);
  }
  const until = await statementOf({ to: addDays(whole.to, -1) });
  const since = await statementOf({ from: whole.to });
  expect([until.ordered, since.ordered]).toEqual([36, 12]);
  expect([until, since].map(({ gaps }) => gaps.map(({ plays }) => plays))).toEqual([[36], [12]]);
  const { due, days } = await deliveryOf();
  expect([due, days.reduce((sum, day) => sum + day.due, 0)]).toEqual([48, 48]);
});
