import { type Page, expect, test } from './stories.ts';
import { Stand, item, programme, shown, state } from './device.ts';
import { Film, type Sample } from './glass.ts';

const stand = new Stand();

test.beforeAll(() => stand.start());
test.afterEach(() => stand.turnOff());
test.afterAll(() => stand.end());

const ITEM_MS = 3000;
/** Chromium waits up to five minutes for the requests of the active worker, also for one that a reload has cut off. */
const TAKEOVER_MS = 330_000;
/** Of a story that waits for it. */
const STORY_MS = TAKEOVER_MS + 120_000;

/** Whether a file of the programme fills the screen, not black or a page of the player. */
const isContent = ({ red, green, blue }: Sample): boolean => Math.max(red, green, blue) > 150;

/** A device that plays two videos and whose page the service worker serves. */
async function playing(name: string): Promise<Page> {
  const { page } = await stand.device(name);
  const files = [stand.video('red', ITEM_MS / 1000), stand.video('lime', ITEM_MS / 1000)];
  stand.release(programme({ full: files.map((file) => item(file, ITEM_MS)) }));
  await page.goto(stand.address());
  await expect.poll(() => state(page)).toBe('playing');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await expect.poll(() => shown(page), { intervals: [30] }).toBe(files[1]?.sha256);
  await page.evaluate(() => Object.assign(window, { isOld: true }));
  return page;
}

const isOld = (page: Page) => page.evaluate(() => 'isOld' in window).catch(() => true);

/** The server has another version of the player, and the device looks for it. */
async function update(page: Page): Promise<void> {
  stand.server.playerVersion += 1;
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update();
  });
}

test('a new version takes over between two items, and the screen always shows content', async () => {
  test.setTimeout(STORY_MS);
  const page = await playing('update');
  const film = await Film.of(page);
  const plays = () => [...stand.server.batches.values()].flat().length;
  await update(page);
  await expect.poll(() => isOld(page), { timeout: TAKEOVER_MS }).toBe(false);
  await expect.poll(() => state(page)).toBe('playing');
  const before = plays();
  await page.waitForTimeout(ITEM_MS);
  const samples = await film.stop();
  expect(samples.length).toBeGreaterThan(3);
  expect(samples.filter((sample) => !isContent(sample))).toEqual([]);
  await expect.poll(plays, { timeout: 40_000 }).toBeGreaterThan(before);
});

test('a device that cannot read the manifest of a newer server looks for the new player at once, not within the hour', async () => {
  const page = await playing('unreadable');
  const asked = stand.server.workerCalls;
  await page.waitForTimeout(ITEM_MS);
  expect(stand.server.workerCalls).toBe(asked);
  stand.server.newer = true;
  stand.release(programme({ full: [item(stand.video('blue', ITEM_MS / 1000), ITEM_MS)] }));
  await expect.poll(() => stand.server.workerCalls).toBeGreaterThan(asked);
  stand.server.newer = false;
  await expect.poll(() => stand.server.statuses.at(-1)?.manifestVersion).toBe(String(stand.server.version));
});

test('a device without TLS gets the new player then', async () => {
  const origin = stand.address().replace('127.0.0.1', 'ams.test');
  const { page } = await stand.device('plain', undefined, ['--host-resolver-rules=MAP ams.test 127.0.0.1']);
  stand.release(programme({ full: [item(stand.video('red', ITEM_MS / 1000), ITEM_MS)] }));
  await page.goto(origin);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  await expect.poll(() => state(page)).toBe('playing');
  await page.evaluate(() => Object.assign(window, { isOld: true }));
  stand.server.otherPage = (await ownPage()).replace(/(\/player\/assets\/index-[^"]+\.js)"/, '$1?2"');
  stand.server.newer = true;
  stand.release(programme({ full: [item(stand.video('blue', ITEM_MS / 1000), ITEM_MS)] }));
  await expect.poll(() => isOld(page)).toBe(false);
  stand.server.newer = false;
  await expect.poll(() => stand.server.statuses.at(-1)?.manifestVersion).toBe(String(stand.server.version));
  await test.step('a page that is the newest stays', async () => {
    await expect.poll(() => state(page)).toBe('playing');
    await page.evaluate(() => Object.assign(window, { isOld: true }));
    stand.server.newer = true;
    stand.release(programme({ full: [item(stand.video('lime', ITEM_MS / 1000), ITEM_MS)] }));
    const asked = stand.server.pageCalls;
    await expect.poll(() => stand.server.pageCalls).toBeGreaterThan(asked + 1);
    // Long enough for a moment between two items.
    await page.waitForTimeout(2 * ITEM_MS);
    expect(await isOld(page)).toBe(true);
  });
  stand.server.newer = false;
  stand.server.otherPage = undefined;
});

const ownPage = async (): Promise<string> => (await fetch(stand.address())).text();

for (const [title, otherPage] of [
  ['the page of another version', async () => (await ownPage()).replaceAll('/player/assets/', '/player/assets/other-')],
  ['a page of a proxy', async () => '<!doctype html><title>We are back soon</title>'],
] as const) {
  test(`an update that gets ${title} is left for later, and the player starts as before`, async () => {
    test.setTimeout(STORY_MS);
    const page = await playing('mixed');
    stand.server.otherPage = await otherPage();
    const ended = page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const { promise, resolve } = Promise.withResolvers<string>();
      registration.addEventListener('updatefound', () => {
        const worker = registration.installing;
        worker?.addEventListener('statechange', () => resolve(worker.state));
      });
      return promise;
    });
    await update(page);
    expect(await ended).toBe('redundant');
    await page.reload();
    await expect.poll(() => state(page)).toBe('playing');

    stand.server.otherPage = undefined;
    await page.evaluate(() => Object.assign(window, { isOld: true }));
    await update(page);
    await expect.poll(() => isOld(page), { timeout: TAKEOVER_MS }).toBe(false);
    await expect.poll(() => state(page)).toBe('playing');
  });
}

test('a page of a version that cannot choose the moment is taken over by the new version at once', async () => {
  test.setTimeout(STORY_MS);
  const page = await playing('old');
  // An earlier player: it does not answer the new worker's message.
  await page.evaluate(() => {
    navigator.serviceWorker.addEventListener('message', (event) => event.stopImmediatePropagation(), true);
  });
  await page.evaluate(() => {
    navigator.serviceWorker.addEventListener('controllerchange', () => Object.assign(window, { isTakenOver: true }));
  });
  await update(page);
  await page.waitForFunction(() => 'isTakenOver' in window || !('isOld' in window), undefined, {
    timeout: TAKEOVER_MS,
  });
});

test('a reload shows the last frame until the first new one, and the standby page only when nothing is stored', async () => {
  const page = await playing('reload');
  const film = await Film.of(page);
  await stand.stop();
  await page.evaluate(() => new BroadcastChannel('ams-player').postMessage({ type: 'restart' }));
  await expect.poll(() => isOld(page), { timeout: 60_000 }).toBe(false);
  await expect.poll(() => state(page)).toBe('playing');
  const samples = await film.stop();
  expect(samples.filter((sample) => !isContent(sample))).toEqual([]);
  await stand.back();
});
