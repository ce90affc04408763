import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { makeDevice, pairedDevice, type TestDevice } from '../../test/device.ts';
import { meanwhile } from '../../test/meanwhile.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';

/** Calls of somebody who loses the right to make them after they were admitted. */
const server = await startTestServer();
const { db } = server.deps;

let boss: Session;
let member: Session;
let known: TestDevice & { id: string };
beforeEach(async () => {
  boss = await server.createUser('leading');
  member = await server.createUser('member', boss);
  const { device, ...rest } = await pairedDevice(server, boss);
  known = { ...rest, id: device.id };
});

const holdBoth = () => sql`
  with person as (select id from users where id = ${boss.user.id} for update)
  select from devices where id = ${known.id} and exists (select from person) for update`;
const holdDevice = () => sql`select from devices where id = ${known.id} for update`;
const demote = () => sql`update users set role = 'member' where id = ${boss.user.id}`;
const disable = () => sql`update users set disabled = true, remark = 'left' where id = ${boss.user.id}`;
const getKnown = () => db.selectFrom('devices').selectAll().where('id', '=', known.id).executeTakeFirst();

test('a user that is demoted meanwhile extends no device of its own', async () => {
  const before = await getKnown();
  const body = { expiresAt: '2099-01-01', name: 'Hall' };
  const call = () => boss.calls.devices.update({ params: { id: known.id }, body });
  expect(await meanwhile(db, { hold: holdBoth(), call, change: demote() })).toMatchObject({ error: 'LEADING_ONLY' });
  expect(await getKnown()).toEqual(before);
});

test('a user that is demoted meanwhile takes over no device of those that were below', async () => {
  const theirs = await pairedDevice(server, member);
  const other = makeDevice(server, theirs.mac);
  const { code } = await other.enrol();
  const call = () => boss.calls.devices.pair({ body: { code } });
  expect(await meanwhile(db, { hold: holdBoth(), call, change: demote() })).toMatchObject({ error: 'DEVICE_OWNED' });
  expect((await theirs.manifest()).device.id).toBe(theirs.device.id);
});

test('a user that is disabled meanwhile deletes and clears no device', async () => {
  const params = { id: known.id };
  for (const call of [() => boss.calls.devices.delete({ params }), () => boss.calls.devices.clear({ params })]) {
    expect(await meanwhile(db, { hold: holdBoth(), call, change: disable() })).toMatchObject({
      error: 'FORBIDDEN_USER',
    });
    await sql`update users set disabled = false where id = ${boss.user.id}`.execute(db);
  }
  expect(dataOf(await boss.calls.devices.get({ params })).id).toBe(known.id);
  expect(await db.selectFrom('device_commands').selectAll().execute()).toEqual([]);
});

const give = (owner: Session) => sql`update devices set owner_id = ${owner.user.id} where id = ${known.id}`;
const reassign = () =>
  boss.calls.batches.start({ body: { ids: [known.id], action: 'reassign', ownerId: member.user.id } });

test('a batch does not claim a device that somebody above gave away meanwhile', async () => {
  const stranger = await server.createUser('leading');
  const answer = await meanwhile(db, { hold: holdDevice(), call: reassign, change: give(stranger) });
  expect(dataOf(answer)).toMatchObject({ done: 0, failed: [{ id: known.id, error: 'NOT_FOUND' }] });
  expect(await getKnown()).toMatchObject({ owner_id: stranger.user.id });
});

test('undoing a batch gives a device back to the owner that it had when the batch took it', async () => {
  const customer = await server.createUser('member', boss);
  const { undo = '' } = dataOf(await meanwhile(db, { hold: holdDevice(), call: reassign, change: give(customer) }));
  expect(await getKnown()).toMatchObject({ owner_id: member.user.id });
  expect(dataOf(await boss.calls.batches.undo({ body: { undo } }))).toMatchObject({ done: 1 });
  expect(await getKnown()).toMatchObject({ owner_id: customer.user.id });
});

test('undoing a batch leaves a device that somebody gives away meanwhile with its new owner', async () => {
  const customer = await server.createUser('member', boss);
  const { undo = '' } = dataOf(await reassign());
  const call = () => boss.calls.batches.undo({ body: { undo } });
  const answer = await meanwhile(db, { hold: holdDevice(), call, change: give(customer) });
  expect(dataOf(answer)).toMatchObject({ done: 0, failed: [{ id: known.id, error: 'CHANGED_MEANWHILE' }] });
  expect(await getKnown()).toMatchObject({ owner_id: customer.user.id });
});

test('undoing a batch waits for people before it holds anything else', async () => {
  const customer = await server.createUser('member', boss);
  await give(customer).execute(db);
  const { undo = '' } = dataOf(await reassign());
  await meanwhile(db, {
    hold: sql`select from users where id = ${customer.user.id} for update`,
    call: () => boss.calls.batches.undo({ body: { undo } }),
    // The call that disables a user holds that user first, and then all that stands.
    change: sql`
      update users set remark = 'free' where id = ${customer.user.id}
        and pg_try_advisory_xact_lock(hashtext('ams standing releases'))`,
  });
  const { remark } = await db
    .selectFrom('users')
    .select('remark')
    .where('id', '=', customer.user.id)
    .executeTakeFirstOrThrow();
  expect(remark).toBe('free');
});

test("moving devices holds them in order, also those that are the new owner's already", async () => {
  await give(member).execute(db);
  const { device } = await pairedDevice(server, boss);
  const ids = [known.id, device.id];
  await meanwhile(db, {
    hold: holdDevice(),
    call: () => boss.calls.batches.start({ body: { ids, action: 'reassign', ownerId: member.user.id } }),
    change: sql`
      with free as (select from devices where id = ${device.id} for update skip locked)
      update devices set name = 'free' where id = ${known.id} and exists (select from free)`,
  });
  expect(await getKnown()).toMatchObject({ name: 'free' });
});
