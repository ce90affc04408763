import { randomUUID } from 'node:crypto';
import { Play, type Programme } from '@ams/contract';
import type { Page } from '@playwright/test';
import { Stand, item, programme, state } from './device.ts';
import { Film, type Sample, isBlack } from './glass.ts';
import { expect, test } from './stories.ts';

const stand = new Stand();

test.beforeAll(() => stand.start());
test.afterEach(() => stand.turnOff());
test.afterAll(() => stand.end());

const SPOT_MS = 1000;
const RUN_MS = 45_000;

type Colour = 'red' | 'lime' | 'blue' | 'white' | 'yellow';

const release = (colours: Colour[], over: Partial<Programme>): Programme =>
  programme({ full: colours.map((colour) => item(stand.image(colour), SPOT_MS)) }, { replace: false, ...over });

/** All plays that were reported, in order. */
const reported = (): Play[] =>
  [...stand.server.batches]
    .flatMap(([, plays]) => Play.array().parse(plays))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));

const isOn = (level: number): boolean => level > 127;

/** How often a colour came on screen. */
function showings(film: readonly Sample[], wanted: [red: boolean, green: boolean, blue: boolean]): number {
  const shows = film.map(({ red, green, blue }) => [isOn(red), isOn(green), isOn(blue)].join() === wanted.join());
  return shows.filter((is, index) => is && !shows[index - 1]).length;
}

/** Records the screen from the first picture on. */
async function watch(page: Page): Promise<Sample[]> {
  await page.goto(stand.address());
  await expect.poll(() => state(page)).toBe('playing');
  const film = await Film.of(page);
  await page.waitForTimeout(RUN_MS);
  return film.stop();
}

test('two campaigns keep their pace beside the fill, on the glass and in the reports, also over a restart', async () => {
  test.setTimeout(240_000);
  const { context, page } = await stand.device('campaigns');
  const from = new Date().toISOString();
  const single = release(['blue'], { pace: { everyMs: 8000, from } });
  const shared = { everyMs: 20_000, from, campaignId: randomUUID() };
  const pair = [release(['white'], { pace: shared }), release(['yellow'], { pace: shared })];
  const fill = [release(['red', 'lime'], { replace: true }), release(['lime'], {})];
  stand.release(single, ...fill, ...pair);

  const first = await watch(page);
  await page.close();
  const second = await watch(await context.newPage());
  const until = Date.now();
  const isReported = () => Date.parse(reported().at(-1)?.at ?? from) > until;
  await expect.poll(isReported, { timeout: 60_000 }).toBe(true);

  const plays = reported().filter(({ at }) => Date.parse(at) < until);
  const count = (ids: string[]) => plays.filter(({ releaseId }) => ids.includes(releaseId)).length;
  const openMs = until - Date.parse(from);
  const pairIds = pair.map(({ releaseId }) => releaseId);
  for (const [ids, everyMs] of [
    [[single.releaseId], 8000],
    [pairIds, 10_000],
  ] as const) {
    // One spot may be on screen, and one wait for the item before it.
    expect(Math.abs(count([...ids]) - openMs / everyMs), `every ${everyMs} ms`).toBeLessThanOrEqual(2);
  }
  expect(Math.abs(count(pairIds.slice(0, 1)) - count(pairIds.slice(1)))).toBeLessThanOrEqual(1);
  expect(count(fill.map(({ releaseId }) => releaseId))).toBeGreaterThan(plays.length / 2);

  const campaigns = plays.map(({ releaseId }) => (pairIds.includes(releaseId) ? 'pair' : releaseId));
  const fills = new Set(fill.map(({ releaseId }) => releaseId));
  for (const [index, id] of campaigns.entries()) if (!fills.has(id)) expect(campaigns[index + 1]).not.toBe(id);

  for (const film of [first, second]) expect(film.filter(isBlack)).toEqual([]);
  const seen = (wanted: [boolean, boolean, boolean]) => showings(first, wanted) + showings(second, wanted);
  // The films begin after the first picture, and the restart cuts an item.
  expect(Math.abs(seen([false, false, true]) - count([single.releaseId]))).toBeLessThanOrEqual(2);
  expect(Math.abs(seen([true, true, true]) + seen([true, true, false]) - count(pairIds))).toBeLessThanOrEqual(3);
});
