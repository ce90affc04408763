import { DESK, signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';
import { type Browser, expect, type Page, test } from './stories.ts';

/** Lists that are printed by the keys or the menu of the browser. */
const server = new RealServer({ port: 4956 });
const ROWS = 60;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  await server.addScreens(ROWS);
});
test.afterAll(() => server.end());

async function open(browser: Browser, options: object): Promise<Page> {
  const context = await signedInPhone(browser, server, { serviceWorkers: 'block', ...options });
  const page = await context.newPage();
  await page.addInitScript(() => localStorage.setItem('ams_theme', JSON.stringify('dark')));
  await page.goto('/mac');
  return page;
}

for (const { form, row, options } of [
  { form: 'a table', row: 'row', options: DESK },
  { form: 'cards', row: 'device', options: {} },
]) {
  test(`a list of ${form} is printed with all its rows, one below the other, and without the menu`, async ({
    browser,
  }) => {
    const page = await open(browser, options);
    const rows = page.getByTestId(row);
    await expect(rows.filter({ hasText: 'Screen 001' })).toBeVisible();
    // All of them are loaded.
    if (form === 'cards') await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect(page.getByText('No more')).toBeAttached();
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeHidden();
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    const edges = await rows.evaluateAll((all) =>
      all.map((each) => each.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom] as const),
    );
    expect(edges).toHaveLength(ROWS);
    for (const [index, [top]] of edges.entries())
      expect(top).toBeGreaterThanOrEqual(edges[index - 1]?.[1] ?? -Infinity);
    // A box that scrolls would cut them off.
    expect(await page.evaluate(() => document.documentElement.scrollHeight - scrollY)).toBeGreaterThanOrEqual(
      edges.at(-1)?.[1] ?? Infinity,
    );
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await expect(rows).not.toHaveCount(ROWS);
    await page.context().close();
  });
}

test('the charts of the home page are printed in the colors of the light theme', async ({ browser }) => {
  const page = await open(browser, DESK);
  await page.goto('/');
  const chart = page.getByRole('img', { name: /^Devices online/ }).locator('canvas');
  await expect(chart).toBeVisible();
  /** Whether the lines of the chart, which are the same everywhere along their length, have this color. */
  const hasLines = (color: readonly [number, number, number]) =>
    chart.evaluate((canvas: HTMLCanvasElement, wanted) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      let found = 0;
      for (let at = 0; at < data.length; at += 4)
        if (wanted.every((part, channel) => data[at + channel] === part) && data[at + 3] === 255) found += 1;
      return found > canvas.width / 2;
    }, color);
  const [DARK, LIGHT] = [[0x26, 0x2d, 0x3a] as const, [0xe3, 0xe7, 0xef] as const];
  await expect.poll(() => hasLines(DARK)).toBe(true);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await hasLines(LIGHT)).toBe(true);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  expect(await hasLines(DARK)).toBe(true);
  await page.context().close();
});
