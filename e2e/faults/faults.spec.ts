import { expect, test } from '@playwright/test';
import { crowds } from './crowd.ts';
import { type Away, database } from './database.ts';
import { kill } from './kill.ts';
import { rolling } from './rolling.ts';

/** The scripts of this folder in small: what they find is the same, only less of it. */

test('each of two processes is restarted while devices play and an operator works: nobody notices', async () => {
  const found = await rolling(4840, 10, 2);
  expect(found.failed).toEqual([]);
  expect(found.uploads).toBeGreaterThan(0);
  expect(found.slowestStopMs).toBeLessThan(15_000);
  expect(found.longestOfflineMs).toBeLessThan(10_000);
  expect(found.plays.stored).toBe(found.plays.acknowledged);
});

test('the server is killed at random moments: what was acknowledged is there, once, and nothing else', async () => {
  const found = await kill(4843, 3);
  expect(found.wrong).toEqual([]);
  expect(found.acknowledged.users).toBeGreaterThan(0);
  expect(found.acknowledged.plays).toBeGreaterThan(0);
});

test('the database is cut off, stopped, replaced by its standby, silent: people are told to wait, devices play on', async () => {
  test.setTimeout(240_000);
  const found = await database(4844, 3000);
  expect(found.wrong).toEqual([]);
  const ways: Away[] = [found.cut, found.stopped, found.failedOver, found.silent];
  for (const { answers, backAfterMs, channelsLost } of ways) {
    expect(Object.keys(answers).filter((answer) => answer !== '200' && answer !== '503')).toEqual([]);
    expect(backAfterMs).toBeLessThan(30_000);
    expect(channelsLost).toBe(0);
  }
  expect(found.acknowledged.plays).toBeGreaterThan(0);
});

test('hundreds of sockets that say nothing, little or nonsense are in nobody’s way and are cut off', async () => {
  for (const { open, failed, goneAfterMs } of Object.values(await crowds(4846, 500))) {
    expect(open).toBeGreaterThan(0);
    expect(failed).toEqual([]);
    expect(goneAfterMs).toBeLessThan(60_000);
  }
});
