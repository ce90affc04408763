import { addDays } from '@ams/contract';
import { axeOn } from './axe.ts';
import { furnish } from './house.ts';
import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { type Browser, expect, type Locator, type Page, test } from './stories.ts';

/** Lists on a desk: dense tables that are sorted, selected from and opened beside. */
const server = new RealServer({ port: 4850 });
const DESK = { viewport: { width: 1280, height: 800 }, hasTouch: false, serviceWorkers: 'block' } as const;
const DEVICES = 120;
/** Rows that a table shows at once on a desk of this size. */
const DENSE = 40;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  for (let n = 1; n <= DEVICES; n++) {
    const mac = `02005e${n.toString(16).padStart(6, '0')}`;
    // Every name comes twice, and every third device has no area.
    const name = `Screen ${Math.ceil(n / 2)}`;
    dataOf(await server.calls.devices.create({ body: { mac, name, area: n % 3 === 0 ? null : `Area ${n % 7}` } }));
  }
});
test.afterAll(() => server.end());

async function openDesk(browser: Browser, address: string, language = 'en'): Promise<Page> {
  const context = await signedInPhone(browser, server, DESK);
  await context.addInitScript((lang) => localStorage.setItem('lang', lang), language);
  const page = await context.newPage();
  await page.goto(address);
  await expect(rows(page).first()).toBeVisible();
  return page;
}

const grid = (page: Page): Locator => page.getByRole('grid');
const rows = (page: Page): Locator => page.getByTestId('row');
const panel = (page: Page): Locator => page.getByTestId('panel');
const selected = (page: Page): Locator => page.locator('[role=row][aria-selected=true]');
const head = (page: Page, name: string): Locator => page.getByRole('columnheader', { name, exact: true });

const namesOf = async (page: Page): Promise<string[]> =>
  rows(page).evaluateAll((all) =>
    all
      .toSorted((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
      .map((row) => row.querySelectorAll('[role=gridcell]')[1]?.textContent ?? ''),
  );

/** How many rows fit below the heads of a table. */
const roomFor = (box: { height: number } | null): number => Math.floor(((box?.height ?? 0) - 26) / 17);

/** Rows that are in view as a whole. */
const rowsInView = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const box = document.querySelector('[role=grid]')?.parentElement?.getBoundingClientRect();
    const top = document.querySelector('[role=columnheader]')?.getBoundingClientRect().bottom ?? 0;
    return [...document.querySelectorAll('[data-testid=row]')].filter((row) => {
      const place = row.getBoundingClientRect();
      return place.top >= top - 1 && place.bottom <= (box?.bottom ?? 0) + 1;
    }).length;
  });

/** Runs in the page: the time of the device list that is kept, and the rows of its pages. */
async function pagesKept(): Promise<{ updatedAt: number; rows: number[] } | undefined> {
  const kept = await (await caches.match('/last-data', { ignoreSearch: true }))?.json();
  for (const { queryKey, state } of kept?.state.queries ?? []) {
    if (queryKey[0] !== 'devices' || queryKey[1] !== 'list' || !state.data.pages) continue;
    return { updatedAt: state.dataUpdatedAt, rows: state.data.pages.map(({ items }: { items: [] }) => items.length) };
  }
  return undefined;
}

test('forty devices are in view, and more come while scrolling', async ({ browser }) => {
  const page = await openDesk(browser, '/mac');
  expect(await rowsInView(page)).toBeGreaterThanOrEqual(DENSE);
  await grid(page).focus();
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.getByText('No more')).toBeInViewport({ timeout: 1000 });
  }).toPass();
  await expect(page.getByTestId('row').filter({ hasText: '02:00:5E:00:00:01' })).toBeVisible();
  await page.context().close();
});

test('of a list that was scrolled to its end, the first pages are kept for a time without a network', async ({
  browser,
}) => {
  const page = await openDesk(browser, '/mac');
  let askedAt = Infinity;
  await page.route(/\/api\/devices\?.*cursor=/, async (route) => {
    askedAt = Date.now();
    await route.continue();
  });
  await grid(page).focus();
  await expect(async () => {
    await page.keyboard.press('End');
    await expect(page.getByText('No more')).toBeInViewport({ timeout: 1000 });
  }).toPass();
  const kept = () => page.evaluate(pagesKept);
  await expect.poll(async () => Number((await kept())?.updatedAt)).toBeGreaterThanOrEqual(askedAt);
  expect((await kept())?.rows).toEqual([50, 50]);
  await page.context().close();
});

test('a table that is loading, or could not be loaded, takes the room of its rows', async ({ browser }) => {
  const context = await signedInPhone(browser, server, DESK);
  const page = await context.newPage();
  const seen = Promise.withResolvers<void>();
  await page.route(/\/api\/devices\?/, async (route) => {
    await seen.promise;
    await route.abort();
  });
  await page.goto('/mac');
  const wide = 900;
  const loading = page.getByRole('status', { name: 'Loading' });
  await expect(loading).toBeVisible();
  expect((await loading.boundingBox())?.width).toBeGreaterThan(wide);
  seen.resolve();
  const failure = page.getByRole('alert').filter({ has: page.getByRole('heading') });
  await expect(failure).toBeVisible();
  expect((await failure.boundingBox())?.width).toBeGreaterThan(wide);
  expect((await failure.getByRole('button').boundingBox())?.height).toBeLessThan(60);
  await context.close();
});

test('a head sorts by click and by key, in the address, which survives reload and back', async ({ browser }) => {
  const page = await openDesk(browser, '/mac');
  await expect(head(page, 'Added')).toHaveAttribute('aria-sort', 'descending');
  await head(page, 'Name').getByRole('button').click();
  await expect(page).toHaveURL(/\?sort=name$/);
  await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'ascending');
  await expect(async () => {
    expect((await namesOf(page)).slice(0, 5)).toEqual(['Screen 1', 'Screen 1', 'Screen 2', 'Screen 2', 'Screen 3']);
  }).toPass();
  await head(page, 'Name').getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'descending');
  await expect(async () => {
    expect((await namesOf(page)).slice(0, 3)).toEqual(['Screen 60', 'Screen 60', 'Screen 59']);
  }).toPass();
  await page.reload();
  await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'descending');
  expect((await namesOf(page))[0]).toBe('Screen 60');
  await page.getByRole('link', { name: 'File management' }).click();
  await expect(page.getByRole('heading', { name: 'File management' })).toBeVisible();
  await page.goBack();
  await expect(head(page, 'Name')).toHaveAttribute('aria-sort', 'descending');
  await page.context().close();
});

test('Shift selects a range by mouse and keyboard, and a batch takes it', async ({ browser }) => {
  const page = await openDesk(browser, '/mac?sort=name');
  await rows(page).nth(2).click();
  await panel(page).getByRole('button', { name: 'Close' }).click();
  await rows(page)
    .nth(6)
    .click({ modifiers: ['Shift'] });
  await expect(selected(page)).toHaveCount(5);
  await expect(page.getByRole('toolbar')).toContainText('5 selected');
  await rows(page)
    .nth(9)
    .click({ modifiers: ['ControlOrMeta'] });
  await expect(selected(page)).toHaveCount(6);
  await grid(page).focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(selected(page)).toHaveCount(3);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  await expect(selected(page)).toHaveCount(4);
  await page.getByRole('toolbar').getByRole('button', { name: 'Actions' }).click();
  await expect(page.getByRole('dialog', { name: '4 devices' })).toBeVisible();
  await page.keyboard.press('Escape');
  await grid(page).focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByRole('toolbar')).toContainText(/\d{2,3} selected/);
  await page.keyboard.press('Escape');
  await expect(selected(page)).toHaveCount(0);
  await expect(page.getByRole('toolbar')).toHaveCount(0);
  await page.context().close();
});

test('a panel shows a device beside the list, in the address; a change in it shows in the list', async ({
  browser,
}) => {
  const page = await openDesk(browser, '/mac?sort=name');
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(panel(page).getByRole('heading', { name: 'Screen 1', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/open=[\da-f-]{36}/);
  expect((await panel(page).boundingBox())?.width).toBe(400);
  await page.reload();
  await expect(panel(page)).toContainText('About this device');

  await panel(page).getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Aardvark');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(rows(page).filter({ hasText: 'Aardvark' })).toHaveAttribute('aria-rowindex', '2');

  await grid(page).focus();
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
  await rows(page).nth(4).click();
  await expect(panel(page)).toBeVisible();
  await page.goBack();
  await expect(panel(page)).toHaveCount(0);
  await rows(page).nth(4).click();
  await panel(page).getByRole('link', { name: 'Open page' }).click();
  await expect(page).toHaveURL(/\/mac\/[\da-f-]{36}$/);
  await page.goBack();
  await expect(panel(page)).toBeVisible();
  await page.context().close();
});

test('users, ads, files and releases are tables too: each sorts, selects a range and opens beside', async ({
  browser,
}) => {
  const addresses = await furnish(server);
  const pathOf = (start: string): string => addresses.find((address) => address.startsWith(start)) ?? start;
  const lists = [
    { path: '/user', by: 'Username' },
    { path: pathOf('/adlist/'), by: 'Name' },
    { path: pathOf('/matlist/'), by: 'Size' },
    { path: '/releases', by: 'Released by' },
  ];
  for (const { path, by } of lists) {
    const page = await openDesk(browser, path);
    const box = await grid(page).locator('..').boundingBox();
    expect(roomFor(box)).toBeGreaterThanOrEqual(DENSE - 2);
    await head(page, by).getByRole('button').click();
    await expect(head(page, by)).toHaveAttribute('aria-sort', 'ascending');
    await grid(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await expect(selected(page)).toHaveCount(await rows(page).count());
    await expect(page.getByRole('toolbar')).toBeVisible();
    await page.keyboard.press('Escape');
    await rows(page).first().click();
    await expect(panel(page).getByRole('heading').first()).not.toBeEmpty();
    await page.goBack();
    await expect(panel(page)).toHaveCount(0);
    await page.context().close();
  }
});

for (const language of ['en', 'ar', 'zh'] as const) {
  test(`the table has no violation and stands the right way in ${language}`, async ({ browser }) => {
    const page = await openDesk(browser, '/mac', language);
    await rows(page).nth(1).click();
    await rows(page)
      .nth(4)
      .click({ modifiers: ['Shift'] });
    await expect(selected(page)).toHaveCount(4);
    const [table, side] = await Promise.all([grid(page).boundingBox(), panel(page).boundingBox()]);
    const isMirrored = (side?.x ?? 0) < (table?.x ?? 0);
    expect(isMirrored).toBe(language === 'ar');
    // Every state is on a selected row then; rows that were loading when the key was pressed are not selected.
    await expect(async () => {
      await page.keyboard.press('Control+a');
      await expect(selected(page)).toHaveCount(await rows(page).count(), { timeout: 500 });
    }).toPass();
    const { violations } = await axeOn(page).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html, nodes[0]?.failureSummary])).toEqual([]);
    await page.context().close();
  });
}

test('a date of expiry is in view as a whole, and the table is no wider than its frame, in any language', async ({
  browser,
}) => {
  const now = new Date().toISOString().slice(0, 10);
  const { items } = dataOf(await server.calls.devices.list({ query: { limit: 3, sort: 'name' } }));
  for (const [index, days] of [-3, 9, 400].entries()) {
    const body = { expiresAt: addDays(now, days) };
    dataOf(await server.calls.devices.update({ params: { id: items[index]?.id ?? '' }, body }));
  }
  for (const language of ['en', 'de', 'pt', 'ru', 'zh', 'ar']) {
    const page = await openDesk(browser, '/mac?sort=-expiresAt', language);
    const place = await page
      .getByRole('columnheader')
      .evaluateAll((all) => all.findIndex((each) => each.ariaSort === 'descending'));
    const cut = await rows(page).evaluateAll((all, column) => {
      const cells = all.flatMap((row) => row.querySelectorAll('[role=gridcell]')[column] ?? []);
      return cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map((cell) => cell.textContent);
    }, place);
    expect(cut, language).toEqual([]);
    const wider = await grid(page).evaluate(({ parentElement: box }) => box && box.scrollWidth - box.clientWidth);
    expect(wider, language).toBe(0);
    await page.context().close();
  }
});

test('in Arabic, a Latin name in a row is cut at its end', async ({ browser }) => {
  const page = await openDesk(browser, '/mac', 'ar');
  const name = rows(page).locator('bdi').filter({ hasText: 'Screen' }).first();
  await expect(name).toHaveCSS('direction', 'ltr');
  await expect(name).toHaveCSS('text-align', 'right');

  await test.step('and as a search it does not run into the sign', async () => {
    const search = page.getByRole('searchbox').last();
    await search.fill('Screen');
    const gap = await search.evaluate((input) => {
      const sign = input.closest('form')?.querySelector('svg')?.getBoundingClientRect();
      const end = input.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(input).paddingRight);
      return (sign?.left ?? 0) - end;
    });
    expect(gap).toBeGreaterThan(0);
  });
  await page.context().close();
});

test('the number of files of a tab is apart from its name', async ({ browser }) => {
  const { items } = dataOf(await server.calls.users.list({ query: { q: 'admin' } }));
  const context = await signedInPhone(browser, server, DESK);
  const page = await context.newPage();
  await page.goto(`/matlist/${items[0]?.id}/admin`);
  await expect(page.getByRole('link', { name: 'Vertical' })).toContainText(/\d/);
  const gaps = await page.locator('main a:has([aria-hidden][id])').evaluateAll((tabs) =>
    tabs.map((tab) => {
      const [name, count] = [...tab.children].slice(-2).map((part) => part.getBoundingClientRect());
      return (count?.left ?? 0) - (name?.right ?? 0);
    }),
  );
  expect(gaps.length).toBeGreaterThan(4);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4);
  await context.close();
});
