import { expect, type Page, test } from './stories.ts';
import { signedInPhone } from './phone.ts';
import { RealServer } from './server.ts';

/** What a phone shows while it waits for the server, and after a change. */
const server = new RealServer({ port: 4941 });
const DEVICES = 1200;

test.beforeAll(async () => {
  await server.start();
  await server.login();
  await server.row(
    `insert into devices (id, mac, name, owner_id)
     select gen_random_uuid(), '02005e' || lpad(to_hex(n), 6, '0'), 'Screen ' || n, u.id
     from users u, generate_series(1, $1::bigint) n where u.username = 'admin'`,
    DEVICES,
  );
});
test.afterAll(() => server.end());

/** Opens the menu of actions on all devices. */
async function selectAll(page: Page): Promise<void> {
  await page.goto('/mac');
  await page.getByRole('button', { name: 'Select' }).click();
  await page.getByTestId('device').first().click();
  const bar = page.getByRole('toolbar');
  await bar.getByRole('button', { name: 'Select all' }).click();
  await expect(bar).toContainText('1,200 selected');
  await bar.getByRole('button', { name: 'Actions' }).click();
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a sheet that is loading shows where its rows will be, ${colorScheme}`, async ({ browser }) => {
    const phone = await signedInPhone(browser, server, { serviceWorkers: 'block', colorScheme });
    const page = await phone.newPage();
    await selectAll(page);
    const seen = Promise.withResolvers<void>();
    await page.route(/\/api\/ads\?/, async (route) => {
      await seen.promise;
      await route.continue();
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Release an ad' }).click();
    const sheet = page.getByRole('dialog', { name: 'Choose an ad' });
    const row = sheet.getByRole('status', { name: 'Loading' }).locator('> div').first();
    await expect(row).toBeVisible();
    const colour = (element: Element): string => getComputedStyle(element).backgroundColor;
    expect(await row.evaluate(colour)).not.toBe(await sheet.evaluate(colour));
    seen.resolve();
    await expect(sheet.getByText('No ads for this orientation yet')).toBeVisible();
    await phone.close();
  });
}

test('after a change of many devices, Undo stays in one line', async ({ browser }) => {
  const phone = await signedInPhone(browser, server, { serviceWorkers: 'block' });
  const page = await phone.newPage();
  await selectAll(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Add or remove tags' }).click();
  const sheet = page.getByRole('dialog', { name: 'Add or remove tags' });
  await sheet.getByLabel('Add tags').fill('window, ');
  await sheet.getByRole('button', { name: 'Save' }).click();
  const undo = page.getByTestId('undo').getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  const lines = await undo.evaluate((button) => {
    const range = document.createRange();
    range.selectNodeContents(button);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
  await phone.close();
});
