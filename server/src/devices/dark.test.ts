import { isWithinHours, type WorkingHours } from '@ams/contract';
import { sql } from 'kysely';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { isDark, someDark } from './dark.service.ts';

/** Devices that are dark on purpose: as a filter of lists, and left out of messages about offline devices. */
const server = await startTestServer({ AMS_CAPTCHA: 'off' });

const NEVER: WorkingHours = { weekly: {}, exceptions: [] };
const RUNS = 150;

test('the database judges hours as the contract does', async () => {
  const clock = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([hour, minute]) => [hour, minute].map((part) => String(part).padStart(2, '0')).join(':'));
  const span = fc
    .record({ from: clock, to: fc.oneof(clock, fc.constant('24:00')) })
    .filter(({ from, to }) => from !== to);
  const spans = fc.array(span, { maxLength: 2 });
  const hours = fc.record({
    weekly: fc.dictionary(fc.constantFrom('1', '2', '3', '4', '5', '6', '7'), spans),
    exceptions: fc.uniqueArray(
      fc.record({ date: fc.constantFrom('2026-03-28', '2026-03-29', '2026-10-25', '2028-02-29'), hours: spans }),
      { selector: ({ date }) => date },
    ),
  });
  const at = fc.oneof(
    fc.integer({ min: Date.UTC(2026, 2, 27), max: Date.UTC(2026, 2, 31) }),
    fc.integer({ min: Date.UTC(2026, 9, 24), max: Date.UTC(2026, 9, 27) }),
    fc.integer({ min: Date.UTC(2028, 1, 28), max: Date.UTC(2028, 2, 2) }),
  );
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/Los_Angeles', 'Pacific/Kiritimati');
  await fc.assert(
    fc.asyncProperty(hours, at, zone, async (given, now, timeZone) => {
      const { rows } = await sql<{ within: boolean }>`
        select is_within_hours(${JSON.stringify(given)}::jsonb, ${new Date(now)}, ${timeZone}) as within`.execute(
        server.deps.db,
      );
      expect(rows[0]?.within).toBe(isWithinHours(given, now, timeZone));
    }),
    { numRuns: RUNS },
  );
});

test('a device that is offline in its dark hours needs no attention and is found by the filter', async () => {
  const boss = await server.createUser('leading');
  const member = await server.createUser('member', boss);
  const [own, byDefault, missing] = [
    await pairedDevice(server, boss),
    await pairedDevice(server, member),
    await pairedDevice(server, boss),
  ];
  const offline = async () => dataOf(await boss.calls.home.summary({})).devices.offline;
  const listed = async (dark: boolean) =>
    dataOf(await boss.calls.devices.list({ query: { online: 'false', paired: 'true', dark: `${dark}` } })).items.map(
      ({ id }) => id,
    );
  expect(await offline()).toBe(3);
  const open = [{ from: '00:00', to: '24:00' }];
  const always = { weekly: { 1: open, 2: open, 3: open, 4: open, 5: open, 6: open, 7: open } };
  dataOf(await boss.calls.devices.update({ params: { id: own.device.id }, body: { workingHours: NEVER } }));
  dataOf(await boss.calls.devices.update({ params: { id: missing.device.id }, body: { workingHours: always } }));
  const params = { id: member.user.id };
  dataOf(await member.calls.users.changeWorkingHours({ params, body: { workingHours: NEVER } }));
  expect(await offline()).toBe(1);
  expect(await listed(false)).toEqual([missing.device.id]);
  expect((await listed(true)).toSorted()).toEqual([own.device.id, byDefault.device.id].toSorted());
  expect(dataOf(await boss.calls.devices.get({ params: { id: own.device.id } })).online).toBe(false);
});

test('a group may be limited to devices in their working hours', async () => {
  const boss = await server.createUser('leading');
  const dark = await pairedDevice(server, boss);
  await pairedDevice(server, boss);
  dataOf(await boss.calls.devices.update({ params: { id: dark.device.id }, body: { workingHours: NEVER } }));
  const group = dataOf(await boss.calls.groups.create({ body: { name: 'Lit', filter: { dark: false } } }));
  expect(group.devices).toBe(1);
});

test('hours are judged once for all devices that share them, and each device by those in force', async () => {
  const boss = await server.createUser('leading');
  const branch = await server.createUser('leading', boss);
  const members = await Promise.all([boss, branch, branch].map((superior) => server.createUser('member', superior)));
  const open = [{ from: '00:00', to: '24:00' }];
  const always: WorkingHours = {
    weekly: { 1: open, 2: open, 3: open, 4: open, 5: open, 6: open, 7: open },
    exceptions: [],
  };
  const { db } = server.deps;
  const setters = [
    { user: boss, hours: NEVER },
    { user: branch, hours: always },
    { user: members[2] ?? boss, hours: NEVER },
  ];
  for (const { user, hours } of setters)
    await sql`update users set working_hours = ${JSON.stringify(hours)} where id = ${user.user.id}`.execute(db);
  const owners = [boss, branch, ...members].map(({ user }) => user.id);
  const zones = ['UTC', 'Asia/Tokyo', 'America/Lima'];
  const own = [null, null, NEVER, always].map((hours) => hours && JSON.stringify(hours));
  await sql`
    insert into devices (id, mac, owner_id, time_zone, working_hours)
    select gen_random_uuid(), 'dark' || n, (${owners}::uuid[])[1 + n % 5], (${zones}::text[])[1 + n % 3],
      (${own}::jsonb[])[1 + n % 4]
    from generate_series(1, 300) n`.execute(db);
  await db.transaction().execute(async (trx) => {
    await sql`set local track_functions = 'all'`.execute(trx);
    const found = await sql<{ id: string }>`select d.id from devices d where ${isDark} order by d.id`.execute(trx);
    const { rows: calls } = await sql<{ calls: number }>`
      select calls from pg_stat_xact_user_functions where funcname = 'is_within_hours'`.execute(trx);
    const expected = await sql<{ id: string }>`
      select d.id from devices d
      where not is_within_hours(coalesce(d.working_hours, default_hours(d.owner_id)), now(), d.time_zone)
      order by d.id`.execute(trx);
    expect(found.rows.length).toBeGreaterThan(100);
    expect(found.rows).toEqual(expected.rows);
    const { rows: pairs } = await sql<{ n: number }>`
      select (select count(*) from users where working_hours is not null) * count(distinct time_zone)
        + count(distinct (working_hours, time_zone)) filter (where working_hours is not null) as n from devices`.execute(
      trx,
    );
    expect(calls[0]?.calls).toBeLessThanOrEqual(pairs[0]?.n ?? 0);
    const some = await someDark(1000).execute(trx);
    expect(some.rows.map(({ id }) => id).toSorted()).toEqual(expected.rows.map(({ id }) => id).toSorted());
  });
});
