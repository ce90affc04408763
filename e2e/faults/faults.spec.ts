import { expect, test } from '../stories.ts';
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

test('after kills at random moments, acknowledged objects exist exactly once, and nothing else', async () => {
  const found = await kill(4843, 3);
  expect(found.wrong).toEqual([]);
  expect(found.acknowledged.users).toBeGreaterThan(0);
  expect(found.acknowledged.plays).toBeGreaterThan(0);
});

test('while the database is disconnected, stopped, replaced or silent, users are asked to wait and devices keep playing', async () => {
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

test('disconnects hundreds of silent, slow or malformed sockets without affecting others', async () => {
  for (const { open, failed, goneAfterMs } of Object.values(await crowds(4846, 500))) {
    expect(open).toBeGreaterThan(0);
    expect(failed).toEqual([]);
    expect(goneAfterMs).toBeLessThan(60_000);
  }
});
