import { type Envelope, localMac } from '@ams/contract';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeDevice, pairedDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { crossing } from '../../test/meanwhile.ts';
import { makeKey } from '../../test/signing.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { tasksOf } from '../features.ts';

/** Users who are disabled or deleted while somebody above works with their things: no order of locks differs. */
const server = await startTestServer();
const { db } = server.deps;

let dealer: Session;
beforeAll(async () => {
  dealer = await server.createUser('leading');
});

type Answer = Promise<Pick<Envelope<unknown>, 'code'>>;
const disable = (id: string): Answer =>
  dealer.calls.users.update({ params: { id }, body: { disabled: true, remark: 'x' } });
const remove = (id: string): Answer => dealer.calls.users.delete({ params: { id } });
const CHANGES: [string, (id: string) => Answer][] = [
  ['disabled', disable],
  ['deleted', remove],
];
const STANDING = sql`select pg_advisory_xact_lock_shared(hashtext('ams standing releases'))`;

test.each(CHANGES)('a known device is paired anew while its owner is %s', async (_, change) => {
  const { user } = await server.createUser('member', dealer);
  const mac = localMac(randomBytes(6));
  dataOf(await dealer.calls.devices.create({ body: { mac, ownerId: user.id } }));
  const { code } = await makeDevice(server, mac).enrol();
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from pairings where code = ${code} for update`,
    first: () => dealer.calls.devices.pair({ body: { mac, code } }),
    second: () => change(user.id),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test.each(CHANGES)('an ad is released standing while its owner is %s', async (_, change) => {
  const customer = await server.createUser('member', dealer);
  const { id } = await addPictureAd(server, customer);
  await pairedDevice(server, dealer);
  const { answers, deadlocks } = await crossing(db, {
    hold: STANDING,
    first: () => dealer.calls.ads.release({ params: { id }, body: { devices: { filter: {} }, standing: true } }),
    second: () => change(customer.user.id),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('a user is deleted while the one who inherits is disabled', async () => {
  const boss = await server.createUser('leading', dealer);
  const customer = await server.createUser('member', boss);
  dataOf(await dealer.calls.devices.create({ body: { mac: localMac(randomBytes(6)), ownerId: customer.user.id } }));
  const { answers, deadlocks } = await crossing(db, {
    hold: STANDING,
    first: () => remove(customer.user.id),
    second: () => disable(boss.user.id),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

/** A customer with a group. */
async function withGroup(): Promise<{ customer: Session; id: string }> {
  const customer = await server.createUser('member', dealer);
  const body = { name: 'Hall', filter: { tags: { all: ['hall'] } } };
  return { customer, id: dataOf(await customer.calls.groups.create({ body })).id };
}

const GROUP_WORK: [string, (id: string) => Answer][] = [
  ['changed', (id) => dealer.calls.groups.update({ params: { id }, body: { filter: { tags: { all: ['door'] } } } })],
  ['deleted', (id) => dealer.calls.groups.delete({ params: { id } })],
  [
    'the target of a standing release',
    async (group) => {
      const ad = await addPictureAd(server, dealer);
      return dealer.calls.ads.release({ params: { id: ad.id }, body: { devices: { group }, standing: true } });
    },
  ],
];

test.each(GROUP_WORK)('a group is %s while its owner is disabled', async (_, work) => {
  const { customer, id } = await withGroup();
  const { answers, deadlocks } = await crossing(db, {
    hold: STANDING,
    first: () => work(id),
    second: () => disable(customer.user.id),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('a device names another key while its owner is deleted', async () => {
  const { user } = await server.createUser('member', dealer);
  const mac = localMac(randomBytes(6));
  const player = makeDevice(server, mac);
  const { code } = await player.enrol();
  const { id } = dataOf(await dealer.calls.devices.pair({ body: { mac, code, ownerId: user.id } }));
  const { publicKey } = await makeKey();
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from devices where id = ${id} for update`,
    first: () => player.calls.player.enrol({ body: { mac, publicKey } }),
    second: () => remove(user.id),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('a requested release is rejected while its owner is deleted', async () => {
  const customer = await server.createUser('member', dealer);
  const body = { releasesNeedApproval: true };
  dataOf(await dealer.calls.users.update({ params: { id: customer.user.id }, body }));
  const { id: adId } = await addPictureAd(server, customer);
  const { device } = await pairedDevice(server, customer);
  const devices = { ids: [device.id] };
  const { id } = dataOf(await customer.calls.ads.release({ params: { id: adId }, body: { devices } }));
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from release_requests where id = ${id} for update`,
    first: () => dealer.calls.releases.reject({ params: { id }, body: { remark: 'No' } }),
    second: () => remove(customer.user.id),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

/** A batch that a user below has done. */
async function batchOf(boss: Session): Promise<string> {
  const { device } = await pairedDevice(server, boss);
  const { undo } = dataOf(
    await boss.calls.batches.start({ body: { ids: [device.id], action: 'expire', date: '2031-01-31' } }),
  );
  return undo ?? '';
}

test('a batch is undone while its user is deleted', async () => {
  const boss = await server.createUser('leading', dealer);
  const undo = await batchOf(boss);
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from batches where id = ${undo} for update`,
    first: () => boss.calls.batches.undo({ body: { undo } }),
    second: () => remove(boss.user.id),
  });
  expect([answers[1].code, deadlocks]).toEqual([200, 0]);
});

test('a batch continues while its user is deleted', async () => {
  const boss = await server.createUser('leading', dealer);
  const id = await batchOf(boss);
  await sql`update batches set finished_at = null, reached = 0 where id = ${id}`.execute(db);
  const task = tasksOf(server.deps)['devices_batch'];
  if (typeof task !== 'function') throw new Error('no such task');
  const { answers, deadlocks } = await crossing(db, {
    hold: STANDING,
    first: () => remove(boss.user.id),
    second: async () => task({ id }, new AbortController().signal, false),
  });
  expect([answers[0].code, deadlocks]).toEqual([200, 0]);
});

const STAGES = [
  { percent: 50, minutes: 5 },
  { percent: 100, minutes: 5 },
];

/** A leading user with a device, and an ad that was sent there in steps. */
async function withRollout(standing: boolean) {
  const boss = await server.createUser('leading', dealer);
  const { device } = await pairedDevice(server, boss);
  const ad = await addPictureAd(server, boss);
  const body = { devices: { filter: {} }, standing, stages: STAGES };
  return { boss, device, release: dataOf(await boss.calls.ads.release({ params: { id: ad.id }, body })) };
}

test('a release in steps is withdrawn while its user is deleted', async () => {
  const { boss, release } = await withRollout(false);
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from files where owner_id = ${boss.user.id} for update`,
    first: () => remove(boss.user.id),
    second: () => dealer.calls.releases.withdraw({ params: { id: release.id } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('a standing release in steps is withdrawn while its user is disabled', async () => {
  const { boss, release } = await withRollout(true);
  const { answers, deadlocks } = await crossing(db, {
    hold: STANDING,
    first: () => dealer.calls.releases.withdraw({ params: { id: release.id } }),
    second: () => disable(boss.user.id),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('a device is cleared while its owner, who has working hours, is deleted', async () => {
  const { boss, device } = await withRollout(false);
  const workingHours = { weekly: { 1: [{ from: '08:00', to: '18:00' }] }, exceptions: [] };
  dataOf(await boss.calls.users.changeWorkingHours({ params: { id: boss.user.id }, body: { workingHours } }));
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from files where owner_id = ${boss.user.id} for update`,
    first: () => remove(boss.user.id),
    second: () => dealer.calls.batches.start({ body: { ids: [device.id], action: 'clear' } }),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('a user is deleted while it disables one below', async () => {
  const boss = await server.createUser('leading', dealer);
  const { id } = (await server.createUser('member', boss)).user;
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from users where id = ${id} for update`,
    first: () => boss.calls.users.update({ params: { id }, body: { disabled: true, remark: 'x' } }),
    second: () => remove(boss.user.id),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});

test('an ad is released standing on a group while the owner of the group, who shows the ad, is deleted', async () => {
  const { customer, id: group } = await withGroup();
  const ad = await addPictureAd(server, dealer);
  const { device } = await pairedDevice(server, customer);
  dataOf(await dealer.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [device.id] } } }));
  const { answers, deadlocks } = await crossing(db, {
    hold: sql`select from files where owner_id = ${dealer.user.id} for update`,
    first: () => dealer.calls.ads.release({ params: { id: ad.id }, body: { devices: { group }, standing: true } }),
    second: () => remove(customer.user.id),
  });
  expect([answers[0].code, answers[1].code, deadlocks]).toEqual([200, 200, 0]);
});
