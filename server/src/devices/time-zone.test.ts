import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { expect, test } from 'vitest';
import { expiryInstant, localTime } from '@ams/contract';
import { up } from '../../migrations/0087_time_zone_names.ts';
import { up as nameZones } from '../../migrations/0097_zones_with_summer_time.ts';
import { makeDevice } from '../../test/device.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { followZone } from './time-zone.service.ts';
import { nameAmong, zoneInDatabase } from './zone-names.ts';

/** A device is in the time zone that its player reports, unless an operator set one. */
const KEY = 'the key of this installation';
const server = await startTestServer({ AMS_CAPTCHA: 'off', AMS_ENROLMENT_KEY: KEY });
const admin = await server.login();

async function added() {
  const player = makeDevice(server);
  const device = dataOf(await admin.calls.devices.create({ body: { mac: player.mac } }));
  expect(device.timeZone).toBe('UTC');
  return { ...player, id: device.id };
}

const get = async (id: string) => dataOf(await admin.calls.devices.get({ params: { id } }));
const start = (player: ReturnType<typeof makeDevice>, timeZone?: string, enrolmentKey?: string) =>
  player.calls.player.enrol({ body: { mac: player.mac, timeZone, enrolmentKey } });

test('pairing a known device takes over the zone; its expiry date moves along', async () => {
  const player = await added();
  dataOf(await admin.calls.devices.update({ params: { id: player.id }, body: { expiresAt: '2031-05-01' } }));
  await start(player, 'America/New_York');
  const { code } = await player.enrol();
  dataOf(await admin.calls.devices.pair({ body: { code } }));
  expect(await get(player.id)).toMatchObject({ timeZone: 'America/New_York', expiresAt: '2031-05-01' });
  const row = await server.deps.db
    .selectFrom('devices')
    .select('expires_at')
    .where('id', '=', player.id)
    .executeTakeFirstOrThrow();
  expect(row.expires_at?.getTime()).toBe(expiryInstant('2031-05-01', 'America/New_York'));
});

test('the enrolment key takes over the zone', async () => {
  const player = await added();
  expect(dataOf(await start(player, 'Asia/Tokyo', KEY))).toEqual({ state: 'paired' });
  expect(await get(player.id)).toMatchObject({ timeZone: 'Asia/Tokyo' });
});

test('every start of the player takes over the zone, and the manifest has it', async () => {
  const player = await added();
  await start(player, 'Asia/Tokyo', KEY);
  await start(player, 'Europe/Paris');
  expect(await get(player.id)).toMatchObject({ timeZone: 'Europe/Paris' });
  expect((await player.manifest()).timeZone).toBe('Europe/Paris');
  await start(player);
  expect(await get(player.id)).toMatchObject({ timeZone: 'Europe/Paris' });
});

test('a zone that an operator set stays', async () => {
  const player = await added();
  dataOf(await admin.calls.devices.update({ params: { id: player.id }, body: { timeZone: 'Europe/Paris' } }));
  await start(player, 'Asia/Tokyo', KEY);
  await start(player, 'Asia/Tokyo');
  expect(await get(player.id)).toMatchObject({ timeZone: 'Europe/Paris' });
});

test('without the zone of an operator, a device returns to the one that its player reports', async () => {
  const player = await added();
  const set = async (timeZone: string | null) =>
    dataOf(await admin.calls.devices.update({ params: { id: player.id }, body: { timeZone } }));
  expect(await set(null)).toMatchObject({ timeZone: 'UTC' });
  await start(player, 'Asia/Tokyo', KEY);
  expect(await set('Europe/Paris')).toMatchObject({ timeZone: 'Europe/Paris' });
  expect(await set(null)).toMatchObject({ timeZone: 'Asia/Tokyo' });
  await set('Europe/Paris');
  await start(player, 'Asia/Seoul');
  expect(await get(player.id)).toMatchObject({ timeZone: 'Europe/Paris' });
  expect(await set(null)).toMatchObject({ timeZone: 'Asia/Seoul' });
  await start(player, 'Asia/Tokyo');
  expect(await get(player.id)).toMatchObject({ timeZone: 'Asia/Tokyo' });
});

test('a batch returns each device to the zone that its player reports, with a preview, and can be undone', async () => {
  const players = [await added(), await added()];
  const [tokyo, seoul] = players;
  if (!tokyo || !seoul) throw new Error('two devices were added');
  await start(tokyo, 'Asia/Tokyo', KEY);
  await start(seoul, 'Asia/Seoul', KEY);
  const ids = players.map(({ id }) => id);
  const batch = async (timeZone: string | null, dryRun = false) =>
    dataOf(await admin.calls.batches.start({ body: { ids, action: 'timeZone', timeZone, dryRun } }));
  const zones = () => Promise.all(ids.map(async (id) => (await get(id)).timeZone));
  await batch('Europe/Paris');
  expect((await batch(null, true)).preview).toMatchObject({
    changes: [
      { from: 'Europe/Paris', to: 'Asia/Seoul', devices: 1 },
      { from: 'Europe/Paris', to: 'Asia/Tokyo', devices: 1 },
    ],
    unchanged: 0,
  });
  expect(await zones()).toEqual(['Europe/Paris', 'Europe/Paris']);
  const { undo } = await batch(null);
  expect(await zones()).toEqual(['Asia/Tokyo', 'Asia/Seoul']);
  await start(tokyo, 'Asia/Dubai');
  expect((await get(tokyo.id)).timeZone).toBe('Asia/Dubai');
  dataOf(await admin.calls.batches.undo({ body: { undo: undo ?? '' } }));
  expect((await get(seoul.id)).timeZone).toBe('Europe/Paris');
});

test.each(['VST', 'IST', '+05:30'])(
  '%s, which the database takes for another time zone or for none, is refused',
  async (zone) => {
    const player = await added();
    await start(player, 'Asia/Kolkata', KEY);
    const changed = await admin.calls.devices.update({ params: { id: player.id }, body: { timeZone: zone } });
    expect(changed).toMatchObject({ code: 400, error: 'INVALID', details: { fields: [{ path: 'timeZone' }] } });
    expect(await start(player, zone)).toMatchObject({ error: 'INVALID' });
    expect(await get(player.id)).toMatchObject({ timeZone: 'Asia/Kolkata' });
    // The reports of everybody who sees the device would fail.
    expect(await admin.calls.reports.history({ query: { from: '2026-11-01', to: '2026-11-25' } })).toMatchObject({
      code: 200,
    });
  },
);

test('a zone that the database lacks is not taken over; one that it has by another name is', async () => {
  const { db } = server.deps;
  const player = await added();
  await start(player, 'Asia/Tokyo', KEY);
  await db.transaction().execute((trx) => followZone(trx, player.id, 'Mars/Olympus_Mons'));
  expect(await get(player.id)).toMatchObject({ timeZone: 'Asia/Tokyo' });
  expect(await admin.calls.reports.history({ query: { days: 7 } })).toMatchObject({ code: 200 });
  // As in Debian 13, without the older names.
  const names = ['Asia/Kolkata', 'Asia/Tokyo', 'Europe/Kyiv', 'UTC'];
  expect(nameAmong(names, 'Asia/Calcutta')).toBe('Asia/Kolkata');
  expect(nameAmong(names, 'Europe/Kiev')).toBe('Europe/Kyiv');
  expect(nameAmong(names, 'asia/tokyo')).toBe('asia/tokyo');
  expect(nameAmong(names, 'Asia/Seoul')).toBeUndefined();
});

test.each(['CET', 'MET', 'EET', 'WET', 'EST', 'UTC'])('the clock of %s is the same in the database', async (zone) => {
  const { db } = server.deps;
  const name = await zoneInDatabase(db, zone);
  for (const at of ['2026-01-15T12:00Z', '2026-07-15T12:00Z']) {
    const { rows } = await sql<{ minutes: number }>`
      select extract(hour from t) * 60 + extract(minute from t) as minutes
      from (select ${at}::timestamptz at time zone ${name} as t) shown`.execute(db);
    expect(Number(rows[0]?.minutes)).toBe(localTime(Date.parse(at), zone).minutes);
  }
});

test('zones that were stored under abbreviations get the name of a city with the same clock', async () => {
  const { db } = server.deps;
  const { id } = await added();
  dataOf(await admin.calls.devices.update({ params: { id }, body: { expiresAt: '2031-07-01' } }));
  await sql`update devices set time_zone = 'CET', reported_zone = 'cet' where id = ${id}`.execute(db);
  const migration: Migration = { up: nameZones };
  await db.transaction().execute((trx) => migration.up(trx));
  const { rows } = await sql<{ zone: string; reported: string; at: Date }>`
    select time_zone as zone, reported_zone as reported, expires_at as at from devices where id = ${id}`.execute(db);
  const [device] = rows;
  expect(device).toMatchObject({ zone: 'Europe/Brussels', reported: 'Europe/Brussels' });
  expect(device?.at.getTime()).toBe(expiryInstant('2031-07-01', 'CET'));
});

test('zones that were stored under other names by an earlier version get the names of the database', async () => {
  const { db } = server.deps;
  const zones = { 'VST': 'Asia/Ho_Chi_Minh', 'ist': 'Asia/Kolkata', '+05:30': 'UTC', 'Europe/Paris': 'Europe/Paris' };
  const stored = new Map<string, string>();
  for (const zone of Object.keys(zones)) {
    const { id } = await added();
    dataOf(await admin.calls.devices.update({ params: { id }, body: { expiresAt: '2031-05-01' } }));
    await sql`update devices set time_zone = ${zone}, reported_zone = ${zone} where id = ${id}`.execute(db);
    stored.set(id, zone);
  }
  const migration: Migration = { up };
  await db.transaction().execute((trx) => migration.up(trx));
  const { rows } = await sql<{ id: string; timeZone: string; reportedZone: string; at: Date }>`
    select id, time_zone as "timeZone", reported_zone as "reportedZone", expires_at as at from devices
    where id = any(${[...stored.keys()]}::uuid[])`.execute(db);
  for (const { id, timeZone, reportedZone, at } of rows) {
    const named = new Map(Object.entries(zones)).get(stored.get(id) ?? '');
    expect([timeZone, reportedZone]).toEqual([named, named]);
    if (stored.get(id) !== named) expect(at.getTime()).toBe(expiryInstant('2031-05-01', timeZone));
  }
  expect(rows).toHaveLength(4);
});
