import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StatusMessage } from '@ams/contract';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { makeDevice, pairedDevice } from '../../test/device.ts';
import { addPictureAd } from '../../test/media.ts';
import { dataOf, startTestServer } from '../../test/server.ts';

const server = await startTestServer();
const { db } = server.deps;

/** A device with a release. */
async function scene() {
  const owner = await server.createUser('member');
  const device = await pairedDevice(server, owner);
  const { id } = device.device;
  const ad = await addPictureAd(server, owner);
  dataOf(await owner.calls.ads.release({ params: { id: ad.id }, body: { devices: { ids: [id] } } }));
  const { version: manifestVersion } = await device.manifest();
  return {
    ...{ owner, device, id },
    report: (state: 'downloading' | 'done', doneBytes: number): StatusMessage => ({
      type: 'status',
      ...{ manifestVersion, download: { state, doneBytes, totalBytes: 100 } },
    }),
    download: async () => dataOf(await owner.calls.devices.get({ params: { id } })).download,
  };
}

/** Statements that wait for a lock of another transaction. */
const areWaiting = (count: number): Promise<void> =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    expect(rows).toHaveLength(count);
  });

test('a report that is on its way while its device is replaced says nothing about the new one', async () => {
  const { owner, device, id, report, download } = await scene();
  const { code } = await makeDevice(server, device.mac).enrol();
  const held = await db.startTransaction().execute();
  await sql`select from devices where id = ${id} for update`.execute(held);
  const pairing = owner.calls.devices.pair({ body: { mac: device.mac, code } });
  await areWaiting(1);
  const late = device.calls.player.status({ body: report('done', 100) });
  await areWaiting(2);
  await held.commit().execute();
  expect(dataOf(await pairing).replaced).not.toBeNull();
  const reply = await late;
  expect(await download()).toMatchObject({ state: 'waiting', doneBytes: 0 });
  expect(reply).toMatchObject({ code: 401 });
});

test('a report that waits for its turn when the device has another connection is not later than those of that one', async () => {
  const { device, report, download } = await scene();
  const before = await device.open();
  await before.next();
  before.status(report('downloading', 10));
  await vi.waitFor(async () => expect((await download()).doneBytes).toBe(10));
  before.status(report('downloading', 20));
  // The server has read what came before the pong.
  before.socket.ping();
  await once(before.socket, 'pong');
  const after = await device.open();
  after.status(report('done', 100));
  await vi.waitFor(async () => expect((await download()).state).toBe('done'));
  // Statuses are taken once a second.
  await sleep(1200);
  expect(await download()).toMatchObject({ state: 'done', doneBytes: 100 });
  await after.close();
});

test('a report over the connection counts although it was the last one there, if another came over HTTP meanwhile', async () => {
  const { device, report, download } = await scene();
  const becomes = (state: string): Promise<void> =>
    vi.waitFor(async () => expect((await download()).state).toBe(state));
  const before = await device.open();
  before.status(report('done', 100));
  await becomes('done');
  await before.close();
  dataOf(await device.calls.player.status({ body: report('downloading', 50) }));
  await becomes('waiting');
  const after = await device.open();
  after.status(report('done', 100));
  await becomes('done');
  await after.close();
});
