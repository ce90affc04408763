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

test('plays in a window that nobody can see do not count', async () => {
  const { page } = await stand.device('unseen');
  const [red, lime] = [stand.image('red'), stand.image('lime')];
  stand.release(programme({ full: [item(red), item(lime)] }));
  await page.goto(stand.address());
  // A browser that a test drives takes every page for visible.
  const hide = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      return Date.now();
    }, hidden);
  const sent = () =>
    [...stand.server.batches.values()].flat().map((play) => Date.parse(Reflect.get(Object(play), 'at')));
  const plays = async () => [...(await storedPlays(page)), ...sent()];
  await expect.poll(async () => (await plays()).length).toBeGreaterThan(2);
  const from = await hide(true);
  for (const { sha256 } of [red, lime, red, lime, red]) await expect.poll(() => shown(page)).toBe(sha256);
  const to = await hide(false);
  await expect.poll(async () => (await plays()).filter((at) => at > to).length).toBeGreaterThan(2);
  expect((await plays()).filter((at) => at > from && at < to)).toEqual([]);
});
