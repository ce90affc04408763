import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { type Bystanders, gatherBystanders, Scene } from '../../test/scene.ts';
import { startTestServer } from '../../test/server.ts';
import type { Db } from '../platform/database/database.ts';

/** What a release and its devices refer to exists, as with foreign keys; triggers check many rows at once. */
const server = await startTestServer();
const { db } = server.deps;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const MISSING = { code: '23503' };

let bystanders: Bystanders;
let scene: Scene;
let releaseId: string;
beforeAll(async () => {
  bystanders = await gatherBystanders(server);
});
beforeEach(async () => {
  scene = await Scene.begin(server, bystanders);
  ({ id: releaseId } = await scene.release());
});

const put = (trx: Db, release: string, ...devices: string[]): Promise<unknown> =>
  sql`insert into release_devices (release_id, device_id, stage, revision, started_at)
    select ${release}::uuid, id, 0, 1, now() from unnest(${devices}::uuid[]) id
    on conflict do nothing`.execute(trx);

const deleteDevice = (device: string): Promise<unknown> => sql`delete from devices where id = ${device}`.execute(db);

const rowsOf = async (device: string): Promise<number> => {
  const { rows } = await sql`select from release_devices where device_id = ${device}`.execute(db);
  return rows.length;
};

test('a release on a device that does not exist is refused, with all others of the statement', async () => {
  const [device = ''] = await scene.deviceIds();
  await sql`delete from release_devices where device_id = ${device}`.execute(db);
  await expect(put(db, releaseId, device, UNKNOWN)).rejects.toMatchObject(MISSING);
  await expect(put(db, UNKNOWN, device)).rejects.toMatchObject(MISSING);
  expect(await rowsOf(device)).toBe(0);
});

test('a deleted device and a deleted release leave no rows', async () => {
  const [one = '', other = ''] = await scene.deviceIds();
  await deleteDevice(one);
  expect([await rowsOf(one), await rowsOf(other)]).toEqual([0, 1]);
  await sql`delete from releases where id = ${releaseId}`.execute(db);
  expect(await rowsOf(other)).toBe(0);
});

test('a device stays until the release that is put on it is complete', async () => {
  const [device = ''] = await scene.deviceIds();
  await sql`delete from release_devices where device_id = ${device}`.execute(db);
  const order: string[] = [];
  let deletion: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    await put(trx, releaseId, device);
    deletion = deleteDevice(device).then(() => order.push('deleted'));
    await until(async () => (await waiting()) > 0);
    order.push('complete');
  });
  await deletion;
  expect(order).toEqual(['complete', 'deleted']);
  expect(await rowsOf(device)).toBe(0);
});

test('a release on a device that is being deleted waits, and is refused', async () => {
  const [device = ''] = await scene.deviceIds();
  let refused: Promise<unknown> = Promise.resolve();
  await db.transaction().execute(async (trx) => {
    await sql`delete from devices where id = ${device}`.execute(trx);
    refused = put(db, releaseId, device).catch((error: unknown) => error);
    await until(async () => (await waiting()) > 0);
  });
  expect(await refused).toMatchObject(MISSING);
  expect(await rowsOf(device)).toBe(0);
});

/** Statements of this database that wait for a lock of another transaction. */
async function waiting(): Promise<number> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.length;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  await expect.poll(holds, { timeout: 20_000 }).toBe(true);
}
