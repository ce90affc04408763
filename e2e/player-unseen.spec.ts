import { type Page, expect, test } from './stories.ts';
import { Stand, item, programme, shown } from './device.ts';

const stand = new Stand();

test.beforeAll(() => stand.start());
test.afterEach(() => stand.turnOff());
test.afterAll(() => stand.end());

/** Times at which plays began that the device has stored and not sent. */
const storedPlays = (page: Page): Promise<number[]> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('ams-player');
        opening.addEventListener('success', () => {
          const found = opening.result.transaction('plays').objectStore('plays').getAll();
          found.addEventListener('success', () => {
            opening.result.close();
            resolve(found.result.map((play: { at: string }) => Date.parse(play.at)));
          });
        });
      }),
  );

const sent = () => [...stand.server.batches.values()].flat().map((play) => Date.parse(Reflect.get(Object(play), 'at')));
const plays = async (page: Page) => [...(await storedPlays(page)), ...sent()];

/** Hides a page or shows it; answers when. A browser that a test drives takes every page for visible. */
const hide = (page: Page, hidden: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', { value, configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    return Date.now();
  }, hidden);

test('plays in a window that nobody can see do not count', async () => {
  const { page } = await stand.device('unseen');
  const [red, lime] = [stand.image('red'), stand.image('lime')];
  stand.release(programme({ full: [item(red), item(lime)] }));
  await page.goto(stand.address());
  await expect.poll(async () => (await plays(page)).length).toBeGreaterThan(2);
  const from = await hide(page, true);
  for (const { sha256 } of [red, lime, red, lime, red]) await expect.poll(() => shown(page)).toBe(sha256);
  const to = await hide(page, false);
  await expect.poll(async () => (await plays(page)).filter((at) => at > to).length).toBeGreaterThan(2);
  expect((await plays(page)).filter((at) => at > from && at < to)).toEqual([]);
});

test('of two windows of a screen, the one that can be seen counts', async () => {
  const { context, page } = await stand.device('unseen-first');
  stand.release(programme({ full: [item(stand.image('red'))] }));
  await page.goto(stand.address());
  await expect.poll(async () => (await plays(page)).length).toBeGreaterThan(2);
  const other = await context.newPage();
  await other.goto(stand.address());
  await expect.poll(() => shown(other)).not.toBeNull();
  const from = await hide(page, true);
  await expect.poll(async () => (await plays(other)).filter((at) => at > from).length).toBeGreaterThan(2);
  await hide(other, true);
  const again = await hide(page, false);
  await expect.poll(async () => (await plays(page)).filter((at) => at > again).length).toBeGreaterThan(2);
});

test('a hidden window reports nothing as shown, unless another window of its screen can be seen', async () => {
  const { context, page } = await stand.device('unseen-now');
  const [red, blue] = [stand.image('red'), stand.image('blue')];
  stand.release(programme({ full: [item(red), item(blue)] }));
  const main = () => stand.server.statuses.at(-1)?.playing?.main;
  stand.server.statuses.length = 0;
  await page.goto(stand.address());
  await expect.poll(() => main()?.sha256).toBe(red.sha256);
  await hide(page, true);
  await expect.poll(main).toBeNull();
  const other = await context.newPage();
  await other.goto(stand.address());
  await expect.poll(() => main()?.sha256).toBe(red.sha256);
  await expect.poll(() => main()?.sha256).toBe(blue.sha256);
  const reports = stand.server.statuses.length;
  await expect.poll(() => stand.server.statuses.length).toBeGreaterThan(reports + 5);
  expect(stand.server.statuses.slice(reports).map(({ playing }) => playing?.main)).not.toContain(null);
  await hide(other, true);
  await expect.poll(main).toBeNull();
  await hide(page, false);
  await expect.poll(() => main()?.sha256).toBe(red.sha256);
  await hide(other, false);
  await other.close();
  await expect.poll(() => main()?.sha256).toBe(blue.sha256);
});
