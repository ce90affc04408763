import { randomBytes } from 'node:crypto';
import {
  BATCH_CHANGES_MAX,
  EXPIRY_WARNING_DAYS,
  addDays,
  type Expiry,
  expiryState,
  localMac,
  localTime,
} from '@ams/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { expiryColumns, tellExpired } from './devices.service.ts';

const server = await startTestServer();
const admin = await server.login();
const { db } = server.deps;

const ZONES = Intl.supportedValuesOf('timeZone');

test('list, home page and device page agree with the rule for every device, in all time zones', async () => {
  const boss = await server.createUser('leading');
  const today = localTime(Date.now(), 'UTC').date;
  // Most near the edges: today, and the day on which the warning begins.
  const day = fc.oneof(
    fc.integer({ min: -2, max: 2 }),
    fc.integer({ min: EXPIRY_WARNING_DAYS - 3, max: EXPIRY_WARNING_DAYS + 2 }),
    fc.integer({ min: -3650, max: 3650 }),
  );
  const devices = fc
    .sample(fc.tuple(day, fc.constantFrom(...ZONES)), 600)
    .map(([days, timeZone]) => ({ id: uuidv7(), expiresOn: addDays(today, days), timeZone }));
  await db
    .insertInto('devices')
    .values(
      devices.map(({ id, expiresOn, timeZone }, n) => ({
        id,
        mac: `0e:00:00:01:${(n >> 8).toString(16).padStart(2, '0')}:${(n & 255).toString(16).padStart(2, '0')}`,
        name: '',
        owner_id: boss.user.id,
        time_zone: timeZone,
        ...expiryColumns(expiresOn, timeZone),
      })),
    )
    .execute();

  const count = async (expiry: Exclude<Expiry, 'never'>) =>
    dataOf(await boss.calls.devices.list({ query: { expiry, limit: 1, total: 'true' } })).total;
  const told = { expired: await count('expired'), expiring: await count('expiring'), valid: await count('valid') };
  const now = Date.now();
  const states = devices.map(({ expiresOn, timeZone }) => expiryState(expiresOn, timeZone, now, EXPIRY_WARNING_DAYS));
  const ruled = (state: Expiry) => states.filter((each) => each === state).length;
  expect(told).toEqual({ expired: ruled('expired'), expiring: ruled('expiring'), valid: ruled('valid') });
  expect(dataOf(await boss.calls.home.summary()).devices).toMatchObject({
    expired: told.expired,
    expiring: told.expiring,
  });
  for (const [index, { id }] of devices.slice(0, 20).entries()) {
    const { expired } = dataOf(await boss.calls.devices.get({ params: { id } }));
    expect(expired).toBe(states[index] === 'expired');
  }
});

test('the device goes dark when its last day is over and returns when it is extended, by itself', async () => {
  const device = await pairedDevice(server, admin);
  const { id } = device.device;
  const channel = await device.open();
  await channel.next();
  const report = async () => {
    const { version } = await device.manifest();
    dataOf(await device.calls.player.status({ body: { manifestVersion: version, download: { state: 'done' } } }));
  };
  const state = async () => dataOf(await admin.calls.devices.get({ params: { id } })).download.state;
  await report();
  expect(await state()).toBe('done');
  await tellExpired(db);
  expect(await state()).toBe('done');

  await sql`update devices set expires_at = now() where id = ${id}`.execute(db);
  await tellExpired(db);
  expect(await channel.next()).toMatchObject({ type: 'manifest' });
  expect(await device.manifest()).toMatchObject({ expired: true });
  // Its manifest has changed: only its own report makes it done.
  expect(await state()).toBe('waiting');
  await report();
  expect(await state()).toBe('done');
  // Told once, not every minute.
  await tellExpired(db);
  expect(await state()).toBe('done');

  await sql`update devices set expires_at = now() + interval '1 hour' where id = ${id}`.execute(db);
  await tellExpired(db);
  expect(await channel.next()).toMatchObject({ type: 'manifest' });
  expect(await device.manifest()).toMatchObject({ expired: false });
  expect(await state()).toBe('waiting');
  await channel.close();
});

test('a preview lists equally frequent changes by date', async () => {
  const boss = await server.createUser('leading');
  await sql`
    insert into devices (id, mac, owner_id, expires_on)
    select gen_random_uuid(), '02005f' || lpad(to_hex(n), 6, '0'), ${boss.user.id}, date '2400-01-01' + n * 7919 % 3000
    from generate_series(1, 3000) n`.execute(db);
  // With these statistics the planner hashes.
  await sql`analyze devices`.execute(db);
  const body = { filter: {}, action: 'expire' as const, date: '2500-01-01', dryRun: true };
  const dates = dataOf(await boss.calls.batches.start({ body })).preview?.changes.map(({ from }) => from);
  expect(dates).toHaveLength(BATCH_CHANGES_MAX);
  expect(dates).toEqual(dates?.toSorted());
});

test('the last days of the calendar are dates like others, by hand, in sheets and by extension', async () => {
  const boss = await server.createUser('leading');
  const { id } = dataOf(await boss.calls.devices.create({ body: { mac: localMac(randomBytes(6)) } }));
  const other = dataOf(await boss.calls.devices.create({ body: { mac: localMac(randomBytes(6)) } }));
  const put = async (timeZone: string, expiresAt: string) =>
    dataOf(await boss.calls.devices.update({ params: { id }, body: { timeZone, expiresAt } }));
  for (const timeZone of ['Pacific/Kiritimati', 'UTC', 'America/Los_Angeles']) {
    for (const expiresAt of ['9999-12-30', '9999-12-31']) {
      expect(await put(timeZone, expiresAt)).toMatchObject({ expiresAt, expired: false });
    }
  }

  const order = { action: 'extend' as const, months: 120, ids: [id, other.id] };
  expect(dataOf(await boss.calls.batches.start({ body: { ...order, dryRun: true } })).preview?.unchanged).toBe(1);
  expect(dataOf(await boss.calls.batches.start({ body: order }))).toMatchObject({ done: 2, failed: [] });
  expect(dataOf(await boss.calls.devices.get({ params: { id } })).expiresAt).toBe('9999-12-31');

  const file = new FormData();
  const macs = [randomBytes(6), randomBytes(6)].map((bytes) => localMac(bytes));
  file.append('file', new File([`mac,expires\n${macs[0]},9999-12-31\n${macs[1]},2999-01-01\n`], 'devices.csv'));
  const headers = { authorization: `Bearer ${boss.token}` };
  const reply = await fetch(`${server.url}/api/devices/import`, { method: 'POST', headers, body: file });
  expect(await reply.json()).toMatchObject({ data: { added: 2, rejected: [] } });
});
