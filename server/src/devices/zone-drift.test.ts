import { expect, test } from 'vitest';
import { pairedDevice } from '../../test/device.ts';
import { startTestServer } from '../../test/server.ts';
import { findDriftedZones } from './zone-drift.ts';

const server = await startTestServer();

test('a zone whose clock the database knows otherwise is named, also if it differs in some months only', async () => {
  const { db } = server.deps;
  const { device } = await pairedDevice(server, await server.login());
  const now = Date.parse('2026-01-15T12:00Z');
  const summer = Date.parse('2026-07-15T12:00Z');
  const name = async (time_zone: string) => {
    await db.updateTable('devices').set({ time_zone }).where('id', '=', device.id).execute();
  };
  await name('Europe/Berlin');
  expect(await findDriftedZones(db, now)).toEqual([]);
  // A country that keeps its winter time all year, as far as this process knows.
  const kept = (instant: number) => instant + (instant === summer ? 1 : 2) * 3_600_000;
  const shown = await findDriftedZones(db, summer, kept);
  expect(shown).toEqual(['Europe/Berlin']);
  await name('Asia/Kathmandu');
  expect(await findDriftedZones(db, now)).toEqual([]);
});
