import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { hear, pairedDevice } from '../../test/device.ts';
import { type Bystanders, gatherBystanders, holds, Scene, type SceneDevice } from '../../test/scene.ts';
import { dataOf, startTestServer } from '../../test/server.ts';
import { publish } from '../platform/events/events.ts';
import { sendingTasks } from '../releases/sending.service.ts';

/** Takeovers of so many devices that a job brings them there. */
const server = await startTestServer();
const { db } = server.deps;
const MANY = 12_001;
const PATIENCE = { timeout: 60_000, interval: 200 };

let bystanders: Bystanders;
let scene: Scene;
beforeAll(async () => {
  bystanders = await gatherBystanders(server);
});
beforeEach(async () => {
  scene = await Scene.begin(server, bystanders);
});

/** The scene's dealer has so many devices, of which one is connected. */
async function crowd() {
  const player = await scene.ownDevice();
  await scene.addCrowd(MANY - 1);
  const channel = await player.open();
  await channel.next();
  return { player, channel };
}

const takeovers = () => scene.actor.calls.takeovers;
const read = async (id: string) => dataOf(await takeovers().get({ params: { id } }));
/** Waits until a takeover has reached all its devices. */
const arrives = (id: string): Promise<void> =>
  vi.waitFor(async () => {
    const sends = db.selectFrom('release_sends').select('release_id').where('release_id', '=', id);
    expect(await sends.execute()).toEqual([]);
  }, PATIENCE);
const waits = async () => (await db.selectFrom('release_withdrawals').select('id').execute()).length;

/** How often the content of so many devices of the scene's dealer changed, and how many of them have a release. */
async function byChanges(id: string) {
  const { rows } = await sql`
    select d.revision - case when d.paired_at is null then 1 else 2 end as changes, count(*) as devices,
      count(rd.device_id) as holders
    from devices_now d left join release_devices rd on rd.device_id = d.id and rd.release_id = ${id}
      and rd.withdrawn_at is null and rd.revision <= d.revision
    where d.owner_id = ${scene.actor.user.id} group by 1 order by 1`.execute(db);
  return rows;
}

test('a takeover of 12,001 devices is pushed first; a job makes it part of their manifests, and notes at its end who had it', async () => {
  const { player, channel } = await crowd();
  const ad = await scene.ad();
  const body = { adId: ad.id, devices: { filter: {} }, minutes: 60 };
  const taken = dataOf(await takeovers().create({ body }));
  expect(taken).toMatchObject({ state: 'running', counts: { total: MANY, ready: 0, told: 0, showing: 0 } });
  expect(await hear(channel, 'takeover')).toMatchObject({ screens: { main: [{ releaseId: taken.id }] } });
  await arrives(taken.id);
  expect(await byChanges(taken.id)).toEqual([{ changes: 1, devices: MANY, holders: MANY }]);
  const { version } = await player.manifest();
  channel.status({ manifestVersion: version, download: { state: 'done', doneBytes: 1, totalBytes: 1 } });
  await vi.waitFor(async () =>
    expect(await read(taken.id)).toMatchObject({ counts: { total: MANY, ready: 1, told: 1 } }),
  );
  const ended = dataOf(await takeovers().end({ params: { id: taken.id } }));
  expect(ended).toMatchObject({ state: 'ended', counts: { total: MANY } });
  expect(await hear(channel, 'takeoverEnded')).toEqual({ type: 'takeoverEnded', releaseId: taken.id });
  await vi.waitFor(async () => expect(await waits()).toBe(0), PATIENCE);
  expect(await holds(player, taken.id)).toBe(false);
  // They report later, without it.
  await sql`update device_revisions set done_revision = revision, reported_revision = revision`.execute(db);
  expect((await read(taken.id)).counts).toMatchObject({ total: MANY, ready: 1, told: 1, showing: 0 });
  await channel.close();
});

test('a takeover that 12,001 devices are prepared for starts on all of them, and then becomes part of their manifests', async () => {
  const { channel } = await crowd();
  const ad = await scene.ad();
  const body = { adId: ad.id, devices: { filter: {} }, prepare: true };
  const { id, counts } = dataOf(await takeovers().create({ body }));
  expect(counts.total).toBe(MANY);
  await arrives(id);
  expect(await byChanges(id)).toEqual([{ changes: 1, devices: MANY, holders: MANY }]);
  const started = dataOf(await takeovers().start({ params: { id }, body: { minutes: 60 } }));
  expect(started).toMatchObject({ state: 'running', counts: { total: MANY, told: 0 } });
  expect(await hear(channel, 'takeover')).toMatchObject({ screens: { main: [{ releaseId: id }] } });
  await vi.waitFor(
    async () => expect(await byChanges(id)).toEqual([{ changes: 2, devices: MANY, holders: MANY }]),
    PATIENCE,
  );
  await channel.close();
});

/** A takeover of the scene's devices, as it is right after its answer if they are many; it was pushed to nobody. */
async function onItsWay(players: SceneDevice[], order: object = { minutes: 60 }): Promise<string> {
  const devices = { ids: players.map(({ device }) => device.id) };
  const { id } = dataOf(await takeovers().create({ body: { adId: (await scene.ad()).id, devices, ...order } }));
  await scene.keepBack({ id });
  return id;
}

const bring = (id: string) => sendingTasks(db).releases_send({ id }, new AbortController().signal, true);

test('a takeover on its way is pushed to the devices that its operator may reach, and its end to all of them', async () => {
  const [kept, lost] = await scene.devices();
  if (!kept || !lost) throw new Error('the scene has two devices');
  const id = await onItsWay([kept, lost]);
  // Without what a change of the owner does besides: it happens at the same moment.
  await sql`update devices set owner_id = ${bystanders.buyer.user.id} where id = ${lost.device.id}`.execute(db);
  const channels = await Promise.all([kept.open(), lost.open()]);
  const [mine, theirs] = channels;
  if (!mine || !theirs) throw new Error('both are connected');
  await Promise.all(channels.map((channel) => hear(channel, 'manifest')));
  await publish(db, { topic: 'takeover', ids: [id] });
  expect(await hear(mine, 'takeover')).toMatchObject({ screens: { main: [{ releaseId: id }] } });
  dataOf(await takeovers().end({ params: { id } }));
  expect(await hear(mine, 'takeoverEnded')).toMatchObject({ releaseId: id });
  expect((await theirs.next()).type).toBe('takeoverEnded');
  await bring(id);
  expect([await holds(kept, id), await holds(lost, id)]).toEqual([false, false]);
  await Promise.all(channels.map((channel) => channel.close()));
});

test('a prepared takeover that is started by somebody else while it is on its way goes to those that both may reach', async () => {
  const { actor } = scene;
  const [kept] = await scene.devices();
  const above = await scene.ownDevice();
  if (!kept) throw new Error('the scene has devices');
  const id = await onItsWay([kept, above], { prepare: true });
  const successor = await server.createUser('leading', bystanders.root);
  // The customer, its device and its dealer's ad belong to another dealer now.
  await sql`update releases set owner_id = ${successor.user.id} where id = ${id}`.execute(db);
  await sql`update devices set owner_id = ${successor.user.id} where id = ${kept.device.id}`.execute(db);
  const started = await successor.calls.takeovers.start({ params: { id }, body: { minutes: 60 } });
  expect(dataOf(started)).toMatchObject({ state: 'running', counts: { total: 1 } });
  await arrives(id);
  expect([await holds(kept, id), await holds(above, id)]).toEqual([true, false]);
  expect(dataOf(await successor.calls.takeovers.get({ params: { id } })).counts.total).toBe(1);
  expect(await actor.calls.takeovers.get({ params: { id } })).toMatchObject({ code: 404 });
});

test.each([
  ['disabled', (id: string) => sql`update users set disabled = true, remark = 'left' where id = ${id}`.execute(db)],
  ['deleted', (id: string) => bystanders.root.calls.users.delete({ params: { id } }).then(dataOf)],
])('devices that a takeover was pushed to return to their content if its operator is %s', async (_what, end) => {
  const [kept] = await scene.devices();
  if (!kept) throw new Error('the scene has devices');
  const id = await onItsWay([kept]);
  const channel = await kept.open();
  await hear(channel, 'manifest');
  await publish(db, { topic: 'takeover', ids: [id] });
  await hear(channel, 'takeover');
  await end(scene.actor.user.id);
  await bring(id);
  await hear(channel, 'manifest');
  expect(await holds(kept, id)).toBe(false);
  await channel.close();
});

test('the devices of a takeover are listed only for those who see it', async () => {
  const player = await pairedDevice(server, scene.customer);
  const id = await onItsWay([player]);
  await bring(id);
  const listed = dataOf(await takeovers().listDevices({ params: { id } }));
  expect(listed.items).toMatchObject([{ id: player.device.id, told: false }]);
  expect(await bystanders.buyer.calls.takeovers.listDevices({ params: { id } })).toMatchObject({ code: 404 });
});
