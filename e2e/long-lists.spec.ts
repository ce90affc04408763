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
  await server.addScreens(ROWS);
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

test('the way back from one order of a table to another leads to the place in that one', async ({ browser }) => {
  const page = await openDesk(browser, '/mac?sort=name');
  await goTo(page, 'Screen 230');
  await page.getByRole('link', { name: 'Device management' }).click();
  await expect(page).toHaveURL(/\/mac$/);
  await expect(row(page, 'Screen 001')).toBeInViewport();
  await page.goBack();
  await expect(page).toHaveURL(/sort=name/);
  await expect(row(page, 'Screen 230')).toBeInViewport();
  await page.context().close();
});

test('the keyboard is in the content of a page, and on the way back at the row', async ({ browser }) => {
  const page = await openDesk(browser, '/mac?sort=name');
  await goTo(page, 'Screen 230');
  await row(page, 'Screen 230').click();
  await page.getByTestId('panel').getByRole('link', { name: 'Open page' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Screen 230' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(grid(page)).toBeFocused();
  await expect(cursor(page)).toContainText('Screen 230');

  await test.step('also where no panel was open', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await expect(page).not.toHaveURL(/open=/);
    await page.keyboard.press('ControlOrMeta+k');
    await page.getByRole('dialog').getByRole('searchbox').fill('Activity log');
    await page.getByRole('option', { name: 'Activity log' }).click();
    await expect(page).toHaveURL(/\/audit$/);
    await page.goBack();
    await expect(grid(page)).toBeFocused();
    await expect(cursor(page)).toContainText('Screen 231');
  });
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
  const fetched: string[] = [];
  page.on('request', (request) => void fetched.push(request.url()));
  const read = () => page.waitForResponse(/\/api\/devices\/[\da-f-]{36}$/);
  const changed = read();
  await sheet.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByTestId('undo')).toBeVisible();
  await changed;
  await expect(bar(page)).toHaveCount(0);
  await expect(grid(page)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(cursor(page)).toContainText('Screen 242');
  await expect(row(page, 'Screen 240')).toBeInViewport();

  await test.step('and so does Undo', async () => {
    const again = read();
    await page.getByTestId('undo').getByRole('button', { name: 'Undo' }).click();
    await again;
    await expect(page.getByTestId('undo')).toHaveCount(0);
    await expect(row(page, 'Screen 240')).toBeInViewport();
  });
  await test.step('of the long list, only the rows that changed were fetched again', () => {
    expect(fetched.filter((url) => url.includes('cursor='))).toEqual([]);
  });
  await page.context().close();
});

test('a long list shows what its person changed on the page of a device', async ({ browser }) => {
  const page = await openDesk(browser, '/mac?sort=name');
  const openPage = async (name: string) => {
    await row(page, name).click();
    await page.getByTestId('panel').getByRole('link', { name: 'Open page' }).click();
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  };
  await goTo(page, 'Screen 210');
  await openPage('Screen 210');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('Screen 210 at the door');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Screen 210 at the door' })).toBeVisible();
  await page.goBack();
  await expect(row(page, 'Screen 210 at the door')).toBeInViewport();

  await test.step('and no device that the person deleted', async () => {
    await openPage('Screen 211');
    await page.getByRole('button', { name: 'Delete device' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page).toHaveURL(/\/mac(\?|$)/);
    // The page of the device is gone, and leads nowhere any more.
    await expect(page.getByRole('heading', { level: 1, name: 'Device management' })).toBeVisible();
    await page.goBack();
    await expect(row(page, 'Screen 212')).toBeVisible();
    await expect(row(page, 'Screen 211')).toHaveCount(0);
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

test('on a phone, the way back from a device leads to the same cards and its focus', async ({ browser }) => {
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
  await expect(page.getByRole('main')).toBeFocused();
  await page.goBack();
  await expect(far).toBeInViewport();
  await expect.poll(top).toBe(before);
  await expect(far.getByRole('link')).toBeFocused();
  await context.close();
});

test('on a phone, the way back from a page that a menu led to is the button of that menu', async ({ browser }) => {
  await server.row(
    `insert into users (id, username, username_key, password_hash, role, superior_id, created_at)
     select gen_random_uuid(), 'customer' || lpad(n::text, 3, '0'), 'customer' || lpad(n::text, 3, '0'), password_hash,
       'member', id, created_at - n * interval '1 minute'
     from users, generate_series(1, 60) n where username = 'admin'`,
  );
  const context = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto('/user');
  const menu = page.getByRole('button', { name: 'Actions for customer040' });
  await expect(page.getByRole('listitem').first()).toBeVisible();
  await expect(async () => {
    await page.evaluate(() => window.scrollBy(0, 500));
    await expect(menu).toBeInViewport({ timeout: 100 });
  }).toPass();
  await menu.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Details' }).press('Enter');
  await expect(page).toHaveURL(/\/user\/[\da-f-]{36}$/);
  await page.getByRole('button', { name: 'Back' }).press('Enter');
  await expect(menu).toBeFocused();
  await expect(menu).toBeInViewport();
  await context.close();
});

test('requests of releases come page by page, above campaigns that can be reached', async ({ browser }) => {
  const { calls } = server;
  const member = await server.row(
    `insert into users (id, username, username_key, password_hash, role, superior_id)
     select gen_random_uuid(), 'harvester', 'harvester', password_hash, 'member', id from users where username = 'admin'
     returning id`,
  );
  const picture = await server.addFile('Square.png', 'color=red:size=360x640', { orientation: 'vertical', kind: 1 });
  const regions = { full: [{ kind: 'file' as const, fileId: picture.id }] };
  const body = { orientation: 'vertical' as const, split: 'full' as const, regions };
  const { id } = dataOf(await calls.ads.create({ body: { ...body, name: 'Harvest' } }));
  await server.row(
    `insert into release_requests (id, ad_id, ad_version, content_hash, devices, requested_by, requested_at)
     select gen_random_uuid(), id, date_trunc('milliseconds', updated_at), 'harvest', 7, $2,
       now() - n * interval '1 minute'
     from ads, generate_series(1, 120) n where ads.id = $1`,
    id,
    member?.['id'],
  );
  const context = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await context.newPage();
  const lists: string[] = [];
  page.on('request', (request) => void (/releases\?.*approval/.test(request.url()) && lists.push(request.url())));
  await page.goto('/approvals');
  const cards = page.getByTestId('release-request');
  await expect(cards.first()).toContainText('Harvest');
  await expect(page.getByRole('img').first()).toBeVisible();
  const ofPages = () => lists.filter((url) => !url.includes('total='));
  expect(ofPages()).toHaveLength(1);
  expect(await cards.count()).toBeLessThan(20);

  await test.step('the next pages come while scrolling', async () => {
    await expect(async () => {
      await page.evaluate(() => window.scrollBy(0, 4000));
      await expect(page.getByText('No campaigns to approve')).toBeInViewport({ timeout: 100 });
    }).toPass();
    expect(ofPages()).toHaveLength(3);
  });

  await test.step('one that somebody else decided leaves the long list, which is not fetched again', async () => {
    await page.evaluate(() => window.scrollTo(0, 0));
    const [newest] = dataOf(await calls.releases.list({ query: { approval: 'requested', limit: 1 } })).items;
    if (!newest) throw new Error('no request');
    await expect(page.locator(`a[href="/releases/${newest.id}"]`)).toBeVisible();
    dataOf(await calls.releases.reject({ params: { id: newest.id }, body: { remark: 'Wrong logo' } }));
    await expect(page.locator(`a[href="/releases/${newest.id}"]`)).toHaveCount(0);
    await expect(cards.first()).toBeVisible();
    expect(ofPages()).toHaveLength(3);
  });
  await context.close();
});
