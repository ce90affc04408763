import { furnish } from './house.ts';
import { signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';
import { type Browser, expect, type Page, test } from './stories.ts';

/** Columns of the tables on a desk, which are as wide in every language. */
const server = new RealServer({ port: 4950 });
const DESK = { viewport: { width: 1280, height: 800 }, hasTouch: false, serviceWorkers: 'block' } as const;
/** Those with the longest dates, times and states. */
const LANGUAGES = ['en', 'es', 'pt', 'vi', 'ru', 'ar'];
const ALL_LANGUAGES = [...LANGUAGES, 'fr', 'de', 'tr', 'ja', 'ko', 'zh'];

let lists: string[] = [];
let pages: string[] = [];

test.beforeAll(async () => {
  await server.start();
  await server.login();
  pages = await furnish(server);
  const starts = ['/mac', '/user', '/releases', '/campaigns', '/adlist/', '/matlist/'];
  lists = starts.map((start) => pages.find((address) => address.startsWith(start)) ?? start);
  await server.row(`update devices set paired_at = now(), last_seen_at = now() - interval '11 hours 20 minutes'`);
});
test.afterAll(() => server.end());

/** Runs in the page: the cells with a date, a time or a number whose end is not in view. */
function cutNumbers(): string[] {
  const cells = [...document.querySelectorAll<HTMLElement>('[role=gridcell]')];
  const isCut = (cell: HTMLElement): boolean => {
    const time = cell.querySelector('time');
    if (!time) return cell.scrollWidth > cell.clientWidth;
    const [inside, frame] = [time.getBoundingClientRect(), cell.getBoundingClientRect()];
    return inside.left < frame.left - 1 || inside.right > frame.right + 1;
  };
  return cells
    .filter((cell) => /\d/.test(cell.textContent) && !cell.querySelector('bdi') && isCut(cell))
    .map((cell) => cell.textContent);
}

/** By how much the table is wider than its frame. */
const overflowOf = (page: Page): Promise<number> =>
  page.getByRole('grid').evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 0));

/** Looks at each list on a desk in a language, when its rows are there. */
async function onEachList(
  browser: Browser,
  language: string,
  look: (page: Page, address: string) => Promise<void>,
  width: number = DESK.viewport.width,
): Promise<void> {
  const context = await signedInPhone(browser, server, { ...DESK, viewport: { ...DESK.viewport, width } });
  await context.addInitScript((lang) => localStorage.setItem('lang', lang), language);
  const page = await context.newPage();
  for (const address of lists) {
    await page.goto(address);
    await expect(page.getByTestId('row').first()).toBeVisible();
    await look(page, address);
  }
  await context.close();
}

for (const language of LANGUAGES) {
  test(`dates, times and numbers in tables are in view as a whole in ${language}`, async ({ browser }) => {
    await onEachList(browser, language, async (page, address) => {
      expect(await page.evaluate(cutNumbers), address).toEqual([]);
      expect(await overflowOf(page), address).toBe(0);
      await page.getByTestId('row').first().click();
      await expect(page.getByTestId('panel')).toBeVisible();
      await expect.poll(() => overflowOf(page), { message: `${address} beside a panel` }).toBe(0);
    });
  });
}

for (const width of [1024, 1100]) {
  for (const language of ['de', 'ru', 'ar']) {
    test(`tables on a desk of ${width} pixels show all of their columns in ${language}`, async ({ browser }) => {
      const look = async (page: Page, address: string) => {
        await expect.poll(() => overflowOf(page), { message: address }).toBe(0);
        expect(await page.evaluate(cutNumbers), address).toEqual([]);
        await page.getByTestId('row').first().click();
        await expect(page.getByTestId('panel')).toBeVisible();
        await expect.poll(() => overflowOf(page), { message: `${address} beside a panel` }).toBe(0);
      };
      await onEachList(browser, language, look, width);
    });
  }
}

for (const language of ALL_LANGUAGES) {
  test(`the heads of tables are in view as a whole in ${language}`, async ({ browser }) => {
    await onEachList(browser, language, async (page, address) => {
      const cut = await page.getByRole('columnheader').evaluateAll((all) => {
        const isCut = ({ scrollWidth, clientWidth }: Element) => scrollWidth > clientWidth + 1;
        return all
          .filter((head) => isCut(head) || [...head.querySelectorAll('.clip')].some(isCut))
          .map((head) => head.textContent);
      });
      expect(cut, address).toEqual([]);
    });
  });
}

for (const language of ALL_LANGUAGES) {
  test(`the words of states are in view as a whole on a desk of 1024 pixels in ${language}`, async ({ browser }) => {
    const look = async (page: Page, address: string): Promise<void> => {
      // A device has the time beside its word.
      if (address === '/mac') return;
      const words = await page
        .locator('[role=gridcell] [class*=badge]')
        .evaluateAll((all) =>
          all.filter((word) => word.scrollWidth > word.clientWidth + 1).map((word) => word.textContent),
        );
      expect(words, address).toEqual([]);
    };
    await onEachList(browser, language, look, 1024);
  });
}

test('layouts are drawn in the table of ads and on the tabs of files', async ({ browser }) => {
  const context = await signedInPhone(browser, server, DESK);
  const page = await context.newPage();
  await page.goto(pages.find((address) => address.startsWith('/adlist/')) ?? '');
  const ad = page.getByTestId('row').filter({ hasText: 'Two-split' });
  await expect(ad.locator('[data-region=top]')).toBeVisible();
  await expect(ad.locator('[data-region=bottom]')).toBeVisible();
  await page.goto(pages.find((address) => /^\/matlist\/.*\/1\/5$/.test(address)) ?? '');
  const tab = page.getByRole('link', { name: 'Two-split' });
  await expect(tab.locator('[data-region=top]')).toBeVisible();
  await expect(tab.locator('[data-region=bottom]')).toBeVisible();
  await context.close();
});

test('on the page of a device, its MAC address stays in its card on a narrow desk', async ({ browser }) => {
  const context = await signedInPhone(browser, server, { ...DESK, viewport: { width: 1024, height: 800 } });
  await context.addInitScript(() => localStorage.setItem('lang', 'de'));
  const page = await context.newPage();
  await page.goto(pages.find((address) => address.startsWith('/mac/')) ?? '');
  const copy = page.locator('dd button', { hasText: '02:00:5E' });
  await expect(copy).toBeVisible();
  const beyond = await copy.evaluate((button) => {
    const card = button.closest('section')?.getBoundingClientRect();
    return button.getBoundingClientRect().right - (card?.right ?? 0);
  });
  expect(beyond).toBeLessThanOrEqual(0);
  await context.close();
});
