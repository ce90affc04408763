import { type Envelope, localMac } from '@ams/contract';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makeDevice } from './device.ts';
import { makeMp4, upload } from './media.ts';
import { type Bystanders, gatherBystanders, Scene, smallPicture } from './scene.ts';
import { ADMIN, dataOf, type Session, startTestServer } from './server.ts';
import { tusAt, uploadInHalves } from './tus.ts';

/** People change and delete the same things at once: each receives a clear answer, and none of them is 500. */
const server = await startTestServer();
const { db } = server.deps;

let bystanders: Bystanders;
beforeAll(async () => {
  bystanders = await gatherBystanders(server);
});

const remove = (id: string): Promise<Envelope<unknown>> => bystanders.root.calls.users.delete({ params: { id } });
const username = (): string => `c${randomBytes(6).toString('hex')}`;

/** Actions of a user while the account or its dealer's is deleted. */
const WORK: Record<string, (scene: Scene, session: Session) => Promise<Pick<Envelope<unknown>, 'code'>>> = {
  'signing in': async (_scene, { user }) => {
    const reply = await fetch(`${server.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: user.username, password: ADMIN.password }),
    });
    return { code: reply.status };
  },
  'uploading': async (_scene, session) => {
    const answer = await upload(server, session, await smallPicture(), {
      name: 'a.jpg',
      orientation: 'vertical',
      kind: 1,
    });
    return { code: answer.kind === 'done' ? 200 : answer.status };
  },
  'making an ad': async (scene, { calls }) => {
    const { name, orientation, split, regions } = await scene.ad();
    const fileId = regions.full?.[0]?.fileId ?? '';
    return calls.ads.create({ body: { name, orientation, split, regions: { full: [{ kind: 'file', fileId }] } } });
  },
  'releasing': async (scene, { calls }) => {
    const ids = await scene.deviceIds();
    return calls.ads.release({ params: { id: (await scene.ad()).id }, body: { devices: { ids } } });
  },
  'pairing': async (_scene, { calls }) => {
    const device = makeDevice(server);
    const { code } = await device.enrol();
    return calls.devices.pair({ body: { mac: device.mac, code } });
  },
  'adding a device': (_scene, { calls }) => calls.devices.create({ body: { mac: localMac(randomBytes(6)) } }),
  'adding a user': (_scene, { calls }) =>
    calls.users.create({ body: { username: username(), password: ADMIN.password, role: 'member' } }),
  'inviting': (_scene, { calls }) => calls.users.createInvitations({ body: {} }),
  'setting alerts': (_scene, { calls }) =>
    calls.alerts.update({ body: { email: null, webhook: null, offlineMinutes: 5, expiringDays: null } }),
  'restarting devices': async (scene, { calls }) =>
    calls.batches.start({ body: { ids: await scene.deviceIds(), action: 'restart' } }),
  'moving devices': async (scene, { calls, user }) =>
    calls.batches.start({ body: { ids: await scene.deviceIds(), action: 'reassign', ownerId: user.id } }),
};

describe.each(Object.keys(WORK))('%s', (name) => {
  test.each(['actor', 'customer'] as const)('while the account of the %s is deleted', async (gone) => {
    const scene = await Scene.begin(server, bystanders);
    await Promise.all([scene.devices(), scene.ad()]);
    const begin = () => WORK[name]?.(scene, scene.actor) ?? Promise.reject(new Error(name));
    const [first, removed, ...rest] = await Promise.all([begin(), remove(scene[gone].user.id), begin(), begin()]);
    expect(removed.code).toBe(200);
    for (const { code } of [first, ...rest]) expect([200, 401, 404, 409]).toContain(code);
    expect((await orphans()).length).toBe(0);
  });
});

/** Things that belong to nobody. */
const orphans = async (): Promise<unknown[]> =>
  (
    await sql`
      select id from devices d where not exists (select from users u where u.id = d.owner_id)
      union all select id from users x where x.superior_id is null and x.id <> ${bystanders.root.user.id}`.execute(db)
  ).rows;

test('if users of one branch are deleted at once, their belongings pass to an existing user', async () => {
  const scenes = await Promise.all([1, 2, 3].map(() => Scene.begin(server, bystanders)));
  for (const scene of scenes) await scene.devices();
  const replies = await Promise.all(
    scenes.flatMap(({ actor, customer }) => [
      remove(customer.user.id),
      remove(actor.user.id),
      remove(customer.user.id),
    ]),
  );
  for (const { code } of replies) expect([200, 404]).toContain(code);
  for (const scene of scenes) {
    for (const id of await scene.deviceIds()) {
      const { owner } = dataOf(await bystanders.root.calls.devices.get({ params: { id } }));
      expect(owner.id).toBe(bystanders.root.user.id);
    }
  }
});

test('an upload whose owner is deleted meanwhile ends with 404, and its bytes go', async () => {
  const { actor, customer } = await Scene.begin(server, bystanders);
  const wishes = { name: 'a.mp4', orientation: 'vertical', kind: 2, owner: customer.user.id };
  const finish = await uploadInHalves(server, actor, await makeMp4(), wishes);
  const row = await db
    .selectFrom('uploads')
    .selectAll()
    .where('uploader_id', '=', actor.user.id)
    .executeTakeFirstOrThrow();
  dataOf(await remove(customer.user.id));
  const reply = await finish();
  expect(reply.status).toBe(404);
  expect(await db.selectFrom('uploads').select('id').where('id', '=', row.id).execute()).toEqual([]);
  expect(await server.deps.incoming.received(row)).toBeUndefined();
  const again = await fetch(reply.url, {
    method: 'HEAD',
    headers: { 'authorization': `Bearer ${actor.token}`, 'tus-resumable': '1.0.0' },
  });
  expect(again.status).toBe(404);
});

test('unfinished uploads of a deleted user are removed', async () => {
  const { actor } = await Scene.begin(server, bystanders);
  const path = await tusAt(server.url, actor).create(1000, { name: 'a.jpg', orientation: 'vertical', kind: 1 });
  const id = path.split('/').at(-1) ?? '';
  dataOf(await remove(actor.user.id));
  await vi.waitFor(
    async () => expect(await db.selectFrom('uploads').select('id').where('id', '=', id).execute()).toEqual([]),
    { interval: 50 },
  );
});

test('transactions that wait for each other are run again: both are done', async () => {
  const [one, other] = await Promise.all([Scene.begin(server, bystanders), Scene.begin(server, bystanders)]);
  const ids = [one.actor.user.id, other.actor.user.id];
  const both = Promise.withResolvers<void>();
  let holding = 0;
  const rename = async (order: readonly string[], phone: string): Promise<void> => {
    await db.transaction().execute(async (trx) => {
      for (const id of order) {
        await trx.updateTable('users').set({ phone }).where('id', '=', id).execute();
        holding += 1;
        if (holding === 2) both.resolve();
        await both.promise;
      }
    });
  };
  await Promise.all([rename(ids, '1111111'), rename(ids.toReversed(), '2222222')]);
  const phones = await db.selectFrom('users').select('phone').where('id', 'in', ids).execute();
  expect(new Set(phones.map(({ phone }) => phone)).size).toBe(1);
});
