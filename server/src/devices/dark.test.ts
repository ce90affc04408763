import { isWithinHours, type WorkingHours } from '@ams/contract';
import { sql } from 'kysely';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { dataOf, startTestServer } from '../../test/server.ts';

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
