import { expectAccessible } from './axe.ts';
import { type BrowserContext, expect, type Page, test } from './stories.ts';
import { DESK, signedInPhone } from './phone.ts';
import { dataOf, PASSWORD, RealServer } from './server.ts';

/** A dealer sees what its customers bring and where there is room; a customer sees its own costs only. */
const server = new RealServer({ port: 4906 });
const CUSTOMER = 'miaMiller2026';
const contexts: BrowserContext[] = [];
const days = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);

test.beforeAll(async () => {
  await server.start();
  await server.login();
  const { calls } = server;
  const mia = dataOf(await calls.users.create({ body: { username: CUSTOMER, password: PASSWORD, role: 'member' } })).id;
  const red = await server.addFile('Red.png', 'color=red:size=360x640', { orientation: 'vertical', kind: 1 });
  const regions = { full: [{ kind: 'file' as const, fileId: red.id }] };
  const ad = dataOf(
    await calls.ads.create({ body: { name: 'Autumn', orientation: 'vertical', split: 'full', regions } }),
  );
  const devices: string[] = [];
  for (const [index, area] of ['Lyon', 'Paris'].entries()) {
    const body = { mac: `02:00:5e:48:87:0${index}`, name: `${area} station`, area };
    devices.push(dataOf(await calls.devices.create({ body })).id);
  }
  const book = async (currency: string, amount: string, customerId?: string): Promise<void> => {
    const { id } = dataOf(
      await calls.campaigns.create({
        body: {
          ...{ name: `Autumn ${currency}`, ...(customerId && { customerId }) },
          ...{ adIds: [ad.id], devices: { ids: devices.slice(0, 1) } },
          schedule: { from: days(0), to: days(20) },
          goal: { kind: 'share', value: 30 },
          price: { kind: 'fixed', amount, currency },
        },
      }),
    );
    dataOf(await calls.campaigns.book({ params: { id } }));
  };
  await book('EUR', '2100.00', mia);
  await book('JPY', '42000');
});
test.afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
test.afterAll(() => server.end());

async function open(browser: Parameters<typeof signedInPhone>[0], options: object): Promise<Page> {
  const context = await signedInPhone(browser, server, { serviceWorkers: 'block', ...options });
  contexts.push(context);
  return context.newPage();
}

test('an account without campaigns sees that none runs, and nothing empty', async ({ browser }) => {
  const username = 'noraNovak2026';
  dataOf(await server.calls.users.create({ body: { username, password: PASSWORD, role: 'member' } }));
  const page = await open(browser, { username });
  await page.goto('/revenue');
  await expect(page.getByText(/No campaign runs in/)).toBeVisible();
  await expect(page.getByText('All running campaigns are on plan')).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Amounts by month' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Export .xls' })).toHaveCount(0);
  await page.getByRole('link', { name: 'New campaign' }).click();
  await expect(page).toHaveURL(/\/campaigns\/new$/);
});

test('a dealer sees amounts by month and customer, each currency apart', async ({ browser }) => {
  const page = await open(browser, {});
  await page.goto('/campaigns');
  await page.getByRole('link', { name: 'Revenue' }).tap();
  await expect(page).toHaveURL('/revenue');
  await expect(page.getByTestId('ordered-EUR')).toContainText('€');
  await expect(page.getByTestId('ordered-JPY')).toContainText('¥');
  const table = page.getByRole('region', { name: 'Amounts by month' });
  await expect(table.getByRole('row').filter({ hasText: CUSTOMER })).toContainText('€');
  await expect(table.getByRole('row').filter({ hasText: 'Total' })).toHaveCount(3);
  await expectAccessible(page);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export .xls' }).tap();
  expect((await file).suggestedFilename()).toMatch(/^revenue .*\.xls$/);
});

test('a customer sees its own costs only', async ({ browser }) => {
  const page = await open(browser, { username: CUSTOMER });
  await page.goto('/campaigns');
  await page.getByRole('link', { name: 'Campaign costs' }).tap();
  await expect(page.getByTestId('ordered-EUR')).toContainText('€');
  await expect(page.getByText('¥')).toHaveCount(0);
  await page.goto('/campaigns');
  await expect(page.getByRole('link', { name: 'Occupancy' })).toHaveCount(0);
});

test('occupancy names the fullest area, and leads to a campaign where there is room', async ({ browser }) => {
  const page = await open(browser, DESK);
  await page.goto('/campaigns');
  await page.getByRole('link', { name: 'Occupancy' }).click();
  // 30 % twice, of 80 % that may be sold.
  await expect(page.getByText(/Lyon.* is 75% booked and .*Paris.* has 100% free/)).toBeVisible();
  await expectAccessible(page);
  const paris = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Paris' }) });
  await paris.getByRole('link', { name: 'New campaign' }).click();
  await expect(page).toHaveURL('/campaigns/new?area=Paris');
  await expect(page.getByText('Area: Paris')).toBeVisible();
});

test('on paper, 24 months are in tables that are no wider than it', async ({ browser }) => {
  const page = await open(browser, DESK);
  await page.goto('/revenue?months=24');
  const tables = page.getByRole('region', { name: 'Amounts by month' });
  await expect(tables.getByRole('columnheader')).toHaveCount(26);
  // A4 with its margins.
  await page.setViewportSize({ width: 680, height: 960 });
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  expect(await tables.evaluateAll((all) => all.filter((table) => table.scrollWidth > table.clientWidth).length)).toBe(
    0,
  );
  const heads = await tables.getByRole('columnheader').allTextContents();
  expect(new Set(heads).size).toBe(26);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(tables).toHaveCount(1);
});
