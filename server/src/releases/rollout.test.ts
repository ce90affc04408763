import type { Ad, CreateReleaseBody, Release, StatusMessage } from '@ams/contract';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { pairedDevice, type TestDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { dataOf, type Session, startTestServer } from '../../test/server.ts';
import { startServer } from '../lifecycle.ts';
import { advanceRollout } from './rollout.service.ts';

/** Two server processes on one database: both watch, and every step begins once. */
const server = await startTestServer();
const second = await startServer(server.config, server.connection, pino({ level: 'warn' }));
afterAll(() => second.stop());

const DEVICES = 10;
const STAGES = [{ percent: 10 }, { percent: 50 }, { percent: 100 }];

let owner: Session;
let ad: Ad;
let players: (TestDevice & { device: { id: string } })[];

beforeAll(async () => {
  owner = await server.createUser('member');
  ad = await addPictureAd(server, owner);
});

beforeEach(async () => {
  players = await Promise.all(Array.from({ length: DEVICES }, () => pairedDevice(server, owner)));
});

const release = async (over: object = {}): Promise<Release> => {
  const devices = { ids: players.map(({ device }) => device.id) };
  return dataOf(
    await owner.calls.ads.release({ params: { id: ad.id }, body: { devices, stages: STAGES, goOnAt: 75, ...over } }),
  );
};
const now = async ({ id }: Release): Promise<Release> => dataOf(await owner.calls.releases.get({ params: { id } }));
const become = (sent: Release, rollout: object) =>
  vi.waitFor(async () => expect((await now(sent)).rollout).toMatchObject(rollout), { interval: 50 });

/** The devices that the release has reached: their manifests hold it. */
async function reached({ id }: Release): Promise<TestDevice[]> {
  const held = await Promise.all(players.map((player) => player.manifest()));
  return players.filter((_, index) => held[index]?.screens.main.some(({ releaseId }) => releaseId === id));
}

async function report(some: TestDevice[], state: StatusMessage['download']['state'], reason?: string): Promise<void> {
  for (const player of some) {
    const { version } = await player.manifest();
    const download = { state, doneBytes: 1, totalBytes: 2, reason };
    dataOf(await player.calls.player.status({ body: { manifestVersion: version, download } }));
  }
}

test('each step begins when the previous one is done on its share; devices of later steps keep their content', async () => {
  const before = await release({ stages: null });
  expect(before).toMatchObject({ rollout: null, counts: { total: DEVICES, waiting: DEVICES, planned: 0 } });
  const sent = await release();
  expect(sent.counts).toMatchObject({ total: 10, waiting: 1, planned: 9 });
  expect(sent.rollout).toMatchObject({ state: 'running', stage: 0, goOnAt: 75, stopAbove: 10 });
  expect(sent.rollout?.stages.map(({ total }) => total)).toEqual([1, 4, 5]);
  expect(sent.rollout?.stages.map(({ startedAt }) => startedAt !== null)).toEqual([true, false, false]);
  const first = await reached(sent);
  expect(first).toHaveLength(1);
  expect(await reached(before)).toHaveLength(9);
  expect(dataOf(await owner.calls.ads.get({ params: { id: ad.id } })).devices).toBe(10);

  await report(first, 'done');
  await become(sent, { state: 'running', stage: 1 });
  const two = await reached(sent);
  expect(two).toHaveLength(5);
  expect(two).toEqual(expect.arrayContaining(first));
  const fresh = two.filter((player) => !first.includes(player));
  await report(fresh.slice(0, 2), 'done');
  await report(players.filter((player) => !two.includes(player)).slice(0, 1), 'done');
  await become(sent, { state: 'running', stage: 1, stages: [{ done: 1 }, { done: 2 }, { total: 5, done: 0 }] });
  await report(fresh.slice(2, 3), 'done');
  await become(sent, { stage: 2 });
  expect(await reached(sent)).toHaveLength(10);
  expect((await now(sent)).counts).toMatchObject({ planned: 0, done: 4, waiting: 6 });
  await report(players, 'done');
  await become(sent, { state: 'complete', stage: 2 });
});

test('stops when more than the configured share failed; the devices retry, and a user resumes it', async () => {
  const sent = await release();
  const first = await reached(sent);
  const channel = await first[0]?.open();
  await channel?.next();
  await report(first, 'failed', 'diskFull');
  await become(sent, { state: 'stopped', stage: 0, stages: [{ failed: 1 }, {}, {}] });
  const { items } = dataOf(
    await owner.calls.releases.listDevices({ params: { id: sent.id }, query: { state: 'failed' } }),
  );
  expect(items).toMatchObject([{ mac: first[0]?.mac, reason: 'diskFull' }]);

  const again = dataOf(await owner.calls.releases.retry({ params: { id: sent.id }, body: {} }));
  expect(again.counts).toMatchObject({ failed: 0, waiting: 1 });
  expect(await channel?.next()).toEqual({ type: 'retry' });
  // The new report counts, even if it repeats the previous one.
  await report(first, 'failed', 'diskFull');
  expect((await now(sent)).counts.failed).toBe(1);
  expect(await reached(sent)).toHaveLength(1);

  const goOn = (stage: number) => owner.calls.releases.resume({ params: { id: sent.id }, body: { stage } });
  expect(await goOn(1)).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
  expect(dataOf(await goOn(0)).rollout).toMatchObject({ state: 'running', stage: 1 });
  expect(await goOn(0)).toMatchObject({ code: 409, error: 'CHANGED_MEANWHILE' });
  expect(await reached(sent)).toHaveLength(5);
  await channel?.close();
});

test('only failed devices of the release receive the retry command', async () => {
  const sent = await release({ stages: null });
  const [one, other] = players;
  if (!one || !other) throw new Error('there are ten devices');
  await report([one, other], 'failed', 'unreachable');
  const retry = (ids: string[]) => owner.calls.releases.retry({ params: { id: sent.id }, body: { ids } });
  expect(dataOf(await retry([one.device.id])).counts).toMatchObject({ failed: 1 });
  const foreign = await pairedDevice(server, owner);
  expect(await retry([other.device.id, foreign.device.id])).toMatchObject({ code: 404 });
  expect((await now(sent)).counts).toMatchObject({ failed: 1 });
});

test('a device that was cleared while its step began gets the release when that is undone', async () => {
  const sent = await release({ stages: [{ percent: 10 }, { percent: 100 }] });
  const first = await reached(sent);
  const cleared = players.find((player) => !first.includes(player));
  if (!cleared) throw new Error('all devices have the release');
  const body = { ids: [cleared.device.id], action: 'clear' as const };
  const { undo = '' } = dataOf(await owner.calls.batches.start({ body }));
  await report(first, 'done');
  await become(sent, { stage: 1 });
  expect(await reached(sent)).not.toContain(cleared);
  dataOf(await owner.calls.batches.undo({ body: { undo } }));
  expect((await now(sent)).counts).toMatchObject({ total: 10, planned: 0 });
  expect(await reached(sent)).toContain(cleared);
});

test('no step begins during a pause; resuming begins the due one', async () => {
  const sent = await release();
  expect(dataOf(await owner.calls.releases.pause({ params: { id: sent.id } })).rollout?.state).toBe('paused');
  await report(await reached(sent), 'done');
  await advanceRollout(server.deps.db, sent.id);
  expect((await now(sent)).rollout).toMatchObject({ state: 'paused', stage: 0 });
  const on = dataOf(await owner.calls.releases.resume({ params: { id: sent.id }, body: { stage: 0 } }));
  expect(on.rollout).toMatchObject({ state: 'running', stage: 1 });
});

test('however many processes look at once, a step begins once', async () => {
  const sent = await release();
  const first = await reached(sent);
  await report(first, 'done');
  await Promise.all(
    [server, second, server, second, server, second].map(({ deps }) => advanceRollout(deps.db, sent.id)),
  );
  expect((await now(sent)).rollout?.stage).toBe(1);
  const { rows } = await sql<{ revision: number; stage: number }>`
    select d.revision, rd.stage from release_devices rd join devices_now d on d.id = rd.device_id
    where rd.release_id = ${sent.id}`.execute(server.deps.db);
  const touched = rows.filter((row) => row.stage < 2).map((row) => row.revision);
  const untouched = rows.filter((row) => row.stage === 2).map((row) => row.revision);
  expect(new Set(touched).size).toBe(1);
  expect(touched[0]).toBe((untouched[0] ?? 0) + 1);
});

test('after a rollback, devices have their previous content, and no later step begins', async () => {
  const before = await release({ stages: null });
  const sent = await release();
  await report(await reached(sent), 'done');
  await become(sent, { stage: 1 });
  const [later] = dataOf(
    await owner.calls.releases.listDevices({ params: { id: sent.id }, query: { state: 'planned' } }),
  ).items;
  const back = dataOf(await owner.calls.releases.withdraw({ params: { id: sent.id } }));
  expect(back).toMatchObject({ withdrawnBy: { username: owner.user.username } });
  expect(await reached(sent)).toEqual([]);
  expect(await reached(before)).toHaveLength(DEVICES);
  await advanceRollout(server.deps.db, sent.id);
  dataOf(await owner.calls.releases.resume({ params: { id: sent.id }, body: { stage: 1 } }));
  expect((await now(sent)).rollout?.stage).toBe(1);
  const { items } = dataOf(await owner.calls.releases.list({ query: { device: later?.id } }));
  expect(items.map(({ id, here }) => [id, here])).toEqual([
    [sent.id, 'missed'],
    [before.id, 'waiting'],
  ]);
});

test('a release to where its ad was released reaches no device that is only planned', async () => {
  const { id } = await addPictureAd(server, owner);
  const send = async (devices: CreateReleaseBody['devices'], over: object = {}) =>
    dataOf(await owner.calls.ads.release({ params: { id }, body: { devices, ...over } }));
  const sent = await send({ ids: players.map(({ device }) => device.id) }, { stages: STAGES });
  const [first] = await reached(sent);
  const has = async (query: object) =>
    dataOf(await owner.calls.devices.list({ query: { ...query, total: 'true' } })).total;
  expect([await has({ ad: id }), await has({ releasedAd: id })]).toEqual([DEVICES, 1]);
  const again = await send({ filter: { releasedAd: id } });
  expect(again.counts.total).toBe(1);
  expect(await reached(again)).toEqual([first]);
});

test('a device that is deleted holds nothing up', async () => {
  const sent = await release();
  const [only] = await reached(sent);
  const device = players.find(({ mac }) => mac === only?.mac)?.device;
  dataOf(await owner.calls.devices.delete({ params: { id: device?.id ?? '' } }));
  await advanceRollout(server.deps.db, sent.id);
  expect((await now(sent)).rollout).toMatchObject({ state: 'running', stage: 1 });
});

test('a step whose devices were all cleared pauses the rollout until somebody resumes it', async () => {
  const sent = await release();
  const [only] = await reached(sent);
  const body = { ids: players.flatMap(({ mac, device }) => (mac === only?.mac ? [device.id] : [])) };
  dataOf(await owner.calls.batches.start({ body: { ...body, action: 'clear' } }));
  await advanceRollout(server.deps.db, sent.id);
  expect((await now(sent)).rollout).toMatchObject({ state: 'paused', reason: 'stepWithdrawn', stage: 0 });
  expect(await reached(sent)).toEqual([]);
  const goOn = (stage: number) => owner.calls.releases.resume({ params: { id: sent.id }, body: { stage } });
  expect(dataOf(await goOn(0)).rollout).toMatchObject({ state: 'running', reason: null, stage: 1 });
  expect(await reached(sent)).toHaveLength(4);
});

test('a step whose devices were cleared during a pause pauses again; with the devices restored, it resumes as planned', async () => {
  const sent = await release();
  const [only] = await reached(sent);
  const ids = players.flatMap(({ mac, device }) => (mac === only?.mac ? [device.id] : []));
  const params = { id: sent.id };
  dataOf(await owner.calls.releases.pause({ params }));
  const { undo = '' } = dataOf(await owner.calls.batches.start({ body: { ids, action: 'clear' } }));
  const goOn = async () => dataOf(await owner.calls.releases.resume({ params, body: { stage: 0 } })).rollout;
  expect(await goOn()).toMatchObject({ state: 'paused', reason: 'stepWithdrawn', stage: 0 });
  dataOf(await owner.calls.batches.undo({ body: { undo } }));
  expect(await goOn()).toMatchObject({ state: 'running', stage: 0 });
  expect(await reached(sent)).toEqual([only]);
  await report([...(only ? [only] : [])], 'done');
  await become(sent, { state: 'running', stage: 1 });
});

test.each([
  ['falling shares', [{ percent: 50 }, { percent: 20 }, { percent: 100 }], 'stages.order'],
  ['a last step that does not reach all', [{ percent: 5 }, { percent: 50 }], 'stages.all'],
])('%s are refused with the reason', async (_, stages, rule) => {
  const body = { devices: { filter: {} }, stages };
  expect(await owner.calls.ads.release({ params: { id: ad.id }, body })).toMatchObject({
    code: 400,
    details: { fields: [{ rule }] },
  });
});
