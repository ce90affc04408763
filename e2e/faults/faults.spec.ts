import { expect, test } from '@playwright/test';
import { kill } from './kill.ts';
import { rolling } from './rolling.ts';

/** The scripts of this folder in small: what they find is the same, only less of it. */

test('each of two processes is restarted while machines play and an operator works: nobody notices', async () => {
  const found = await rolling(4660, 10, 2);
  expect(found.failed).toEqual([]);
  expect(found.uploads).toBeGreaterThan(0);
  expect(found.slowestStopMs).toBeLessThan(15_000);
  expect(found.longestOfflineMs).toBeLessThan(10_000);
  expect(found.plays.stored).toBe(found.plays.acknowledged);
});

test('the server is killed at random moments: what was acknowledged is there, once, and nothing else', async () => {
  const found = await kill(4665, 3);
  expect(found.wrong).toEqual([]);
  expect(found.acknowledged.users).toBeGreaterThan(0);
  expect(found.acknowledged.plays).toBeGreaterThan(0);
});
