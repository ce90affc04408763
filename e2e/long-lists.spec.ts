import { signedInPhone } from './phone.ts';
import { dataOf, RealServer } from './server.ts';
import { type Browser, expect, type Locator, type Page, test } from './stories.ts';

/** A person's place in a long table: what is in view, the row of the keyboard, the selection and the focus. */
const server = new RealServer({ port: 4926 });
const DESK = { viewport: { width: 1280, height: 800 }, hasTouch: false, serviceWorkers: 'block' } as const;
/** More than the pages that are fetched again as a whole. */
const ROWS = 300;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  await server.row(
    `insert into devices (id, mac, name, owner_id, created_at)
     select gen_random_uuid(), '02005e' || lpad(to_hex(n), 6, '0'), 'Screen ' || lpad(n::text, 3, '0'),
       (select id from users where username = 'admin'), now() - n * interval '1 minute'
     from generate_series(1, $1::bigint) n`,
    ROWS,
  );
});
test.afterAll(() => server.end());

const grid = (page: Page): Locator => page.getByRole('grid');
const rows = (page: Page): Locator => page.getByTestId('row');
const row = (page: Page, name: string): Locator => rows(page).filter({ hasText: name });
const cursor = (page: Page): Locator => page.locator('[data-cursor]');
const bar = (page: Page): Locator => page.getByRole('toolbar');

async function openDesk(browser: Browser, address: string): Promise<Page> {
  const context = await signedInPhone(browser, server, DESK);
  const page = await context.newPage();
  await page.goto(address);
  await expect(rows(page).first()).toBeVisible();
  return page;
}

/** Moves the keyboard down by pages until a row is loaded and in view. */
async function goTo(page: Page, name: string): Promise<void> {
  await grid(page).focus();
  await expect(async () => {
    await page.keyboard.press('PageDown');
    await expect(row(page, name)).toBeInViewport({ timeout: 500 });
  }).toPass();
}

test('the way back from the page of a row leads to the same place of the table', async ({ browser }) => {
  const page = await openDesk(browser, '/mac?sort=name');
  await goTo(page, 'Screen 230');
  await row(page, 'Screen 230').click();
  await page.getByTestId('panel').getByRole('link', { name: 'Open page' }).click();
  await expect(page).toHaveURL(/\/mac\/[\da-f-]{36}$/);
  await page.goBack();
  await expect(row(page, 'Screen 230')).toBeInViewport();
  await grid(page).focus();
  await page.keyboard.press('ArrowDown');
  await expect(cursor(page)).toContainText('Screen 231');
  await page.context().close();
});

test('the keyboard is in the content after the way to a page and back', async ({ browser }) => {
  const page = await openDesk(browser, '/mac?sort=name');
  await row(page, 'Screen 003').click();
  await page.getByTestId('panel').getByRole('link', { name: 'Open page' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Screen 003' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('button', { name: 'Back' }).focus();
  await page.goBack();
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.context().close();
});

test('the keyboard stays at its place when its row leaves the list', async ({ browser }) => {
  const page = await openDesk(browser, '/mac?sort=name');
  await grid(page).focus();
  for (let n = 1; n < 20; n++) await page.keyboard.press('ArrowDown');
  await expect(cursor(page)).toContainText('Screen 020');
  const [gone] = dataOf(await server.calls.devices.list({ query: { q: 'Screen 020' } })).items;
  dataOf(await server.calls.devices.delete({ params: { id: gone?.id ?? '' } }));
  await expect(row(page, 'Screen 020')).toHaveCount(0);
  await expect(cursor(page)).toContainText('Screen 021');
  await page.keyboard.press('ArrowDown');
  await expect(cursor(page)).toContainText('Screen 022');
  await page.context().close();
});

test('a batch on rows far below leaves them in view, and the keyboard with the table', async ({ browser }) => {
  const page = await openDesk(browser, '/mac?sort=name');
  await goTo(page, 'Screen 240');
  await row(page, 'Screen 240').click({ modifiers: ['ControlOrMeta'] });
  await page.keyboard.press('Shift+ArrowDown');
  await expect(bar(page)).toContainText('2 selected');
  await bar(page).getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Add or remove tags' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add or remove tags' });
  await sheet.getByLabel('Add tags').fill('window, ');
  const listed = page.waitForResponse(/\/api\/devices\?/);
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByTestId('undo')).toBeVisible();
  await listed;
  await expect(bar(page)).toHaveCount(0);
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(cursor(page)).toContainText('Screen 242');
  await expect(row(page, 'Screen 240')).toBeInViewport();

  await test.step('and so does Undo', async () => {
    const again = page.waitForResponse(/\/api\/devices\?/);
    await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click();
    await again;
    await expect(page.getByTestId('undo')).toHaveCount(0);
    await expect(row(page, 'Screen 240')).toBeInViewport();
  });
  await page.context().close();
});

test('files are no longer selected once they are sorted in another way', async ({ browser }) => {
  await server.addFile('Poster.png', 'color=blue:size=360x640', { orientation: 'vertical', kind: 1 });
  await server.row(
    `insert into files (id, owner_id, uploaded_by, name, orientation, kind, sha256, created_at)
     select gen_random_uuid(), owner_id, uploaded_by, 'Picture ' || lpad(n::text, 3, '0'), orientation, kind, sha256,
       created_at - n * interval '1 minute'
     from files, generate_series(1, $1::bigint) n`,
    ROWS,
  );
  const me = await server.row(`select id from users where username = 'admin'`);
  const page = await openDesk(browser, `/matlist/${String(me?.['id'])}/admin/1/0/0/1/1`);
  await goTo(page, 'Picture 200');
  await row(page, 'Picture 200').click({ modifiers: ['ControlOrMeta'] });
  await expect(bar(page)).toContainText('1 selected');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await expect(rows(page).first()).toContainText('Picture 001');
  await expect(bar(page)).toHaveCount(0);
  await page.context().close();
});

test('on a phone, the way back from a device leads to the same cards', async ({ browser }) => {
  const context = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto('/mac');
  const cards = page.getByTestId('device');
  await expect(cards.first()).toBeVisible();
  const far = cards.filter({ hasText: 'Screen 090' });
  await expect(async () => {
    await page.evaluate(() => window.scrollBy(0, 700));
    await expect(far).toBeInViewport({ timeout: 100 });
  }).toPass();
  // Clicking scrolls what is not wholly in view.
  await far.scrollIntoViewIfNeeded();
  const top = async () => (await far.boundingBox())?.y;
  const before = await top();
  await far.click();
  await expect(page).toHaveURL(/\/mac\/[\da-f-]{36}$/);
  await page.goBack();
  await expect(far).toBeInViewport();
  await expect.poll(top).toBe(before);
  await context.close();
});
